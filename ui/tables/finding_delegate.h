// Draws one finding, its sentence wrapped to the width of the view. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "ui/models/look.h"

class QListView;

namespace lockscope::ui {

class FindingsModel;

class FindingDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    FindingDelegate(const FindingsModel* model, Look* look, QListView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const FindingsModel* m_model;
    const Look* m_look;
    const QListView* m_view;
};

} // namespace lockscope::ui
