// Draws one finding, its sentence wrapped to the width of the view. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "ui/models/style/theme.h"

class QListView;

namespace lockscope::ui {

class FindingsModel;

class FindingDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    FindingDelegate(const FindingsModel* model, Theme* theme, QListView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const FindingsModel* m_model;
    const Theme* m_theme;
    const QListView* m_view;
};

} // namespace lockscope::ui
