#include "core/replay/timeline/timeline.h"

#include "core/replay/fold/facts.h"
#include "core/replay/timeline/lane.h"
#include "core/replay/timeline/lock_holders.h"
#include "core/trace/command_verb.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <vector>

namespace lockscope::replay {

namespace {

// The index of the first element whose key is not less than `key`.
template <class List, class Key, class KeyOf>
std::size_t firstFrom(const List& list, Key key, KeyOf keyOf)
{
    return static_cast<std::size_t>(std::ranges::lower_bound(list, key, {}, keyOf) - list.begin());
}

// At most `most` of the elements whose time is in [begin, end): all of them, or every 2nd, 4th, ... of the
// whole list, so that a scrolling picture keeps showing the same elements.
template <class List, class TimeOf>
void thinned(const List& list, TimeOf timeOf, TraceTime begin, TraceTime end, std::size_t most, auto& out)
{
    const std::size_t first = firstFrom(list, begin, timeOf);
    const std::size_t last = firstFrom(list, end, timeOf);
    if (first >= last || most == 0)
        return;
    const std::size_t stride = std::bit_ceil((last - first + most - 1) / most);
    for (std::size_t i = (first + stride - 1) / stride * stride; i < last; i += stride)
        out.push_back(list[i]);
}

// The first `most` of the stretches that touch [begin, end).
void touching(const std::vector<Stretch>& list, TraceTime begin, TraceTime end, std::size_t most,
              std::vector<Stretch>& out)
{
    auto one = std::ranges::upper_bound(list, begin, {}, &Stretch::end);
    for (; one != list.end() && one->begin < end && most > 0; ++one, --most)
        out.push_back(*one);
}

} // namespace

struct Timeline::Impl
{
    const Lane& laneOf(ClientId client) const // an empty lane if the client has none
    {
        static const Lane none;
        return client.value < lanes.size() ? lanes[client.value] : none;
    }
    void update(const ClientRow& client, EventIndex by);
    void mark(Mark::Kind kind, EventIndex by, ClientId client, trace::Text verb = {})
    {
        marks.push_back({at, by, client, kind, verb});
    }
    void serverChanged(trace::ServerPhase phase, EventIndex by);

    TraceTime at{};
    std::deque<Lane> lanes; // index = ClientId
    std::vector<EventIndex> clientsAdded;
    std::deque<Handoff> handoffs;
    std::vector<std::uint32_t> wakeUps; // by the number of the ended hold
    std::vector<Mark> marks;
    LockHolders holders;
    Stretches outages, pauses;

    std::size_t holding = 0, waiting = 0, stale = 0; // number of lanes
    Stretches held, awaited, wrong;
};

void Timeline::Impl::update(const ClientRow& client, EventIndex by)
{
    Lane& lane = lanes[client.id.value];
    const bool hadHeld = lane.holds(), waited = lane.waits(), wasStale = lane.isStale();
    lane.update(client, at, by);
    const auto count = [&](std::size_t& lanesDoing, Stretches& track, bool before, bool now) {
        if (before == now)
            return;
        lanesDoing += now ? 1 : std::size_t(-1);
        track.set(lanesDoing > 0, at);
    };
    count(holding, held, hadHeld, lane.holds());
    count(waiting, awaited, waited, lane.waits());
    if (waited != lane.waits())
        holders.setWaiting(at, static_cast<std::uint32_t>(waiting));
    count(stale, wrong, wasStale, lane.isStale());
}

void Timeline::Impl::serverChanged(trace::ServerPhase phase, EventIndex by)
{
    const bool down = phase == trace::ServerPhase::down;
    if (down == outages.isOpen() || (!down && phase != trace::ServerPhase::ready))
        return;
    mark(down ? Mark::Kind::serverDown : Mark::Kind::serverReady, by, ClientId::none());
    outages.set(down, at);
}

trace::Text Mark::name() const
{
    switch (kind) {
    case Kind::command:
        break;
    case Kind::sessionGone:
        return "session_gone";
    case Kind::serverDown:
        return "server_down";
    case Kind::serverReady:
        return "server_ready";
    case Kind::refused:
        return "resource_refused";
    case Kind::usedLate:
        return "resource_used_late";
    }
    return verb;
}

Timeline::Timeline()
    : m_impl(std::make_unique<Impl>())
{}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline& Timeline::operator=(Timeline&&) noexcept = default;

void Timeline::apply(const trace::TraceStore& store, std::size_t index, const RunState& state,
                     const Facts& facts)
{
    Impl& d = *m_impl;
    const trace::Event& event = store.at(index);
    const EventIndex self{static_cast<std::uint32_t>(index)};
    d.at = std::max(d.at, event.at);
    if (d.lanes.size() != state.clients.size())
        d.lanes.resize(state.clients.size());
    for (const ClientId client : facts.clients)
        d.update(state.clients[client.value], self);
    if (facts.handedOver)
        d.handoffs.push_back(*facts.handedOver);
    if (facts.woken) {
        d.wakeUps.resize(std::max<std::size_t>(d.wakeUps.size(), *facts.woken + 1));
        ++d.wakeUps[*facts.woken];
    }
    d.holders.apply(event, self, d.at, facts);
    if (facts.lostSession)
        d.mark(Mark::Kind::sessionGone, self, *facts.lostSession);
    if (const auto* run = std::get_if<trace::RunPhaseChanged>(&event.what)) {
        d.pauses.set(run->phase == trace::RunPhase::paused, d.at);
    } else if (const auto* server = std::get_if<trace::ServerState>(&event.what)) {
        d.serverChanged(server->phase, self);
    } else if (const auto* command = std::get_if<trace::Command>(&event.what)) {
        if (!trace::isRoutine(trace::commandKind(command->verb)))
            d.mark(Mark::Kind::command, self, event.client, command->verb);
    } else if (const auto* use = std::get_if<trace::ResourceUse>(&event.what)) {
        if (use->action == trace::ResourceAction::refused)
            d.mark(Mark::Kind::refused, self, event.client);
        else if (facts.usedLate)
            d.mark(Mark::Kind::usedLate, self, event.client);
    } else if (std::holds_alternative<trace::ClientAdded>(event.what) && event.client.valid()) {
        d.clientsAdded.push_back(self);
    }
}

TraceTime Timeline::end() const { return m_impl->at; }

std::size_t Timeline::laneCount() const { return m_impl->lanes.size(); }

const std::vector<EventIndex>& Timeline::clientsAdded() const { return m_impl->clientsAdded; }

void Timeline::spans(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                     std::vector<Span>& out, LaneRow row) const
{
    m_impl->laneOf(lane).row(row).condense(begin, end, resolution, out);
}

void Timeline::depths(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                      std::vector<DepthSpan>& out) const
{
    std::vector<Span> level;
    for (const SpanPyramid& row : m_impl->laneOf(lane).depths()) {
        level.clear();
        row.condense(begin, end, resolution, level);
        for (const Span& span : level)
            out.push_back({span.begin, span.end, span.depth, span.beginEvent});
    }
}

Span Timeline::spanAt(ClientId lane, TraceTime at, LaneRow row) const
{
    const StoredSpan* span = m_impl->laneOf(lane).row(row).at(at);
    return !span ? Span{} : Span{span->begin, span->end,  span->kind,       span->depth,
                                 1,           span->lock, span->beginEvent, span->endEvent};
}

std::uint16_t Timeline::depthAt(ClientId lane, TraceTime at) const
{
    std::uint16_t depth = 1;
    for (const SpanPyramid& row : m_impl->laneOf(lane).depths())
        if (const StoredSpan* level = row.at(at))
            depth = std::max(depth, level->depth);
    return depth;
}

void Timeline::handoffs(TraceTime begin, TraceTime end, std::size_t most, std::vector<Handoff>& out) const
{
    thinned(m_impl->handoffs, &Handoff::acquired, begin, end, most, out);
}

std::size_t Timeline::handoffCount() const { return m_impl->handoffs.size(); }

std::size_t Timeline::handoffsBefore(TraceTime time) const
{
    return firstFrom(m_impl->handoffs, time, &Handoff::acquired);
}

const Handoff& Timeline::handoff(std::size_t index) const { return m_impl->handoffs.at(index); }

std::optional<std::size_t> Timeline::handoffAt(EventIndex acquired) const
{
    const std::size_t found = firstFrom(m_impl->handoffs, acquired, &Handoff::acquiredEvent);
    if (found == handoffCount() || handoff(found).acquiredEvent != acquired)
        return std::nullopt;
    return found;
}

std::uint32_t Timeline::wakeUps(const Handoff& handoff) const
{
    return handoff.ended < m_impl->wakeUps.size() ? m_impl->wakeUps[handoff.ended] : 0;
}

void Timeline::marks(TraceTime begin, TraceTime end, std::size_t most, std::vector<Mark>& out) const
{
    thinned(m_impl->marks, &Mark::at, begin, end, most, out);
}

void Timeline::outages(TraceTime begin, TraceTime end, std::size_t most, std::vector<Stretch>& out) const
{
    touching(m_impl->outages.all(), begin, end, most, out);
}

void Timeline::pauses(TraceTime begin, TraceTime end, std::size_t most, std::vector<Stretch>& out) const
{
    touching(m_impl->pauses.all(), begin, end, most, out);
}

const LockHolders& Timeline::holders() const { return m_impl->holders; }

Duration Timeline::running(TraceTime begin, TraceTime end) const
{
    return m_impl->pauses.without(begin, end);
}

std::vector<Timeline::Overview> Timeline::overview(std::size_t steps) const
{
    std::vector<Overview> result(steps);
    const double end = static_cast<double>(m_impl->at.count());
    if (end <= 0)
        return result;
    const auto edge = [&](std::size_t step) {
        return step == steps ? m_impl->at
                             : TraceTime(static_cast<std::int64_t>(end * double(step) / double(steps)));
    };
    for (std::size_t i = 0; i < steps; ++i) {
        const TraceTime from = edge(i);
        const TraceTime to = edge(i + 1);
        const auto share = [&](const Stretches& track) {
            const Duration covered = track.until(to) - track.until(from);
            return to > from ? static_cast<float>(double(covered.count()) / double((to - from).count()))
                             : 0.0F;
        };
        result[i] = {share(m_impl->held), share(m_impl->awaited), m_impl->wrong.touches(from, to)};
    }
    return result;
}

std::size_t Timeline::memoryBytes() const
{
    const Impl& all = *m_impl;
    std::size_t bytes = sizeof(Impl);
    for (const Lane& lane : all.lanes)
        bytes += lane.memoryBytes();
    bytes += all.handoffs.size() * sizeof(Handoff) + all.marks.capacity() * sizeof(Mark) +
             all.outages.memoryBytes() + all.holders.memoryBytes() +
             all.clientsAdded.capacity() * sizeof(EventIndex);
    return bytes + all.wakeUps.capacity() * sizeof(all.wakeUps[0]) + all.held.memoryBytes() +
           all.awaited.memoryBytes() + all.wrong.memoryBytes() + all.pauses.memoryBytes();
}

} // namespace lockscope::replay
