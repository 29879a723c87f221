// Paints the Inspector's cells: headings, labels, values with a dot for a client, links. GUI thread.
#pragma once

#include "ui/tables/cell_delegate.h"

namespace lockscope::ui {

class InspectorModel;
class InspectorTable;

class InspectorDelegate : public CellDelegate
{
    Q_OBJECT
public:
    InspectorDelegate(const InspectorModel* model, Theme* theme, InspectorTable* table);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

    // The height beyond one line that the text of this cell needs at this width.
    int extraHeight(const QModelIndex& index, int width) const;

protected:
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QFont fontOf(const QModelIndex& index) const;
    QColor colourOf(const QModelIndex& index) const;
    QRect textBox(const QRect& cell, const QModelIndex& index) const;
    const InspectorModel* m_model;
    InspectorTable* m_table;
};

} // namespace lockscope::ui
