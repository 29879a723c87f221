#include "core/exports/tables.h"

#include "core/exports/text_format.h"
#include "core/replay/state/statistics.h"
#include "core/trace/event_fields.h"

#include <fmt/core.h>

#include <iterator>
#include <unordered_set>
#include <vector>

namespace lockscope::exports {

namespace {

constexpr double kFoldingForTables = 0.8; // share of the work

struct ClientSums
{
    Duration waited{}, held{}, stale{};
    std::uint64_t waits = 0;
};

// Adds up the spans of a lane at the finest resolution (1 ns), so that each counts exactly.
ClientSums sumsOf(const replay::Timeline& timeline, ClientId client, std::vector<replay::Span>& spans)
{
    ClientSums sums;
    const TraceTime end = timeline.end() + Duration(1);
    const auto length = [&](const replay::Span& span) {
        return std::min(span.end, timeline.end()) - span.begin;
    };
    const auto running = [&](const replay::Span& span) {
        return timeline.running(span.begin, std::min(span.end, timeline.end()));
    };
    spans.clear();
    timeline.spans(client, TraceTime::zero(), end, Duration(1), spans);
    timeline.spans(client, TraceTime::zero(), end, Duration(1), spans, replay::LaneRow::waitsDuringHold);
    std::unordered_set<EventIndex> waits; // a hold may split a wait into several spans
    for (const replay::Span& span : spans) {
        if (span.kind == replay::SpanKind::waiting) {
            sums.waited += running(span);
            waits.insert(span.beginEvent);
        } else if (span.kind == replay::SpanKind::holding) {
            sums.held += running(span);
        }
    }
    sums.waits = waits.size();
    spans.clear();
    timeline.spans(client, TraceTime::zero(), end, Duration(1), spans, replay::LaneRow::overlays);
    for (const replay::Span& span : spans)
        if (span.kind == replay::SpanKind::stale)
            sums.stale += length(span);
    return sums;
}

} // namespace

bool handoffsCsv(const ExportSource& source, const ExportSink& out)
{
    const std::optional<FoldedTrace> folded = foldTrace(source, out, kFoldingForTables);
    if (!folded)
        return false;
    const replay::RunState& state = folded->state;
    ExportWriter writer(out);
    writer.text() +=
        "number,lock,from,to,released_us,delete_sent_us,committed_us,woken_us,listed_us,acquired_us,"
        "latency_us,release_event,woken_event,acquired_event\n";
    const auto event = [](EventIndex index) {
        return index.valid() ? std::to_string(index.value) : std::string();
    };
    const std::size_t count = folded->timeline.handoffCount();
    for (std::size_t i = 0; i < count; ++i) {
        const replay::Handoff& one = folded->timeline.handoff(i);
        fmt::format_to(std::back_inserter(writer.text()), "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                       i + 1, csvCell(lockPath(state, one.lock)), csvCell(clientName(state, one.from)),
                       csvCell(clientName(state, one.to)), microseconds(one.released),
                       microseconds(one.requested), microseconds(one.committed), microseconds(one.woken),
                       microseconds(one.listed), microseconds(one.acquired), microseconds(one.latency()),
                       event(one.releaseEvent), event(one.wokenEvent), event(one.acquiredEvent));
        if (!writer.step(kFoldingForTables +
                         (1 - kFoldingForTables) * static_cast<double>(i) / static_cast<double>(count)))
            return false;
    }
    return writer.finish();
}

bool clientsCsv(const ExportSource& source, const ExportSink& out)
{
    const std::optional<FoldedTrace> folded = foldTrace(source, out, kFoldingForTables);
    if (!folded)
        return false;
    const replay::RunState& state = folded->state;
    ExportWriter writer(out);
    writer.text() += "client,name,process,session,acquired,failed,waits,waited_us,held_us,stale_us\n";
    std::vector<replay::Span> spans;
    for (const replay::ClientRow& row : state.clients) {
        const ClientSums sums = sumsOf(folded->timeline, row.id, spans);
        fmt::format_to(std::back_inserter(writer.text()), "{},{},{},{},{},{},{},{},{},{}\n", row.id.value,
                       csvCell(clientName(state, row.id)), csvCell(row.process), trace::nameOf(row.session),
                       row.acquired, row.failed, sums.waits, microseconds(sums.waited),
                       microseconds(sums.held), microseconds(sums.stale));
        const double share = kFoldingForTables + (1 - kFoldingForTables) * row.id.value /
                                                     static_cast<double>(state.clients.size());
        if (!writer.step(share) || !out.reportProgress(share)) // a long lane takes long to add up
            return false;
    }
    return writer.finish();
}

} // namespace lockscope::exports
