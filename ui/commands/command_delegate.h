// Draws a line of the palette: the words with the typed letters in bold, where they belong, and the shortcut.
// GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace lockscope::ui {

class Look;

class CommandDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    CommandDelegate(const Look* look, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int paintWords(QPainter& painter, const QRect& row, const QModelIndex& index, const QColor& colour) const;
    const Look* m_look;
};

} // namespace lockscope::ui
