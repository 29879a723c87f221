#include "core/replay/timeline/timeline.h"

#include "core/replay/timeline/timeline_fold.h"

#include <algorithm>
#include <bit>

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

} // namespace

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
    }
    return verb;
}

Timeline::Timeline()
    : m_impl(std::make_unique<Impl>())
{}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline& Timeline::operator=(Timeline&&) noexcept = default;

void Timeline::apply(const trace::TraceStore& store, std::size_t index) { m_impl->apply(store, index); }

TraceTime Timeline::end() const { return m_impl->at; }

std::size_t Timeline::laneCount() const { return m_impl->lanes.size(); }

const std::vector<EventIndex>& Timeline::clientsAdded() const { return m_impl->clientsAdded; }

void Timeline::spans(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                     std::vector<Span>& out) const
{
    m_impl->laneOf(lane).spans().condense(begin, end, resolution, out);
}

void Timeline::overlays(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                        std::vector<Span>& out) const
{
    m_impl->laneOf(lane).overlays().condense(begin, end, resolution, out);
}

void Timeline::waitsDuringHold(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                               std::vector<Span>& out) const
{
    m_impl->laneOf(lane).waits().condense(begin, end, resolution, out);
}

void Timeline::releases(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                        std::vector<Span>& out) const
{
    m_impl->laneOf(lane).releases().condense(begin, end, resolution, out);
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

namespace {

Span spanOf(const StoredSpan* span)
{
    if (!span)
        return {};
    return {span->begin, span->end, span->kind, span->depth, 1, span->lock, span->beginEvent, span->endEvent};
}

} // namespace

Span Timeline::spanAt(ClientId lane, TraceTime at) const
{
    return spanOf(m_impl->laneOf(lane).spans().at(at));
}

Span Timeline::overlayAt(ClientId lane, TraceTime at) const
{
    return spanOf(m_impl->laneOf(lane).overlays().at(at));
}

Span Timeline::waitDuringHoldAt(ClientId lane, TraceTime at) const
{
    return spanOf(m_impl->laneOf(lane).waits().at(at));
}

Span Timeline::releaseAt(ClientId lane, TraceTime at) const
{
    return spanOf(m_impl->laneOf(lane).releases().at(at));
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
    return m_impl->finder.wakeUps(handoff.ended);
}

void Timeline::marks(TraceTime begin, TraceTime end, std::size_t most, std::vector<Mark>& out) const
{
    thinned(m_impl->marks, &Mark::at, begin, end, most, out);
}

void Timeline::outages(TraceTime begin, TraceTime end, std::size_t most, std::vector<Outage>& out) const
{
    const std::vector<Outage>& all = m_impl->outages;
    auto one = std::ranges::upper_bound(all, begin, {}, &Outage::end);
    for (; one != all.end() && one->begin < end && most > 0; ++one, --most)
        out.push_back(*one);
}

Duration Timeline::running(TraceTime begin, TraceTime end) const
{
    return m_impl->pauses.running(begin, end);
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
        const auto share = [&](const CoverageTrack& track) {
            const Duration covered = track.coveredUntil(to) - track.coveredUntil(from);
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
    std::size_t bytes = sizeof(Impl) + all.lanes.capacity() * sizeof(all.lanes[0]);
    for (const auto& lane : all.lanes)
        bytes += lane ? lane->memoryBytes() : 0;
    bytes += all.handoffs.size() * sizeof(Handoff) + all.marks.capacity() * sizeof(Mark) +
             all.outages.capacity() * sizeof(Outage) + all.clientsAdded.capacity() * sizeof(EventIndex);
    bytes += all.finder.memoryBytes() + all.held.memoryBytes() + all.awaited.memoryBytes() +
             all.wrong.memoryBytes() + all.pauses.memoryBytes();
    constexpr std::size_t entry = 64; // approximate bytes of a table entry
    return bytes + (all.holders.size() + all.sessions.size()) * entry;
}

} // namespace lockscope::replay
