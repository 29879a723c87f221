// Keeps the bookmarks of the window's runs: each run has its own, with the trace's file once there is one ("run.jsonl"
// has "run.jsonl.notes"). Every change is written at once, whole or not at all. A file that cannot be understood, or
// is of another run, is never replaced without asking. GUI thread.
#pragma once

#include <QObject>

#include "core/trace/store.h"
#include "ui/models/notes.h"
#include "ui/shell/message.h"

#include <memory>
#include <vector>

namespace lockscope::ui {

class Actions;
class RunControl;
class TimelineView;

class NotesDesk : public QObject
{
    Q_OBJECT
public:
    NotesDesk(Notes* notes, RunControl* control, QObject* parent);

    // The commands for bookmarks act on this timeline.
    void serve(const Actions& actions, TimelineView* timeline);

signals:
    void said(const lockscope::ui::Message& message);
    void unsaid(const QString& key);
    void wanted(); // the timeline must be in view

private:
    using Store = std::shared_ptr<const trace::TraceStore>;
    struct Kept // of one run
    {
        std::weak_ptr<const trace::TraceStore> store;
        std::vector<Note> notes{};
        QString trace{};      // its file; empty as long as it has none
        bool guarded = false; // what lies there is not ours to replace
    };

    Kept& keptOf(const Store& store);
    void showRun();
    void takeFrom(const QString& trace);
    void moveTo(const QString& trace, const Store& store);
    void keep();
    void write(const Store& store);
    static Wording ofAnotherRun(const QString& path);
    void sayGuarded(const Store& store, Wording why);

    Notes* m_notes;
    RunControl* m_control;
    Store m_shown;
    std::vector<Kept> m_kept;
    bool m_switching = false; // the notes change because another run is shown
};

} // namespace lockscope::ui
