#include "ui/timeline/lane_rows.h"

#include <algorithm>

namespace lockscope::ui {

using replay::Span;
using replay::SpanKind;

namespace {

constexpr int kSamplePoints = 64; // parts of the time range, each checked for a state

// Queries one lane after the other; reuses its memory.
class LaneStateQuery
{
public:
    LaneStateQuery(const replay::Timeline& timeline, TraceTime begin, TraceTime end)
        : m_timeline(timeline)
        , m_begin(begin)
        , m_end(std::max(end, begin + Duration(1)))
        , m_step(std::max(Duration(1), (m_end - m_begin) / kSamplePoints))
    {}
    template <class Test>
    bool any(ClientId lane, Test test)
    {
        m_spans.clear();
        m_timeline.spans(lane, m_begin, m_end, m_step, m_spans);
        m_timeline.spans(lane, m_begin, m_end, m_step, m_spans, replay::LaneRow::waitsDuringHold);
        m_timeline.spans(lane, m_begin, m_end, m_step, m_spans, replay::LaneRow::overlays);
        return std::ranges::any_of(m_spans, [&](const Span& span) {
            return span.kind != SpanKind::none && span.begin < m_end && test(span);
        });
    }

private:
    const replay::Timeline& m_timeline;
    TraceTime m_begin, m_end;
    Duration m_step;
    std::vector<Span> m_spans;
};

bool does(LaneFilter::State state, SpanKind kind)
{
    switch (state) {
    case LaneFilter::State::any:
        return true;
    case LaneFilter::State::waits:
        return kind == SpanKind::waiting;
    case LaneFilter::State::holds:
        return kind == SpanKind::holding;
    case LaneFilter::State::trouble:
        return kind > SpanKind::holding;
    }
    return true;
}

} // namespace

LaneRows::LaneRows(std::size_t lanes)
{
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        m_row.push_back(static_cast<int>(lane));
        m_shown.push_back(ClientId{static_cast<std::uint32_t>(lane)});
    }
}

LaneRows::LaneRows(const LaneFilter& filter, const replay::Timeline& timeline, const LaneNames& names,
                   TraceTime begin, TraceTime end, const std::vector<ClientId>& order)
    : LaneRows(timeline.laneCount())
{
    if (filter.matchesAll() && order.empty())
        return;
    if (order.size() == m_shown.size())
        m_shown = order;
    LaneStateQuery ask(timeline, begin, end);
    const auto isPinned = [&](ClientId lane) { return filter.pinned.contains(lane); };
    const auto rest = std::stable_partition(m_shown.begin(), m_shown.end(), isPinned);
    m_pinned = static_cast<int>(rest - m_shown.begin());
    const auto passes = [&](ClientId lane) {
        return !filter.folded.contains(lane) &&
               (filter.name.isEmpty() || names.name(lane).contains(filter.name, Qt::CaseInsensitive)) &&
               (filter.state == LaneFilter::State::any ||
                ask.any(lane, [&](const Span& span) { return does(filter.state, span.kind); })) &&
               // A condensed span of several locks has no lock id; it may contain this lock.
               (!filter.lock.valid() || ask.any(lane, [&](const Span& span) {
                   return span.lock == filter.lock ||
                          (!span.lock.valid() && span.merged > 1 && span.kind <= SpanKind::holding);
               }));
    };
    const auto middle = std::stable_partition(rest, m_shown.end(), passes);
    m_folded.assign(middle, m_shown.end());
    m_shown.erase(middle, m_shown.end());
    for (std::size_t row = 0; row < m_shown.size(); ++row)
        m_row[m_shown[row].value] = static_cast<int>(row);
    for (const ClientId lane : m_folded)
        m_row[lane.value] = static_cast<int>(m_shown.size());
}

ClientId LaneRows::at(int row) const
{
    return row >= 0 && row < static_cast<int>(m_shown.size()) ? m_shown[static_cast<std::size_t>(row)]
                                                              : ClientId::none();
}

int LaneRows::rowOf(ClientId lane) const
{
    return lane.valid() && lane.value < m_row.size() ? m_row[lane.value] : -1;
}

} // namespace lockscope::ui
