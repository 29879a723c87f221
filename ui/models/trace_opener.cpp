#include "ui/models/trace_opener.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr std::size_t kEventsPerStopCheck = 4096; // events between two checks of the stop token
}

TraceOpener::TraceOpener(std::shared_ptr<const trace::TraceStore> store, std::size_t count)
    : m_store(std::move(store))
    , m_count(count)
    , m_cursor(std::make_unique<replay::TraceCursor>(m_store))
{
    m_cursorThread = std::jthread([this](std::stop_token stop) { foldCursor(stop); });
    m_timelineThread = std::jthread([this](std::stop_token stop) { foldTimeline(stop); });
}

double TraceOpener::progress() const
{
    if (m_count == 0)
        return 1.0;
    return static_cast<double>(m_cursorAt.load() + m_timelineAt.load()) /
           (2.0 * static_cast<double>(m_count));
}

std::unique_ptr<replay::TraceCursor> TraceOpener::takeCursor()
{
    m_cursorThread.join();
    return std::move(m_cursor);
}

replay::Timeline TraceOpener::takeTimeline()
{
    m_timelineThread.join();
    return std::move(m_timeline);
}

void TraceOpener::foldCursor(const std::stop_token& stop)
{
    for (std::size_t at = 0; at < m_count && !stop.stop_requested(); m_cursorAt = at) {
        at = std::min(at + kEventsPerStopCheck, m_count);
        m_cursor->seek(at);
    }
    ++m_finished;
}

void TraceOpener::foldTimeline(const std::stop_token& stop)
{
    for (std::size_t at = 0; at < m_count && !stop.stop_requested(); m_timelineAt = at) {
        for (const std::size_t end = std::min(at + kEventsPerStopCheck, m_count); at < end; ++at)
            m_timeline.apply(*m_store, at);
    }
    ++m_finished;
}

} // namespace lockscope::ui
