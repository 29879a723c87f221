#include "core/replay/state/stretches.h"

#include <algorithm>

namespace lockscope::replay {

Duration lengthOf(TraceTime begin, TraceTime end)
{
    Duration::rep length = 0;
    const bool nonsense = __builtin_sub_overflow(end.count(), begin.count(), &length);
    return Duration(nonsense || length < 0 ? 0 : length);
}

void Stretches::set(bool on, TraceTime at)
{
    if (on == isOpen())
        return;
    if (!on)
        m_all.back().end = std::max(at, m_all.back().begin);
    else if (!m_all.empty() && m_all.back().end == at)
        m_all.back().end = kForever; // continues the last one
    else if (m_all.empty())
        m_all.push_back({at});
    else
        m_all.push_back({at, kForever, m_all.back().before + lengthOf(m_all.back().begin, m_all.back().end)});
}

const Stretches::Stretch* Stretches::lastBefore(TraceTime time) const
{
    const auto after = std::ranges::lower_bound(m_all, time, {}, &Stretch::begin);
    return after == m_all.begin() ? nullptr : &*std::prev(after);
}

Duration Stretches::until(TraceTime time) const
{
    const Stretch* last = lastBefore(time);
    return last ? last->before + lengthOf(last->begin, std::min(last->end, time)) : Duration{};
}

Duration Stretches::without(TraceTime begin, TraceTime end) const
{
    const Duration length = lengthOf(begin, end);
    return m_all.empty() ? length
                         : std::max(Duration{}, length - (until(std::max(begin, end)) - until(begin)));
}

bool Stretches::touches(TraceTime begin, TraceTime end) const
{
    const Stretch* last = lastBefore(end);
    return last && (last->end > begin || last->begin >= begin);
}

} // namespace lockscope::replay
