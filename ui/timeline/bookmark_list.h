// The list of bookmarks beside the timeline: Enter or a click jumps to one, F2 edits its note, Delete removes
// it. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/run/bookmarks.h"
#include "ui/models/style/theme.h"

#include <optional>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope::ui {

class BookmarkList : public QWidget
{
    Q_OBJECT
public:
    BookmarkList(Bookmarks* notes, Theme* theme, QWidget* parent);
    QTreeWidget* list() const { return m_list; }

signals:
    void chosen(std::size_t note);
    void left(); // Escape

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void applyTheme();
    void keepText(QTreeWidgetItem* item);
    std::optional<std::size_t> current() const;

    Bookmarks* m_bookmarks;
    Theme* m_theme;
    QLabel* m_title;
    QTreeWidget* m_list;
};

} // namespace lockscope::ui
