#include "core/replay/timeline/lock_holders.h"

#include <algorithm>

namespace lockscope::replay {

namespace {

bool lasts(const LockHolders::Hold& hold, TraceTime at) { return hold.begin <= at && at < hold.end; }

} // namespace

LockHolders::Lock& LockHolders::of(LockId lock)
{
    while (m_locks.size() <= lock.value)
        m_locks.push_back({LockId{static_cast<LockId::Value>(m_locks.size())}});
    return m_locks[lock.value];
}

void LockHolders::apply(const trace::Event& event, EventIndex self, TraceTime at, const Facts& facts)
{
    bool known = true;
    for (const Facts::Ended& hold : facts.ended)
        known = end(hold, at) && known;
    if (facts.granted && event.lock.valid()) {
        Lock& lock = of(event.lock);
        auto track = std::ranges::find_if(
            lock.tracks, [](const Track& one) { return one.empty() || one.back().end != kForever; });
        if (track == lock.tracks.end())
            track = lock.tracks.emplace(track);
        track->push_back({at, kForever, event.client, self});
        lock.open.push_back(
            {static_cast<std::size_t>(track - lock.tracks.begin()), event.client, facts.grantedNode});
        if (!known) // the hold that began with this event
            for (const Facts::Ended& hold : facts.ended)
                end(hold, at);
    } else if (const auto* added = std::get_if<trace::LockAdded>(&event.what); added && event.lock.valid()) {
        of(event.lock).path = added->path;
    }
}

// False if no such hold is known.
bool LockHolders::end(const Facts::Ended& hold, TraceTime at)
{
    if (!hold.lock.valid() || hold.lock.value >= m_locks.size())
        return false;
    Lock& lock = m_locks[hold.lock.value];
    const auto open = std::ranges::find_if(
        lock.open, [&](const Open& one) { return one.client == hold.client && one.node == hold.node; });
    if (open == lock.open.end())
        return false;
    lock.tracks[open->track].back().end = at;
    lock.open.erase(open);
    return true;
}

std::vector<LockHolders::Hold> LockHolders::at(LockId lock, TraceTime time) const
{
    std::vector<Hold> lasting, before;
    const auto collect = [&](const Lock& from) {
        for (const Track& track : from.tracks) {
            const auto after = std::partition_point(track.begin(), track.end(),
                                                    [&](const Hold& hold) { return hold.begin <= time; });
            if (after != track.begin())
                (lasts(*std::prev(after), time) ? lasting : before).push_back(*std::prev(after));
        }
    };
    if (lock.valid() && lock.value < m_locks.size())
        collect(m_locks[lock.value]);
    if (lasting.empty() && before.empty())
        std::ranges::for_each(m_locks, collect);
    if (!lasting.empty() || before.empty())
        return lasting;
    return {*std::ranges::max_element(before, {}, &Hold::begin)};
}

void LockHolders::condense(const Track& track, TraceTime begin, TraceTime end, Duration shortest,
                           std::vector<Span>& out)
{
    const std::size_t before = out.size();
    const Duration step = std::max(shortest, Duration(1));
    const auto isShort = [&](const Hold& hold) {
        return hold.end != kForever && hold.end - hold.begin < step;
    };
    auto next =
        std::partition_point(track.begin(), track.end(), [&](const Hold& hold) { return hold.end <= begin; });
    TraceTime joinsAt{-1}; // a short hold that begins earlier extends the last block
    while (next != track.end() && next->begin < end) {
        const auto first = next;
        const TraceTime stepEnd = (first->begin / step + 1) * step;
        next = isShort(*first) ? std::partition_point(first, track.end(),
                                                      [&](const Hold& hold) { return hold.begin < stepEnd; })
                               : first + 1;
        if (next - first > 1 && !isShort(*std::prev(next)))
            --next;
        const auto count = static_cast<std::uint32_t>(next - first);
        if (isShort(*first) && out.size() > before && first->begin < joinsAt) {
            out.back().end = std::prev(next)->end;
            out.back().merged += count;
        } else {
            out.push_back({first->begin, std::prev(next)->end, SpanKind::holding, 0, count, LockId::none(),
                           first->event, EventIndex::none()});
        }
        joinsAt = isShort(*first) ? stepEnd + step : TraceTime{-1};
    }
}

std::vector<std::uint32_t> LockHolders::waiting(TraceTime begin, Duration step, std::size_t steps) const
{
    std::vector<std::uint32_t> most(steps);
    for (std::uint32_t& one : most) {
        one = m_waiting.most(begin, begin + step);
        begin += step;
    }
    return most;
}

std::size_t LockHolders::memoryBytes() const
{
    std::size_t bytes = m_locks.capacity() * sizeof(Lock) + m_waiting.memoryBytes();
    for (const Lock& lock : m_locks)
        for (const Track& track : lock.tracks)
            bytes += sizeof(Track) + track.capacity() * sizeof(Hold);
    return bytes;
}

} // namespace lockscope::replay
