// Base of the delegates: shows the whole text of an elided cell as a tool tip. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "ui/models/style/theme.h"

namespace lockscope::ui {

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    CellDelegate(Theme* theme, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {}
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

protected:
    const Theme& theme() const { return *m_theme; }
    virtual QString wholeText(const QModelIndex& index) const;
    // Whether the text is elided in this cell.
    virtual bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const = 0;

private:
    Theme* m_theme;
};

} // namespace lockscope::ui
