// The run that the window shows: a live engine or an opened trace. Owns the cursor: following the live end,
// or at any moment. Drains once a frame within a time budget, then says what changed: between two frames
// nothing of it moves, so that all views show the same moment. GUI thread. A big trace
// is folded in worker threads: until it is there (opening()), state() is the state before the first event; a
// seek in the meantime is carried out then.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/engine/engine.h"
#include "core/replay/fold/player.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"

#include <chrono>
#include <memory>
#include <optional>

namespace lockscope::ui {

class RunModel : public QObject
{
    Q_OBJECT
public:
    explicit RunModel(QObject* parent = nullptr);
    ~RunModel() override;

    // Starts a new live run; the run before it ends. The engine is ours from then on.
    void startLive(engine::Options options);
    // Shows a trace that was opened; the live run, if any, ends. The cursor is at its end. A store that still
    // grows is followed like a live run as long as setGrowing(true) says so.
    void openTrace(std::shared_ptr<const trace::TraceStore> store, QString note);
    void setGrowing(bool growing);
    void endRun(); // ends a live engine without waiting for it; the trace stays

    bool isLive() const; // an engine is attached and has not ended
    bool canGrow() const; // more events may come: the run is live, or its trace still grows
    bool hasRun() const;
    bool opening() const;     // a big trace is being folded
    QString note() const;     // what openTrace was told, for the person
    engine::Engine* engine(); // null when there is none; the shell's only way to post

    const replay::RunState& state() const;    // at the cursor
    const replay::Timeline& timeline() const; // up to the last event drained
    const replay::Series& series() const;     // as far as the cursor ever was
    const trace::TraceStore* store() const;
    // As files get it: who only watches sees real session ids, and files have others.
    std::shared_ptr<const trace::TraceStore> written();
    // While on, all views show it as files get it: for a picture.
    void showWritten(bool on);
    // The run's scenario says that this rule is, or may be, violated in it.
    bool expectsViolation(replay::FindingKind kind) const;
    std::size_t position() const; // events before the cursor
    std::size_t drained() const;  // events in timeline()
    std::optional<std::chrono::sys_time<Duration>>
    wallZero() const;             // time zero by the clock on the wall, if known
    TraceTime cursorTime() const; // time of the cursor
    TraceTime endTime() const;    // time of the last event drained; live: also while nothing happens
    bool following() const;       // the cursor sticks to the end

    // How long one drain and apply took, worst since the last call: for benchmarks and the frame-time
    // overlay.
    Duration takeWorstTick();

public slots:
    void notifyAll(); // all of the news, for who says it in other words
    void follow();    // back to the live end
    // Seeking back is done at once. Forward over events that the cursor never passed, a slice is done at once
    // and the rest in the next frames.
    void seekTime(lockscope::TraceTime time);
    void seekEvent(std::size_t count);
    // Right after this event. A run that goes on is not followed then, even when the event is its last one.
    void goToEvent(lockscope::EventIndex event);
    void stepEvents(int delta);
    // To the next or previous event of this client alone, which is returned; none when there is no such
    // event.
    lockscope::EventIndex stepToEventOf(lockscope::ClientId client, bool forward);

signals:
    void runChanged();           // another run: everything is new
    void stateChanged();         // state() differs; at most once a frame
    void timelineGrew();         // timeline() has more; at most once a frame
    void cursorMoved();          // position(), cursorTime(), endTime() or following() changed
    void followed();             // somebody went to the end: what shows it goes along
    // Somebody went to an event of this time: what shows a stretch of time has it in the middle.
    void jumpedTo(lockscope::TraceTime time);
    void phaseChanged();         // engine phase or failure changed
    void progress(double share); // of opening, 0 to 1

private:
    void show(std::shared_ptr<const trace::TraceStore> store, QString note);
    void tick();
    void drain(MonotonicTime deadline);
    void seekAhead(std::size_t goal);
    void skipKnown(std::size_t goal);
    void advanceCursor(std::size_t until);
    void growTimeline(std::size_t until);
    void takeOpened();
    void goTo(std::size_t count, bool follow);
    bool caughtUp() const;
    void updateEndTime();
    void wake();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::ui
