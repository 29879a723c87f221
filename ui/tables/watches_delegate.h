// Draws a cell of the watch table. GUI thread.
#pragma once

#include "ui/tables/cell_delegate.h"

namespace lockscope::ui {

class WatchesModel;
class WatchesView;

class WatchesDelegate : public CellDelegate
{
    Q_OBJECT
public:
    WatchesDelegate(const WatchesModel* model, Theme* theme, WatchesView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QFont fontOf(int column) const;
    const WatchesModel* m_model;
    const WatchesView* m_view;
};

} // namespace lockscope::ui
