#include "ui/timeline/lock_holders.h"

#include "core/base/recipe.h"

#include <algorithm>

namespace lockscope::ui {

using replay::Span;
using replay::SpanKind;

namespace {

constexpr std::size_t kEventsPerClockCheck = 256; // between two checks of the clock

bool lasts(const LockHolders::Hold& hold, TraceTime at) { return hold.begin <= at && at < hold.end; }

} // namespace

void LockHolders::clear() { *this = LockHolders(); }

bool LockHolders::readMore(const trace::TraceStore& store, std::size_t drained,
                           const replay::Timeline& timeline, Duration budget)
{
    m_timeline = &timeline;
    const auto deadline = MonotonicClock::now() + budget;
    while (m_read < drained) {
        const trace::Event& event = store.at(m_read);
        std::visit([&](const auto& what) { apply(event, m_read, what); }, event.what);
        if (++m_read % kEventsPerClockCheck == 0 && MonotonicClock::now() >= deadline)
            break;
    }
    m_timeline = nullptr;
    return m_read >= drained;
}

LockHolders::Lock* LockHolders::lockOf(LockId id)
{
    if (!id.valid())
        return nullptr;
    while (m_locks.size() <= id.value)
        m_locks.push_back({LockId{static_cast<std::uint16_t>(m_locks.size())}, {}, {}, false});
    return &m_locks[id.value];
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::LockAdded& added)
{
    Lock* lock = lockOf(event.lock);
    if (!lock)
        return;
    lock->path = added.path;
    lock->watched = recipeOf(added.recipe) == Recipe::watched;
}

// From a transaction log, which does not record holders: the first in the queue holds.
void LockHolders::apply(const trace::Event& event, std::size_t index, const trace::Decided& decided)
{
    const Lock* lock = decided.position == 0 ? lockOf(event.lock) : nullptr;
    if (lock && lock->watched)
        apply(event, index, trace::Acquired{decided.node, Zxid::none(), OwnerId::none()});
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::NodeVanished& vanished)
{
    if (event.client.valid())
        closeFor(event, vanished.node, OwnerId::none());
}

void LockHolders::apply(const trace::Event& event, std::size_t index, const trace::Acquired& acquired)
{
    Lock* lock = lockOf(event.lock);
    if (!lock || !event.client.valid())
        return;
    // Ends the hold of a client that lost the lock without noticing, and a hold of the same node whose end is
    // missing in the trace.
    closeIf(event.at, [&](const Open& open) {
        const bool same =
            open.client == event.client && open.node == acquired.node && open.owner == acquired.owner;
        return open.lock == event.lock.value && (same || stale(open, event.at));
    });
    auto track = std::ranges::find_if(
        lock->tracks, [](const Track& one) { return one.empty() || one.back().end != kForever; });
    if (track == lock->tracks.end())
        track = lock->tracks.emplace(track);
    track->push_back({event.at, kForever, event.client, EventIndex{static_cast<std::uint32_t>(index)}});
    m_open.push_back({event.lock.value, static_cast<std::size_t>(track - lock->tracks.begin()), event.client,
                      acquired.node, acquired.owner});
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::ReleaseCalled& called)
{
    if (called.depth <= 1)
        closeFor(event, called.node, called.owner);
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::Released& released)
{
    if (released.depth == 0)
        closeFor(event, released.node, released.owner);
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::HoldLost& lost)
{
    closeFor(event, lost.node, lost.owner);
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::SessionState& state)
{
    if (state.phase == trace::SessionPhase::lost || state.phase == trace::SessionPhase::closed)
        closeIf(event.at, [&](const Open& open) { return open.client == event.client; });
}

void LockHolders::apply(const trace::Event& event, std::size_t, const trace::ClientRemoved&)
{
    closeIf(event.at, [&](const Open& open) { return open.client == event.client; });
}

// Closes the hold of the node or, where the node is unknown, that of the owner.
void LockHolders::closeFor(const trace::Event& event, trace::Text node, OwnerId owner)
{
    const auto open = std::ranges::find_if(m_open, [&](const Open& one) {
        const bool named = !node.empty() && !one.node.empty();
        return one.lock == event.lock.value && one.client == event.client &&
               (named ? one.node == node : one.owner == owner);
    });
    if (open == m_open.end())
        return;
    close(*open, event.at);
    m_open.erase(open);
}

template <class Test>
void LockHolders::closeIf(TraceTime at, Test test)
{
    std::erase_if(m_open, [&](const Open& open) {
        const bool over = test(open);
        if (over)
            close(open, at);
        return over;
    });
}

bool LockHolders::stale(const Open& open, TraceTime at) const
{
    return m_timeline->overlayAt(open.client, at).kind == SpanKind::stale;
}

void LockHolders::close(const Open& open, TraceTime at)
{
    Hold& hold = m_locks[open.lock].tracks[open.track].back();
    const Span belief = m_timeline->overlayAt(open.client, std::max(hold.begin, at - Duration(1)));
    hold.end = belief.kind == SpanKind::stale ? std::clamp(belief.begin, hold.begin, at) : at;
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

} // namespace lockscope::ui
