// The run that the window shows: a live engine or an opened trace. Owns the cursor, which follows the live
// end or rests at any moment. Applies new events once a frame within a time budget, then notifies: nothing
// changes between two frames, so that all views show the same moment. A large trace is folded in worker
// threads; while opening(), state() is the state before the first event, and a seek takes effect at the end.
// GUI thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "core/engine/engine.h"
#include "core/replay/fold/trace_cursor.h"
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

    // Starts a live run and ends the previous one. The model owns the engine.
    void startLive(engine::Options options);
    // Shows an opened trace with the cursor at its end, and ends the live run, if any. A store that still
    // grows is followed like a live run while setGrowing(true) applies, and is live if its header has a
    // monotonic start time.
    void openTrace(std::shared_ptr<const trace::TraceStore> store);
    void setGrowing(bool growing);
    void setConnecting(bool connecting); // the locks to watch are about to be read
    bool connecting() const;
    void endRun(); // ends a live engine without waiting for it; the trace stays

    bool isLive() const;  // an engine is attached and has not ended, or locks of other programs are watched
    bool canGrow() const; // more events may come: the run is live, or its trace still grows
    bool hasRun() const;
    bool opening() const;     // a large trace is being folded
    engine::Engine* engine(); // null: no engine

    const replay::RunState& state() const;    // at the cursor
    const replay::Timeline& timeline() const; // up to the last event drained
    const replay::Series& series() const;     // up to the farthest position of the cursor
    const trace::TraceStore* store() const;
    // The store for files. A run of watched locks shows real session ids; files get pseudonyms.
    std::shared_ptr<const trace::TraceStore> written();
    // While on, all views show the store for files, and the run does not advance: for a picture.
    void showWritten(bool on);
    // Whether the run's scenario declares that this finding is or may be violated.
    bool expectsViolation(replay::FindingKind kind) const;
    std::size_t position() const;                                    // events before the cursor
    std::size_t drained() const;                                     // events in timeline()
    std::optional<std::chrono::sys_time<Duration>> wallZero() const; // time zero by the wall clock, if known
    TraceTime cursorTime() const;                                    // time of the cursor
    // When the first client joined: the server's start before it is of no interest. Zero before that, and
    // without clients.
    TraceTime beginTime() const;
    TraceTime endTime() const; // time of the last event drained; of a live run, it also grows between events
    bool following() const;    // the cursor sticks to the end

    // The longest time that applying events took in a frame since the last call.
    Duration takeWorstTick();

public slots:
    void notifyAll(); // emits all signals, after a change of language
    void follow();    // back to the live end
    // Seeking back is immediate. Seeking forward over events that the cursor never passed applies a slice at
    // once and the rest in the next frames.
    void
    seekBegin(); // to the moment when the first client has joined; without clients, before the first event
    void seekTime(lockscope::TraceTime time);
    void seekEvent(std::size_t count);
    // Moves the cursor right after this event. A run that can grow is not followed then, even at its last
    // event.
    void goToEvent(lockscope::EventIndex event);
    void stepEvents(int delta);
    // Moves to the next or previous event of this client, as goToEvent() does, and returns it; none() when
    // there is none.
    lockscope::EventIndex stepToEventOf(lockscope::ClientId client, bool forward);

signals:
    void runChanged();   // another run: everything is new
    void stateChanged(); // state() differs; at most once a frame
    void timelineGrew(); // timeline() has more; at most once a frame
    void cursorMoved();  // position(), cursorTime(), endTime() or following() changed
    void jumpedToEnd();  // views follow the end again
    // The cursor jumped to an event of this time: views of a time range center it.
    void jumpedTo(lockscope::TraceTime time);
    void phaseChanged();         // engine phase or failure changed
    void progress(double share); // of opening, 0 to 1

private:
    void show(std::shared_ptr<const trace::TraceStore> store);
    void tick();
    void drain(MonotonicTime deadline);
    void seekAhead(std::size_t goal);
    void skipKnown(std::size_t goal);
    void takeOpened();
    void goTo(std::size_t count, bool follow);
    bool caughtUp() const;
    void updateEndTime();
    void wake();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::ui
