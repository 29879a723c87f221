// The view "Handoff timeline": lanes, scroll bar, search, bookmark list and the caption for its card. Moves
// the time window with the run: while it follows, the end moves smoothly, even without new events. GUI
// thread.
#pragma once

#include "ui/canvas/view.h"
#include "ui/timeline/timeline_canvas.h"

#include "ui/models/rows/event_search.h"

#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <functional>

class QAction;

namespace lockscope::ui {

class BookmarkList;
class SpanTable;
class TimelineMenu;
class TimelineSearchBar;

class TimelineView : public QWidget, public View
{
    Q_OBJECT
public:
    explicit TimelineView(const TimelineSources& sources, QWidget* parent = nullptr);

    void restore(const Settings& settings) override;
    void save(Settings settings) const override;
    TimelineCanvas* canvas() const { return m_canvas; }
    EventSearch* search() const { return m_search; }
    TimelineSearchBar* searchBar() const { return m_searchBar; }
    BookmarkList* bookmarkList() const { return m_bookmarkList; }
    TimelineMenu* menu() const { return m_menu; }
    QToolButton* followButton() const { return m_follow; }

public slots:
    void addBookmark(); // opens an editor for its note
    void nextBookmark();
    void previousBookmark();
    void showBookmarks(bool shown);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void assemble();
    void connectParts();
    void addTools();
    void showMeasured();
    void onRunChanged();
    void moveWithRun();
    void adaptLength();
    void keepCursorInView();
    void updateGlide();
    void fitFinishedRun(); // shows all of a short run that has ended
    void updateCaption();
    void updateFollow();
    void placeFollowButton();
    void retranslate();

    RunModel* m_run;
    Selection* m_selection;
    TimeWindow* m_window;
    Bookmarks* m_bookmarks;
    EventSearch* m_search;
    TimelineCanvas* m_canvas;
    TimelineSearchBar* m_searchBar;
    BookmarkList* m_bookmarkList;
    SpanTable* m_spanTable;
    Theme* m_theme;
    TimelineMenu* m_menu;
    QToolButton* m_follow; // visible while the cursor is at the run's end and the window does not follow it
    QAction* m_copy = nullptr;
    QAction* m_table = nullptr;
    QTimer m_glide;        // runs while a live run is in view
    QTimer m_captionTimer; // the caption changes a few times a second at most
    TraceTime m_seenCursor{};
    bool m_wasLive = false;
    bool m_atEnd = true; // the cursor was at the end
};

} // namespace lockscope::ui
