// Keeps the bookmarks of the window's runs. Each run has its own, saved beside its trace file once there is
// one
// ("run.jsonl.notes" beside "run.jsonl"). Every change is written at once and atomically. A file that cannot
// be parsed, or that belongs to another run, is never replaced without asking. GUI thread.
#pragma once

#include <QObject>

#include "core/trace/store.h"
#include "ui/models/run/bookmarks.h"
#include "ui/shell/messages/message.h"

#include <memory>
#include <vector>

namespace lockscope::ui {

class Actions;
class RunController;
class TimelineView;

class BookmarksController : public QObject
{
    Q_OBJECT
public:
    BookmarksController(Bookmarks* notes, RunController* control, QObject* parent);

    // The commands for bookmarks act on this timeline.
    void connectActions(const Actions& actions, TimelineView* timeline);

    // The bookmarks of a run that are in no file.
    std::size_t unsavedCount(const std::shared_ptr<const trace::TraceStore>& store) const;

signals:
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);
    void timelineRequested(); // the timeline must be made visible

private:
    using Store = std::shared_ptr<const trace::TraceStore>;
    struct RunBookmarks // the bookmarks of one run
    {
        std::weak_ptr<const trace::TraceStore> store;
        std::vector<Bookmark> notes{};
        QString trace{};        // the trace file's path; empty: the run has no file yet
        bool isForeign = false; // the file is not this run's bookmark file, so it is not replaced
    };

    RunBookmarks& bookmarksOf(const Store& store);
    void showRun();
    void showNotes(const std::vector<Bookmark>& notes);
    void loadFrom(const QString& trace);
    void setTraceFile(const QString& trace, const Store& store);
    void saveShown();
    void write(const Store& store);
    static TextProvider otherRunText(const QString& path);
    void reportForeignFile(const Store& store, TextProvider why);

    Bookmarks* m_notes;
    RunController* m_control;
    Store m_shown;
    std::vector<RunBookmarks> m_runs;
    bool m_switching = false; // the bookmarks change because another run is shown
};

} // namespace lockscope::ui
