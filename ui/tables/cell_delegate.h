// Base of the delegates: a tool tip with the whole text of a cell that had to be cut. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "ui/models/look.h"

namespace lockscope::ui {

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    CellDelegate(Look* look, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_look(look)
    {}
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

protected:
    const Look& look() const { return *m_look; }
    virtual QString wholeText(const QModelIndex& index) const;
    // Whether it had to be cut in this cell.
    virtual bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const = 0;

private:
    Look* m_look;
};

} // namespace lockscope::ui
