// Draws a cell of the protocol log. GUI thread.
#pragma once

#include "ui/tables/cell_delegate.h"

namespace lockscope::ui {

class LogModel;
struct LogMatch;
class LogTable;

class LogDelegate : public CellDelegate
{
    Q_OBJECT
public:
    LogDelegate(const LogModel* model, Theme* theme, LogTable* table);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void drawRule(QPainter& painter, const QRect& cell, const LogMatch& match, bool selected,
                  bool first) const;
    const LogModel* m_model;
    const LogTable* m_table;
};

} // namespace lockscope::ui
