// Paints the Inspector's cells: headings, quiet labels, values with a dot for a client, links. GUI thread.
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

    // What the words of this cell need beyond one line, when it is so wide.
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
