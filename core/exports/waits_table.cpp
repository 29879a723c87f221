#include "core/exports/tables.h"
#include "core/exports/text_format.h"
#include "core/queue/wait_parts.h"
#include "core/replay/timeline/lock_holders.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace lockscope::exports {

namespace {

using queue::WaitEvidence;
using queue::WaitPart;
using replay::Span;
using replay::SpanKind;

constexpr double kFoldingForWaits = 0.7; // share of the work

struct Interval
{
    TraceTime begin{}, end = kForever;
};

// In which each client waited for at least one answer, by client.
std::vector<std::vector<Interval>> answersAwaited(const trace::TraceStore& store, std::size_t count,
                                                  std::size_t clients)
{
    std::vector<std::vector<Interval>> all(clients);
    std::vector<std::uint32_t> open(clients);
    for (std::size_t i = 0; i < count; ++i) {
        const trace::Event& event = store.at(i);
        if (event.client.value >= clients)
            continue;
        std::uint32_t& own = open[event.client.value];
        std::vector<Interval>& intervals = all[event.client.value];
        if (std::holds_alternative<trace::Request>(event.what) && own++ == 0)
            intervals.push_back({event.at, kForever});
        else if (std::holds_alternative<trace::Reply>(event.what) && own > 0 && --own == 0)
            intervals.back().end = event.at;
    }
    return all;
}

class WaitsTable
{
public:
    WaitsTable(const FoldedTrace& folded, const ExportSource& source)
        : m_state(folded.state)
        , m_timeline(folded.timeline)
        , m_store(source.store)
        , m_end(folded.timeline.end())
        , m_awaited(answersAwaited(source.store, source.count, folded.timeline.laneCount()))
    {
        m_timeline.outages({}, m_end + Duration(1), ~std::size_t{0}, m_outages);
    }

    void addClient(ClientId client, std::string& text)
    {
        std::map<EventIndex, Span> waits; // by their call: a hold of another lock splits one into several
        for (const replay::LaneRow row : {replay::LaneRow::spans, replay::LaneRow::waitsDuringHold})
            for (const Span& span : spansOf(client, row)) {
                if (span.kind != SpanKind::waiting)
                    continue;
                Span& wait = waits.try_emplace(span.beginEvent, span).first->second;
                wait.begin = std::min(wait.begin, span.begin);
                if (span.end >= wait.end) {
                    wait.end = span.end;
                    wait.endEvent = span.endEvent;
                }
            }
        for (const auto& [called, wait] : waits)
            addWait(client, wait, text);
    }

private:
    // Each exactly.
    std::vector<Span> spansOf(ClientId client, replay::LaneRow row, TraceTime begin = {},
                              TraceTime end = kForever) const
    {
        std::vector<Span> spans;
        m_timeline.spans(client, begin, std::min(end, m_end + Duration(1)), Duration(1), spans, row);
        return spans;
    }
    // Without the pauses of the run.
    std::int64_t running(TraceTime time) const
    {
        return m_timeline.running({}, std::min(time, m_end)).count();
    }
    void add(WaitPart part, TraceTime begin, TraceTime end, std::size_t holder = WaitEvidence::kNobody)
    {
        m_evidence.push_back({part, running(begin), running(end), holder});
    }
    void addSilences(ClientId client, WaitPart part, TraceTime begin, TraceTime end, std::size_t holder)
    {
        for (const Span& span : spansOf(client, replay::LaneRow::overlays, begin, end))
            if (span.kind == SpanKind::suspended ||
                (span.kind == SpanKind::frozen && part == WaitPart::silentHolder))
                add(part, std::max(span.begin, begin), std::min(span.end, end), holder);
    }

    void addWait(ClientId client, const Span& wait, std::string& text)
    {
        m_evidence.clear();
        const TraceTime begin = wait.begin, end = std::min(wait.end, m_end);
        std::vector<WaitPart> told{WaitPart::noServer, WaitPart::handoff, WaitPart::serverLatency};
        const replay::LockRow* lock =
            wait.lock.value < m_state.locks.size() ? &m_state.locks[wait.lock.value] : nullptr;
        if (lock && lock->permits == 1) {
            told.insert(told.end(), {WaitPart::held, WaitPart::silentHolder});
            addHolds(client, wait.lock, begin, end);
        }
        for (const replay::Stretch& outage : m_outages)
            add(WaitPart::noServer, outage.begin, outage.end);
        addSilences(client, WaitPart::noServer, begin, end, WaitEvidence::kNobody);
        const bool got =
            wait.endEvent.valid() && std::holds_alternative<trace::Acquired>(m_store.at(wait.endEvent).what);
        if (const auto handoff = got ? m_timeline.handoffAt(wait.endEvent) : std::nullopt)
            add(WaitPart::handoff, m_timeline.handoff(*handoff).released,
                m_timeline.handoff(*handoff).acquired);
        const std::vector<Interval>& awaited = m_awaited[client.value];
        auto answer = std::lower_bound(awaited.begin(), awaited.end(), begin,
                                       [](const Interval& one, TraceTime at) { return one.end < at; });
        for (; answer != awaited.end() && answer->begin < end; ++answer)
            add(WaitPart::serverLatency, answer->begin, answer->end);
        const queue::WaitSplit split = queue::splitWait(running(begin), running(end), m_evidence, told);
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", client.value,
                       csvCell(clientName(m_state, client)), csvCell(lockPath(m_state, wait.lock)),
                       microseconds(begin),
                       got                    ? "acquired"
                       : wait.end == kForever ? "waits"
                                              : "not_acquired",
                       microseconds(Duration(split.whole)));
        for (const auto& part : split.parts)
            text += ',' + (part ? microseconds(Duration(*part)) : std::string());
        text += ',';
        if (!split.holders.empty())
            text += csvCell(
                clientName(m_state, ClientId{static_cast<std::uint32_t>(split.holders.front().holder)}));
        text += '\n';
    }

    // Those of others: of several at once, as readers hold, each.
    void addHolds(ClientId client, LockId lock, TraceTime begin, TraceTime end)
    {
        for (const replay::LockHolders::Lock& one : m_timeline.holders().locks()) {
            if (one.id != lock)
                continue;
            for (const replay::LockHolders::Track& track : one.tracks) {
                auto hold = std::lower_bound(
                    track.begin(), track.end(), begin,
                    [](const replay::LockHolders::Hold& each, TraceTime at) { return each.end <= at; });
                for (; hold != track.end() && hold->begin < end; ++hold) {
                    if (hold->client == client)
                        continue;
                    add(WaitPart::held, hold->begin, hold->end, hold->client.value);
                    addSilences(hold->client, WaitPart::silentHolder, std::max(hold->begin, begin),
                                std::min(hold->end, end), hold->client.value);
                }
            }
        }
    }

    const replay::RunState& m_state;
    const replay::Timeline& m_timeline;
    const trace::TraceStore& m_store;
    const TraceTime m_end;
    const std::vector<std::vector<Interval>> m_awaited;
    std::vector<replay::Stretch> m_outages;
    std::vector<WaitEvidence> m_evidence; // of the wait at hand
};

} // namespace

bool waitsCsv(const ExportSource& source, const ExportSink& out)
{
    const std::optional<FoldedTrace> folded = foldTrace(source, out, kFoldingForWaits);
    if (!folded)
        return false;
    ExportWriter writer(out);
    writer.text() += "client,name,lock,from_us,end,wait_us";
    for (std::size_t i = 0; i < queue::kWaitParts; ++i)
        writer.text() += ',' + std::string(queue::name(static_cast<WaitPart>(i))) + "_us";
    writer.text() += ",held_longest_by\n";
    WaitsTable table(*folded, source);
    for (const replay::ClientRow& row : folded->state.clients) {
        table.addClient(row.id, writer.text());
        const double share = kFoldingForWaits + (1 - kFoldingForWaits) * row.id.value /
                                                    static_cast<double>(folded->state.clients.size());
        if (!writer.step(share) || !out.reportProgress(share))
            return false;
    }
    return writer.finish();
}

} // namespace lockscope::exports
