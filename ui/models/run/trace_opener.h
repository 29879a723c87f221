// Folds a whole trace outside the GUI thread. Poll done(), then take the cursor. Destruction cancels and
// waits.
#pragma once

#include "core/replay/fold/trace_cursor.h"

#include <atomic>
#include <memory>
#include <thread>

namespace lockscope::ui {

class TraceOpener
{
public:
    // Folds the first `count` events, all of which are published.
    TraceOpener(std::shared_ptr<const trace::TraceStore> store, std::size_t count);

    bool done() const { return m_at.load() == m_count; }
    double progress() const;
    std::unique_ptr<replay::TraceCursor> takeCursor(); // once, after done()

private:
    void fold(const std::stop_token& stop);

    std::size_t m_count;
    std::unique_ptr<replay::TraceCursor> m_cursor;
    std::atomic<std::size_t> m_at{0};
    std::jthread m_thread; // last: joined before the members that it uses are destroyed
};

} // namespace lockscope::ui
