// Draws a row of the palette: the text with the matching letters in bold, the category and the shortcut. GUI
// thread.
#pragma once

#include <QStyledItemDelegate>

#include <set>

namespace lockscope::ui {

class Theme;

class CommandDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    CommandDelegate(const Theme* theme, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int paintText(QPainter& painter, const QRect& row, const QString& text, const std::set<int>& bold,
                  const QColor& colour) const;
    const Theme* m_theme;
};

} // namespace lockscope::ui
