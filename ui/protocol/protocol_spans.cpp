#include "ui/protocol/protocol_spans.h"

#include <algorithm>

namespace lockscope::ui {

using replay::Span;
using replay::SpanKind;

namespace {

void note(std::vector<Span>& spans, const Span& span, TraceTime now)
{
    if (span.kind == SpanKind::none || span.begin > now)
        return;
    if (spans.empty() || spans.back().begin != span.begin || spans.back().kind != span.kind)
        spans.push_back(span);
}

} // namespace

ProtocolSpans::ProtocolSpans(const ProtocolInput& input, const std::vector<TraceTime>& moments)
    : m_lanes(input.lanes.size())
    , m_now(input.now)
{
    if (!input.timeline)
        return;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        const ClientId client = input.lanes[lane].client;
        std::vector<Span> releases, overlays;
        TraceTime seen = TraceTime::min();
        for (const TraceTime moment : moments) {
            if (moment == seen)
                continue;
            seen = moment;
            const Span release = input.timeline->spanAt(client, moment, replay::LaneRow::releases);
            // There may be no moment between the acquire and the release: the hold is queried separately.
            if (release.kind != SpanKind::none &&
                (releases.empty() || releases.back().begin != release.begin))
                note(m_lanes[lane], input.timeline->spanAt(client, release.begin - Duration(1)), m_now);
            note(releases, release, m_now);
            note(m_lanes[lane], input.timeline->spanAt(client, moment), m_now);
            note(overlays, input.timeline->spanAt(client, moment, replay::LaneRow::overlays), m_now);
        }
        for (const std::vector<Span>& more : {releases, overlays})
            m_lanes[lane].insert(m_lanes[lane].end(), more.begin(), more.end());
    }
}

bool ProtocolSpans::any(std::size_t lane, TraceTime from, TraceTime to) const
{
    return std::any_of(m_lanes[lane].begin(), m_lanes[lane].end(), [&](const Span& span) {
        return span.begin <= to && std::min(span.end, m_now) >= from;
    });
}

} // namespace lockscope::ui
