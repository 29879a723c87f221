#include "ui/models/run/trace_opener.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr std::size_t kEventsPerStopCheck = 4096; // events between two checks of the stop token
}

TraceOpener::TraceOpener(std::shared_ptr<const trace::TraceStore> store, std::size_t count)
    : m_count(count)
    , m_cursor(std::make_unique<replay::TraceCursor>(std::move(store)))
    , m_thread([this](const std::stop_token& stop) { fold(stop); })
{}

double TraceOpener::progress() const
{
    return m_count == 0 ? 1.0 : static_cast<double>(m_at.load()) / static_cast<double>(m_count);
}

std::unique_ptr<replay::TraceCursor> TraceOpener::takeCursor()
{
    m_thread.join();
    return std::move(m_cursor);
}

void TraceOpener::fold(const std::stop_token& stop)
{
    for (std::size_t at = 0; at < m_count && !stop.stop_requested(); m_at = at) {
        at = std::min(at + kEventsPerStopCheck, m_count);
        m_cursor->seek(at);
    }
}

} // namespace lockscope::ui
