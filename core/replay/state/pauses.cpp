#include "core/replay/state/pauses.h"

#include <algorithm>

namespace lockscope::replay {

Duration lengthOf(TraceTime begin, TraceTime end)
{
    Duration::rep length = 0;
    const bool nonsense = __builtin_sub_overflow(end.count(), begin.count(), &length);
    return Duration(nonsense || length < 0 ? 0 : length);
}

void Pauses::change(TraceTime at, bool paused)
{
    const bool before = !m_all.empty() && m_all.back().end == kForever;
    if (before == paused)
        return;
    if (paused)
        m_all.push_back({at, kForever, until(at)});
    else
        m_all.back().end = std::max(at, m_all.back().begin);
}

Duration Pauses::until(TraceTime time) const
{
    const auto after = std::partition_point(m_all.begin(), m_all.end(),
                                            [time](const Pause& pause) { return pause.begin < time; });
    if (after == m_all.begin())
        return {};
    const Pause& last = *std::prev(after);
    return last.before + lengthOf(last.begin, std::min(last.end, time));
}

Duration Pauses::running(TraceTime begin, TraceTime end) const
{
    const Duration length = lengthOf(begin, end);
    return m_all.empty() ? length
                         : std::max(Duration{}, length - (until(std::max(begin, end)) - until(begin)));
}

} // namespace lockscope::replay
