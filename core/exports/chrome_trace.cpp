#include "core/exports/chrome_trace.h"

#include "core/exports/text_format.h"
#include "core/trace/event_fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockscope::exports {

namespace {

constexpr double kFoldingForChrome = 0.5, kSpans = 0.7,
                 kArrows = 0.8; // shares of the work done after each part
constexpr std::uint32_t kRunThread = 1;

std::uint64_t threadOf(ClientId client)
{
    return client.valid() ? std::uint64_t{client.value} + 2 : kRunThread;
}

// A span on a thread, or a piece of one.
struct Stretch
{
    TraceTime begin, end;
    replay::SpanKind kind;
    std::uint16_t depth; // after a re-entry; 0: not a re-entry
    LockId lock;
    EventIndex event;
    bool canGrow;
};

std::string_view nameOf(const Stretch& stretch)
{
    switch (stretch.kind) {
    case replay::SpanKind::waiting:
        return "waits";
    case replay::SpanKind::releasing:
        return "releasing";
    case replay::SpanKind::holding:
        return stretch.depth > 0 ? "re-entered" : "holds";
    case replay::SpanKind::suspended:
        return "suspended";
    case replay::SpanKind::frozen:
        return "frozen";
    case replay::SpanKind::stale:
        return "stale: believes to hold";
    case replay::SpanKind::none:
        break;
    }
    return "";
}

class ChromeWriter
{
public:
    ChromeWriter(const ExportSource& source, const FoldedTrace& folded, const ExportSink& out)
        : m_source(source)
        , m_folded(folded)
        , m_writer(out)
    {}
    bool write();

private:
    void head();
    bool lane(ClientId client);
    void stretch(ClientId client, const Stretch& stretch);
    bool handoffs();
    bool instants();
    bool record(double share);
    template <class... T>
    void put(fmt::format_string<T...> format, T&&... values)
    {
        fmt::format_to(std::back_inserter(m_writer.text()), format, std::forward<T>(values)...);
    }
    void thread(std::uint64_t id, const std::string& name);

    const ExportSource& m_source;
    const FoldedTrace& m_folded;
    ExportWriter m_writer;
    bool m_first = true;
};

// Begins the next record of the list; false: stop.
bool ChromeWriter::record(double share)
{
    const bool reportProgress = m_writer.step(share);
    m_writer.text() += m_first ? "\n" : ",\n";
    m_first = false;
    return reportProgress;
}

void ChromeWriter::thread(std::uint64_t id, const std::string& name)
{
    record(kFoldingForChrome);
    put(R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})", id, jsonText(name));
    record(kFoldingForChrome);
    put(R"({{"ph":"M","pid":1,"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})", id, id);
}

void ChromeWriter::head()
{
    const trace::Header& header = m_source.store.header();
    put(R"({{"displayTimeUnit":"ms","otherData":{{"program":"LockScope","scenario":{},"title":{},"seed":"{}"}},"traceEvents":[)",
        jsonText(header.scenario), jsonText(header.title), header.seed);
    record(kFoldingForChrome);
    put(R"({{"ph":"M","pid":1,"tid":{},"name":"process_name","args":{{"name":{}}}}})", kRunThread,
        jsonText(header.scenario.empty() ? "LockScope" : "LockScope: " + header.scenario));
    thread(kRunThread, "the run");
    for (const replay::ClientRow& row : m_folded.state.clients)
        thread(threadOf(row.id), clientName(m_folded.state, row.id));
}

void ChromeWriter::stretch(ClientId client, const Stretch& stretch)
{
    put(R"({{"ph":"X","pid":1,"tid":{},"cat":"lock","name":"{}","ts":{},"dur":{},"args":{{)",
        threadOf(client), nameOf(stretch), microseconds(stretch.begin),
        microseconds(stretch.end - stretch.begin));
    put(R"("event":{})", stretch.event.valid() ? static_cast<std::int64_t>(stretch.event.value) : -1);
    if (stretch.lock.valid())
        put(R"(,"lock":{})", jsonText(lockPath(m_folded.state, stretch.lock)));
    if (stretch.depth > 0)
        put(R"(,"depth":{})", stretch.depth);
    if (stretch.canGrow)
        put(R"(,"goes_on":true)");
    m_writer.text() += "}}";
}

// Splits `inner` at the edges of `outer`, so that each piece lies within one stretch of `outer` or between
// two.
std::vector<Stretch> cutAt(const std::vector<Stretch>& outer, const std::vector<Stretch>& inner)
{
    std::vector<TraceTime> edges;
    for (const Stretch& each : outer) {
        edges.push_back(each.begin);
        edges.push_back(each.end);
    }
    std::sort(edges.begin(), edges.end());
    std::vector<Stretch> pieces;
    for (Stretch each : inner) {
        auto edge = std::upper_bound(edges.begin(), edges.end(), each.begin);
        for (; edge != edges.end() && *edge < each.end; ++edge) {
            if (*edge == each.begin)
                continue;
            Stretch piece = each;
            piece.end = *edge;
            pieces.push_back(piece);
            each.begin = *edge;
        }
        pieces.push_back(each);
    }
    return pieces;
}

bool ChromeWriter::lane(ClientId client)
{
    const replay::Timeline& timeline = m_folded.timeline;
    const TraceTime end = timeline.end();
    const auto clipped = [&](TraceTime begin, TraceTime until, replay::SpanKind kind, std::uint16_t depth,
                             LockId lock, EventIndex event) {
        return Stretch{
            begin, std::max(begin, std::min(until, end)), kind, depth, lock, event, until == kForever};
    };
    std::vector<replay::Span> spans, releases, overlays;
    std::vector<replay::DepthSpan> depths;
    timeline.spans(client, TraceTime::zero(), end + Duration(1), Duration(1), spans);
    timeline.spans(client, TraceTime::zero(), end + Duration(1), Duration(1), releases,
                   replay::LaneRow::releases);
    timeline.spans(client, TraceTime::zero(), end + Duration(1), Duration(1), overlays,
                   replay::LaneRow::overlays);
    timeline.depths(client, TraceTime::zero(), end + Duration(1), Duration(1), depths);

    std::vector<Stretch> all, deeper, after, over;
    const auto collect = [&](const std::vector<replay::Span>& from, std::vector<Stretch>& into) {
        for (const replay::Span& span : from)
            if (span.kind != replay::SpanKind::none && span.begin <= end)
                into.push_back(clipped(span.begin, span.end, span.kind, 0, span.lock, span.beginEvent));
    };
    collect(spans, all);
    collect(releases, after);
    collect(overlays, over);
    for (const replay::DepthSpan& span : depths)
        if (span.begin <= end)
            deeper.push_back(clipped(span.begin, span.end, replay::SpanKind::holding, span.depth,
                                     LockId::none(), span.beginEvent));
    for (std::vector<Stretch>* next : {&deeper, &after, &over}) {
        const std::vector<Stretch> pieces = cutAt(all, *next);
        all.insert(all.end(), pieces.begin(), pieces.end());
    }
    // Of stretches that begin together, the longest comes first and encloses the others.
    std::stable_sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    for (const Stretch& each : all) {
        if (!record(kFoldingForChrome +
                    (kSpans - kFoldingForChrome) * client.value / static_cast<double>(timeline.laneCount())))
            return false;
        stretch(client, each);
    }
    return true;
}

bool ChromeWriter::handoffs()
{
    const replay::Timeline& timeline = m_folded.timeline;
    for (std::size_t i = 0; i < timeline.handoffCount(); ++i) {
        const replay::Handoff& one = timeline.handoff(i);
        if (!one.from.valid() || !one.to.valid())
            continue;
        // An arrow must start within a complete event. If the hold ends at that moment, it starts 1 ns
        // earlier.
        TraceTime from = one.released;
        if (timeline.spanAt(one.from, from).kind != replay::SpanKind::holding && from > TraceTime::zero())
            from -= Duration(1);
        const double share = kSpans + (kArrows - kSpans) * static_cast<double>(i) /
                                          static_cast<double>(timeline.handoffCount());
        if (!record(share))
            return false;
        put(R"({{"ph":"s","pid":1,"tid":{},"cat":"handoff","name":"handoff","id":{},"ts":{}}})",
            threadOf(one.from), i + 1, microseconds(from));
        record(share);
        put(R"({{"ph":"f","bp":"e","pid":1,"tid":{},"cat":"handoff","name":"handoff","id":{},"ts":{},"args":{{"latency_us":{}}}}})",
            threadOf(one.to), i + 1, microseconds(one.acquired), microseconds(one.latency()));
    }
    return true;
}

bool ChromeWriter::instants()
{
    std::vector<replay::Mark> marks;
    m_folded.timeline.marks(TraceTime::zero(), kForever, m_source.count + 1, marks);
    for (const replay::Mark& mark : marks) {
        record(kArrows);
        put(R"({{"ph":"i","s":"{}","pid":1,"tid":{},"cat":"mark","name":{},"ts":{},"args":{{"event":{}}}}})",
            mark.client.valid() ? 't' : 'p', threadOf(mark.client), jsonText(mark.name()),
            microseconds(mark.at), mark.event.value);
    }
    for (std::size_t i = 0; i < m_source.count; ++i) {
        const trace::Event& event = m_source.store.at(i);
        const auto* fired = std::get_if<trace::WatchFired>(&event.what);
        if (!fired)
            continue;
        if (!record(kArrows + (1 - kArrows) * static_cast<double>(i) / static_cast<double>(m_source.count)))
            return false;
        put(R"({{"ph":"i","s":"t","pid":1,"tid":{},"cat":"watch","name":"watch: {}","ts":{},"args":{{"node":{},"event":{}}}}})",
            threadOf(event.client), trace::nameOf(fired->kind), microseconds(event.at), jsonText(fired->node),
            i);
    }
    return true;
}

bool ChromeWriter::write()
{
    head();
    for (const replay::ClientRow& row : m_folded.state.clients)
        if (!lane(row.id))
            return false;
    if (!handoffs() || !instants())
        return false;
    m_writer.text() += "\n]}\n";
    return m_writer.finish();
}

} // namespace

bool chromeTrace(const ExportSource& source, const ExportSink& out)
{
    const std::optional<FoldedTrace> folded = foldTrace(source, out, kFoldingForChrome);
    return folded && ChromeWriter(source, *folded, out).write();
}

} // namespace lockscope::exports
