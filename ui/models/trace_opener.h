// Folds a whole trace outside the GUI thread: the cursor with its keyframes, and the timeline, each in a
// thread of its own. Poll done(), then take both values. Destruction cancels and waits.
#pragma once

#include "core/replay/fold/trace_cursor.h"
#include "core/replay/timeline/timeline.h"

#include <atomic>
#include <memory>
#include <thread>

namespace lockscope::ui {

class TraceOpener
{
public:
    // Folds the first `count` events, all of which are published.
    TraceOpener(std::shared_ptr<const trace::TraceStore> store, std::size_t count);

    std::size_t count() const { return m_count; }
    bool done() const { return m_finished.load() == 2; }
    double progress() const;
    // Once, after done().
    std::unique_ptr<replay::TraceCursor> takeCursor();
    replay::Timeline takeTimeline();

private:
    void foldCursor(const std::stop_token& stop);
    void foldTimeline(const std::stop_token& stop);

    std::shared_ptr<const trace::TraceStore> m_store;
    std::size_t m_count;
    std::unique_ptr<replay::TraceCursor> m_cursor;
    replay::Timeline m_timeline;
    std::atomic<std::size_t> m_cursorAt{0};
    std::atomic<std::size_t> m_timelineAt{0};
    std::atomic<int> m_finished{0};
    std::jthread m_cursorThread; // last: joined before the members that they use are destroyed
    std::jthread m_timelineThread;
};

} // namespace lockscope::ui
