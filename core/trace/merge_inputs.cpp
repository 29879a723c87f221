#include "core/trace/merge_inputs.h"

#include "core/base/output_file.h"
#include "core/trace/trace_stream.h"

#include <algorithm>
#include <utility>

namespace lockscope::trace {

namespace {

constexpr std::int64_t kMostNumberedSession = 1 << 20; // older traces number their sessions
const std::string kLogScenario = "history";

template <class T>
T& grown(std::vector<T>& rows, std::size_t index)
{
    if (rows.size() <= index)
        rows.resize(index + 1);
    return rows[index];
}

struct FirstLook
{
    ReadInput& in;
    const Event& event;

    void operator()(const LockAdded& e) const
    {
        InputLock& lock = grown(in.locks, event.lock.value);
        lock.path = e.path;
        lock.recipe = e.recipe;
        lock.handoff = e.handoff;
    }
    void operator()(const ClientAdded& e) const
    {
        InputClient& client = grown(in.clients, event.client.value);
        client.name = e.name;
        client.isThere = true;
    }
    void operator()(const ClientRemoved&) const { grown(in.clients, event.client.value).isThere = false; }
    void operator()(const ClientFinished&) const { grown(in.clients, event.client.value).isThere = false; }
    void operator()(const SessionState& e) const { has(e.session); }
    void operator()(const NodeSeen& e) const
    {
        if (event.client.valid())
            has(e.session);
    }
    void operator()(const Observed&) const { ++grown(in.locks, event.lock.value).lists; }
    void operator()(const WatchesRead&) const { ++in.tables; }
    void operator()(const RunPhaseChanged& e) const
    {
        in.ended.reset();
        if (e.phase != RunPhase::finished && e.phase != RunPhase::failed)
            return;
        in.ended = e.phase;
        in.cutShort = e.cutShort;
        in.detail = e.detail.encoded();
    }
    template <class Other>
    void operator()(const Other&) const
    {}

    void has(SessionId session) const
    {
        if (session.valid() && session.value != 0)
            grown(in.clients, event.client.value).sessions.insert(session);
    }
};

bool needsClient(const Payload& what)
{
    return std::holds_alternative<ClientAdded>(what) || std::holds_alternative<ClientRemoved>(what) ||
           std::holds_alternative<ClientFinished>(what) || std::holds_alternative<SessionState>(what);
}

bool needsLock(const Payload& what)
{
    return std::holds_alternative<LockAdded>(what) || std::holds_alternative<Observed>(what);
}

bool isSameRun(const Header& a, const Header& b)
{
    return a.wallNanoseconds == b.wallNanoseconds && a.monotonicNanoseconds == b.monotonicNanoseconds &&
           a.wallNanoseconds != 0 && a.scenario == b.scenario && a.scenario != kLogScenario;
}

bool numbersItsSession(const InputClient& client)
{
    return std::ranges::any_of(client.sessions, [](SessionId session) {
        return session.value > 0 && session.value <= kMostNumberedSession;
    });
}

} // namespace

Error mergeError(Message text, Message hint)
{
    return {ErrorCode::badInput, std::move(text), std::move(hint)};
}

Result<ReadInput> readMergeInput(const TraceMerger::Input& input, LoadProgress* progress)
{
    Result<std::unique_ptr<TraceStream>> stream = TraceStream::open(input.path, progress);
    if (!stream)
        return stream.error();
    ReadInput in;
    in.path = input.path;
    in.label = input.path.string();
    in.header = (*stream)->header();
    in.source.name = input.name;
    in.source.isLog = in.header.scenario == kLogScenario;
    CausalPoints points(in.source.isLog);
    while (true) {
        const Result<const Event*> next = (*stream)->next();
        if (!next)
            return next.error();
        if (!*next)
            break;
        Event event = **next;
        event.at += in.shift();
        points.add(event, in.source.events);
        if (in.source.events++ == 0)
            in.first = event.at;
        in.last = event.at;
        if ((event.client.valid() || !needsClient(event.what)) &&
            (event.lock.valid() || !needsLock(event.what)))
            std::visit(FirstLook{in, event}, event.what);
    }
    points.finish();
    in.source.isSample = points.isSample();
    in.points = std::move(points);
    if (!(*stream)->truncation().empty())
        in.source.gap = (*stream)->truncation();
    else if (!in.ended)
        in.source.gap = message("%1 ends before its run: its writer was killed, or it was still running.",
                                input.path.string());
    return in;
}

Result<void> checkMergeInputs(const std::vector<ReadInput>& inputs)
{
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ReadInput& one = inputs[i];
        if (one.source.events == 0)
            return mergeError(message("%1 has no event.", one.label), message("Leave it out."));
        if (std::ranges::any_of(one.clients, numbersItsSession))
            return mergeError(
                message("%1 numbers its sessions, as older versions did: they cannot be told from those "
                        "of other traces.",
                        one.label),
                message("Record the run again."));
        for (std::size_t j = 0; j < i; ++j) {
            const ReadInput& other = inputs[j];
            const bool overlap = one.first <= other.last && other.first <= one.last;
            if (isSameFile(one.path, other.path) || (isSameRun(one.header, other.header) && overlap))
                return mergeError(message("%1 and %2 are the same trace.", other.label, one.label),
                                  message("Give each trace once."));
            if (one.header.sessionIds != other.header.sessionIds)
                return mergeError(
                    message(
                        "One of %1 and %2 has real session ids and the other has pseudonyms: their clients "
                        "cannot be joined.",
                        other.label, one.label),
                    message("Write both with the same --key-file."));
        }
    }
    return {};
}

Result<AlignedClocks> clocksOf(std::vector<ReadInput>& inputs)
{
    std::vector<CausalPoints> points;
    std::vector<std::pair<std::size_t, std::size_t>> sameClock;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        points.push_back(std::move(inputs[i].points));
        for (std::size_t j = 0; j < i; ++j)
            if (isSameRun(inputs[i].header, inputs[j].header))
                sameClock.emplace_back(j, i);
    }
    AlignedClocks clocks = alignClocks(points, sameClock);
    if (clocks.contradiction) {
        const auto& [one, other, by] = *clocks.contradiction;
        return mergeError(
            message("The clocks of %1 and %2 contradict each other by %3 ns: no shift of the one "
                    "against the other "
                    "puts every effect after its cause.",
                    inputs[one].label, inputs[other].label, by.count()),
            message("They are traces of different ensembles, or a clock was set or ran at another "
                    "rate while they "
                    "were written. Merge shorter traces."));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].source.clock = clocks.clocks[i];
        if (clocks.clocks[i].offset)
            continue;
        const std::string first = inputs.front().label, path = inputs[i].label;
        return mergeError(
            clocks.related[0][i]
                ? message("Nothing bounds the clock of %1 on both sides against that of %2: it is unknown "
                          "which events came first.",
                          path, first)
                : message("%1 and %2 name no node with the same zxid: it is unknown whether they are of "
                          "one ensemble, and which events came first.",
                          first, path),
            message("Add a trace of a client that queued between theirs, or the servers' transaction "
                    "logs (--history)."));
    }
    return clocks;
}

} // namespace lockscope::trace
