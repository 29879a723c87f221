// Draws one client: a dot in its color, its name, a pill with its state, and a second line with details. GUI
// thread.
#pragma once

#include "ui/tables/cell_delegate.h"

namespace lockscope::ui {

class ClientsModel;

class ClientDelegate : public CellDelegate
{
    Q_OBJECT
public:
    ClientDelegate(const ClientsModel* model, Theme* theme, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    QString wholeText(const QModelIndex& index) const override;
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const ClientsModel* m_model;
};

} // namespace lockscope::ui
