#include "core/trace/trace_merger.h"

#include "core/base/output_file.h"
#include "core/base/recipe.h"
#include "core/trace/command_verb.h"
#include "core/trace/event_fields.h"
#include "core/trace/recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace lockscope::trace {

namespace {

constexpr std::size_t kCausesKept = 1U << 20;          // of each input
constexpr std::size_t kNodesKept = 65'536;             // whose deletes are remembered
constexpr std::int64_t kMostNumberedSession = 1 << 20; // older traces number their sessions
constexpr std::size_t kFreeIds = 1'000;                // may be used before there are as many events
const std::string kLogScenario = "history";

// ---- what the first reading of an input finds ----------------------------------------------------------

struct InputLock
{
    std::string path, recipe, handoff;
    std::uint64_t lists = 0; // of the observer
    LockId merged;
};

struct InputClient
{
    std::string name;
    std::set<SessionId> sessions;
    std::size_t group = 0;
    bool isThere = false; // added and neither finished nor removed
};

struct ReadInput
{
    std::filesystem::path path;
    MergedSource source;
    Header header;
    std::vector<InputLock> locks;
    std::vector<InputClient> clients;
    std::uint64_t tables = 0; // readings of the server's watch table
    TraceTime first{}, last{};
    std::optional<RunPhase> ended{};
    std::string cutShort{}, detail{};
    CausalPoints points{false};

    TraceTime shift() const { return source.isLog ? CausalPoints::kLogTick : TraceTime{}; }
};

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

Error refused(Message text, Message hint) { return {ErrorCode::badInput, std::move(text), std::move(hint)}; }

Result<ReadInput> readOnce(const TraceMerger::Input& input, LoadProgress* progress)
{
    Result<std::unique_ptr<TraceStream>> stream = TraceStream::open(input.path, progress);
    if (!stream)
        return stream.error();
    ReadInput in;
    in.path = input.path;
    in.header = (*stream)->header();
    in.source.name = input.name.empty() ? input.path.stem().string() : input.name;
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

Result<void> checkInputs(const std::vector<ReadInput>& inputs)
{
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ReadInput& one = inputs[i];
        if (one.source.events == 0)
            return refused(message("%1 has no event.", one.path.string()), message("Leave it out."));
        if (std::ranges::any_of(one.clients, numbersItsSession))
            return refused(
                message("%1 numbers its sessions, as older versions did: they cannot be told from those "
                        "of other traces.",
                        one.path.string()),
                message("Record the run again."));
        for (std::size_t j = 0; j < i; ++j) {
            const ReadInput& other = inputs[j];
            const bool overlap = one.first <= other.last && other.first <= one.last;
            if (isSameFile(one.path, other.path) || (isSameRun(one.header, other.header) && overlap))
                return refused(
                    message("%1 and %2 are the same trace.", other.path.string(), one.path.string()),
                    message("Give each trace once."));
            if (one.header.sessionIds != other.header.sessionIds)
                return refused(
                    message(
                        "One of %1 and %2 has real session ids and the other has pseudonyms: their clients "
                        "cannot be joined.",
                        other.path.string(), one.path.string()),
                    message("Write both with the same --key-file."));
        }
    }
    return {};
}

std::uint64_t sizeOf(const std::vector<TraceMerger::Input>& inputs)
{
    std::uint64_t bytes = 0;
    for (const TraceMerger::Input& input : inputs) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(input.path, error);
        bytes += error ? 0 : size;
    }
    return bytes;
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
        return refused(message("The clocks of %1 and %2 contradict each other by %3 ns: no shift of the one "
                               "against the other "
                               "puts every effect after its cause.",
                               inputs[one].path.string(), inputs[other].path.string(), by.count()),
                       message("They are traces of different ensembles, or a clock was set or ran at another "
                               "rate while they "
                               "were written. Merge shorter traces."));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].source.clock = clocks.clocks[i];
        if (clocks.clocks[i].offset)
            continue;
        const std::string first = inputs.front().path.string(), path = inputs[i].path.string();
        return refused(
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

} // namespace

// ---- the second reading --------------------------------------------------------------------------------

struct TraceMerger::Impl
{
    struct Lock
    {
        std::string path, recipe, handoff;
        std::size_t observer = 0; // the input whose word on the server's nodes counts
        std::uint64_t lists = 0;  // that it read
        bool isAdded = false;
        std::uint32_t permits = 0;
        EventIndex changed; // the last request that changed its children

        bool isWatched() const { return recipeOf(recipe) == Recipe::watched; }
    };
    struct Group // one client
    {
        std::string name;
        bool isOfRun = false; // it is in a trace, not only in a log
        ClientId id{};
    };
    struct Source
    {
        std::unique_ptr<TraceStream> stream;
        Event event; // its next one, on the merged clock
        bool isOver = false;
        TraceTime shift{};
        std::vector<EventIndex> causes{}; // of its last events; a ring
        std::uint64_t read = 0;
    };

    static constexpr std::size_t kPrimary = 0; // whose word on the run and its server counts

    LoadProgress* progress = nullptr;
    std::vector<ReadInput> inputs;
    std::vector<MergedSource> sources;
    AlignedClocks clocks;
    Header header;
    std::vector<Lock> locks;
    std::vector<Group> groups;
    std::set<SessionId> sessions; // of the clients of the runs
    std::vector<Source> streams;
    std::size_t tables = 0; // whose readings of the watch table count
    std::size_t runs = 0;   // inputs that are no logs
    bool idsByAppearance = false;
    bool namesTraces = false; // of every client
    ClientId::Value nextId = 0;

    std::deque<Event> pending;     // to be yielded before the next one
    std::deque<std::string> texts; // of pending events
    std::size_t current = 0;       // the source of the last event; past the last one: of none
    Event yielded;
    std::uint64_t count = 0;
    TraceTime now{};
    RunPhase phase = RunPhase::starting;
    bool hasPhase = false, isOver = false;
    std::set<SessionId> gone;
    RecentNodes deletions{kNodesKept};
    std::map<std::pair<ClientId, LockId>, std::string> lastNodes;
    EventIndex likelyCause; // of the watch that is being mapped
    CommandVerb lastLogVerb = CommandVerb::unknown;
    std::uint64_t forgotten = 0;

    void joinLocks();
    void joinClients();
    void nameClients();
    Result<void> open();
    void begin();

    Result<const Event*> next();
    Result<void> advance(Source& source);
    bool map(std::size_t input, Event& event);
    ClientId idOf(std::size_t input, ClientId client);
    void remember(const Event& event, EventIndex index);
    void endOf(std::size_t input);
    void end();
    void later(ClientId client, Payload what)
    {
        pending.push_back({now, EventIndex::none(), client, LockId::none(), std::move(what)});
    }
    std::string_view text(std::string words) { return texts.emplace_back(std::move(words)); }
    void say(Severity severity, Text code, const Message& sentence)
    {
        later(ClientId::none(), Notice{severity, MessageView(text(std::string(sentence.encoded()))), code});
    }

    struct Mapper;
};

void TraceMerger::Impl::joinLocks()
{
    std::map<std::string, LockId> byPath;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (InputLock& each : inputs[i].locks) {
            if (each.path.empty() || locks.size() >= LockId::kNone)
                continue;
            const auto [at, isNew] =
                byPath.emplace(each.path, LockId{static_cast<LockId::Value>(locks.size())});
            each.merged = at->second;
            if (isNew)
                locks.push_back({each.path, each.recipe, each.handoff, i, 0, false, 0, EventIndex::none()});
            Lock& lock = locks[at->second.value];
            if (lock.isWatched() && recipeOf(each.recipe) != Recipe::watched) {
                lock.recipe = each.recipe;
                lock.handoff = each.handoff;
            }
            const bool log = inputs[i].source.isLog, was = inputs[lock.observer].source.isLog;
            if (isNew || std::pair(log, each.lists) > std::pair(was, lock.lists)) {
                lock.observer = i;
                lock.lists = each.lists;
            }
        }
        if (inputs[i].tables > inputs[tables].tables)
            tables = i;
    }
}

// One client has one of the sessions in both traces; several that share a session are told apart by their
// names.
void TraceMerger::Impl::joinClients()
{
    std::vector<std::pair<std::size_t, std::size_t>> all; // input, client
    std::vector<std::size_t> parents;
    std::map<SessionId, std::vector<std::size_t>> bySession;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t c = 0; c < inputs[i].clients.size(); ++c) {
            for (const SessionId session : inputs[i].clients[c].sessions)
                bySession[session].push_back(all.size());
            parents.push_back(all.size());
            all.emplace_back(i, c);
        }
    const auto root = [&](std::size_t at) {
        while (parents[at] != at)
            at = parents[at];
        return at;
    };
    const auto client = [&](std::size_t at) -> InputClient& {
        return inputs[all[at].first].clients[all[at].second];
    };
    const auto unite = [&](std::size_t a, std::size_t b) {
        parents[std::max(root(a), root(b))] = std::min(root(a), root(b));
    };
    for (const auto& [session, having] : bySession) {
        std::map<std::size_t, std::size_t> clients; // of each input
        for (const std::size_t at : having)
            ++clients[all[at].first];
        std::optional<std::size_t> alone;
        std::map<std::string, std::size_t> named;
        for (const std::size_t at : having) {
            if (clients[all[at].first] == 1)
                unite(alone ? *alone : *(alone = at), at);
            const auto [same, isNew] = named.emplace(client(at).name, at);
            if (!isNew && all[same->second].first != all[at].first)
                unite(same->second, at);
        }
    }
    std::map<std::size_t, std::size_t> groupOf;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const auto [found, isNew] = groupOf.emplace(root(at), groups.size());
        if (isNew)
            groups.emplace_back();
        MergedSource& source = inputs[all[at].first].source;
        ++source.clients;
        source.joined += isNew ? 0 : 1;
        client(at).group = found->second;
        Group& group = groups[found->second];
        group.isOfRun = group.isOfRun || !source.isLog;
        if (!source.isLog)
            sessions.insert(client(at).sessions.begin(), client(at).sessions.end());
    }
}

// A client keeps its name if no other has it; otherwise all are named by their traces too.
void TraceMerger::Impl::nameClients()
{
    std::vector<std::size_t> of(groups.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (const InputClient& client : inputs[i].clients) {
            std::size_t& input = of[client.group];
            const bool better =
                input == inputs.size() || (inputs[input].source.isLog && !inputs[i].source.isLog);
            if (!better)
                continue;
            input = i;
            groups[client.group].name = client.name;
        }
    std::set<std::pair<std::string, std::size_t>> names;
    std::set<std::string> known;
    bool clash = namesTraces && runs > 1;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].isOfRun && names.emplace(groups[g].name, of[g]).second)
            clash = !known.insert(groups[g].name).second || clash;
    for (std::size_t g = 0; clash && g < groups.size(); ++g)
        groups[g].name = inputs[of[g]].source.name + '/' + groups[g].name;
    idsByAppearance = groups.size() > kFreeIds;
    for (std::size_t g = 0; !idsByAppearance && g < groups.size(); ++g)
        groups[g].id = ClientId{nextId++};
}

Result<void> TraceMerger::Impl::open()
{
    TraceTime base = inputs.front().first;
    for (const ReadInput& in : inputs)
        base = std::min(base, in.first + *in.source.clock.offset);
    for (const ReadInput& in : inputs) {
        Result<std::unique_ptr<TraceStream>> stream = TraceStream::open(in.path, progress);
        if (!stream)
            return stream.error();
        Source& source = streams.emplace_back();
        source.stream = std::move(*stream);
        source.shift = *in.source.clock.offset + in.shift() - base;
        source.causes.resize(std::min<std::size_t>(kCausesKept, in.source.events));
        if (const Result<void> read = advance(source); !read)
            return read.error();
    }
    header = inputs[kPrimary].header;
    const TraceTime zero = base - *inputs[kPrimary].source.clock.offset; // on the clock of that trace
    header.wallNanoseconds += zero.count();
    header.monotonicNanoseconds += zero.count();
    for (const ReadInput& in : inputs)
        if (!in.source.isLog && in.header.scenarioToml != header.scenarioToml)
            header.scenarioToml.clear(); // no scenario has all of them
    return {};
}

void TraceMerger::Impl::begin()
{
    for (std::size_t i = 1; i < sources.size(); ++i)
        say(Severity::info, kClockAligned,
            message("The clock of %1 is that of %2 when shifted by %3 ns, or by up to %4 ns more or less.",
                    sources[i].name, sources[0].name, sources[i].clock.offset->count(),
                    sources[i].clock.within.count()));
    if (sources.size() > 1)
        say(Severity::info, kClockCertain,
            message("Events of different traces that are closer than %1 ns are in no certain order.",
                    clocks.certainAfter.count()));
}

Result<void> TraceMerger::Impl::advance(Source& source)
{
    const Result<const Event*> next = source.stream->next();
    if (!next)
        return next.error();
    source.isOver = !*next;
    if (*next) {
        source.event = **next;
        source.event.at += source.shift;
    }
    return {};
}

ClientId TraceMerger::Impl::idOf(std::size_t input, ClientId client)
{
    if (client.value >= inputs[input].clients.size())
        return ClientId::none();
    Group& group = groups[inputs[input].clients[client.value].group];
    if (!group.id.valid())
        group.id = ClientId{nextId++};
    return group.id;
}

// Makes the event one of the merged run. False: it is left out.
struct TraceMerger::Impl::Mapper
{
    Impl& all;
    const std::size_t input;
    Event& event;
    const ClientId original = event.client;
    const ReadInput& in = all.inputs[input];
    const bool log = in.source.isLog;

    Lock* lock() const { return event.lock.valid() ? &all.locks[event.lock.value] : nullptr; }
    Group& group(ClientId client) const { return all.groups[in.clients[client.value].group]; }

    bool run()
    {
        if (event.lock.valid()) {
            if (event.lock.value >= in.locks.size() || !in.locks[event.lock.value].merged.valid())
                return false;
            event.lock = in.locks[event.lock.value].merged;
        }
        // What a log knows of a client without a trace stands beside the clients, as the word of the server.
        const bool ownRow = !event.client.valid() || event.client.value >= in.clients.size() || !log ||
                            group(event.client).isOfRun || !lock() || lock()->isWatched();
        const bool adds = std::holds_alternative<ClientAdded>(event.what);
        if (adds && log && (group(event.client).isOfRun || !anyWatched()))
            return false;
        event.client = event.client.valid() && ownRow ? all.idOf(input, event.client) : ClientId::none();
        return std::visit([this](auto& what) { return (*this)(what); }, event.what);
    }
    bool anyWatched() const { return std::ranges::any_of(all.locks, &Lock::isWatched); }
    bool isObserver() const { return lock() && lock()->observer == input; }

    bool operator()(RunPhaseChanged& e) const
    {
        const bool last = e.phase == RunPhase::finished || e.phase == RunPhase::failed;
        if (last || (log && all.runs > 0))
            return false;
        if (all.runs == 1 && !log)
            return true;
        if (e.phase == RunPhase::paused || (all.hasPhase && e.phase <= all.phase))
            return false;
        all.hasPhase = true;
        all.phase = e.phase;
        return true;
    }
    bool operator()(ServerState&) const { return input == kPrimary; }
    bool operator()(MemberState&) const { return input == kPrimary; }
    bool operator()(LockAdded& e) const
    {
        Lock& mine = *lock();
        e.recipe = mine.recipe;
        e.handoff = mine.handoff;
        return !std::exchange(mine.isAdded, true);
    }
    bool operator()(LockLimit& e) const
    {
        return lock() && std::exchange(lock()->permits, e.permits) != e.permits;
    }
    bool operator()(ClientAdded& e) const
    {
        if (!event.client.valid())
            return false;
        e.name = group(original).name;
        e.colour = static_cast<std::uint16_t>(event.client.value);
        return true;
    }
    bool operator()(SessionGone& e) const
    {
        // A client that closes its session says so itself.
        const bool saidByItself = log && all.sessions.contains(e.session) && closedByClient();
        return !saidByItself && (!e.session.valid() || all.gone.insert(e.session).second);
    }
    bool closedByClient() const { return all.lastLogVerb == CommandVerb::sessionClosed; }
    bool operator()(Command& e) const
    {
        if (log)
            all.lastLogVerb = commandVerb(e.verb);
        return true;
    }
    bool operator()(Decided&) const { return !log || (lock() && lock()->isWatched()); }
    bool operator()(NodeSeen& e) const
    {
        if (!isObserver())
            return false;
        if (lock()->isWatched())
            return true;
        event.client = ClientId::none();
        e.foreign = e.foreign && !all.sessions.contains(e.session);
        return true;
    }
    bool operator()(NodeVanished&) const
    {
        if (!isObserver())
            return false;
        if (!lock()->isWatched())
            event.client = ClientId::none();
        return true;
    }
    bool operator()(Observed&) const { return isObserver(); }
    bool operator()(PathState&) const { return isObserver(); }
    bool operator()(WatchSeen&) const { return input == all.tables; }
    bool operator()(WatchVanished&) const { return input == all.tables; }
    bool operator()(WatchesRead&) const { return input == all.tables; }
    bool operator()(WatchFired& e) const
    {
        if (!lock())
            return true;
        if (e.kind == WatchKind::childrenChanged)
            all.likelyCause = lock()->changed;
        else if (const EventIndex* by = all.deletions.find(event.lock, e.node))
            all.likelyCause = *by;
        return true;
    }
    template <class Other>
    bool operator()(Other&) const
    {
        return true;
    }
};

bool TraceMerger::Impl::map(std::size_t input, Event& event)
{
    Source& source = streams[input];
    EventIndex cause;
    if (event.cause.valid()) {
        const bool kept = source.read - event.cause.value < kCausesKept;
        forgotten += kept ? 0 : 1;
        cause = kept ? source.causes[event.cause.value % source.causes.size()] : EventIndex::none();
    }
    likelyCause = EventIndex::none();
    const bool isTaken = Mapper{*this, input, event}.run();
    const auto* fired = std::get_if<WatchFired>(&event.what);
    const bool anew = fired && (!cause.valid() || fired->kind == WatchKind::childrenChanged);
    event.cause = anew ? likelyCause : cause;
    source.causes[source.read++ % source.causes.size()] =
        isTaken ? EventIndex{static_cast<std::uint32_t>(count)} : EventIndex::none();
    return isTaken;
}

// What deleted a node and changed a list, as trace::Recorder remembers it.
void TraceMerger::Impl::remember(const Event& event, EventIndex index)
{
    if (const auto* request = std::get_if<Request>(&event.what); request && event.lock.valid()) {
        if (request->op == Operation::create || request->op == Operation::remove)
            locks[event.lock.value].changed = index;
        if (request->op == Operation::remove)
            deletions.put(event.lock, request->node, index);
    } else if (const auto* reply = std::get_if<Reply>(&event.what)) {
        if (reply->op == Operation::create && reply->outcome == Outcome::ok)
            lastNodes[{event.client, event.lock}] = reply->node;
    } else if (const auto* command = std::get_if<Command>(&event.what)) {
        if (!event.client.valid() || commandKind(command->verb) != CommandKind::endSession)
            return;
        for (auto each = lastNodes.lower_bound({event.client, LockId{0}});
             each != lastNodes.end() && each->first.first == event.client; ++each)
            deletions.put(each->first.second, each->second, index);
    } else if (const auto* vanished = std::get_if<NodeVanished>(&event.what)) {
        if (event.cause.valid() && !deletions.find(event.lock, vanished->node))
            deletions.put(event.lock, vanished->node, event.cause);
    }
}

// Never bridged: what its clients did from here on, and whether they hold, is unknown.
void TraceMerger::Impl::endOf(std::size_t input)
{
    if (sources[input].gap.empty())
        return;
    later(ClientId::none(),
          Command{toText(CommandVerb::gap), text(std::string(kGapSource) + sources[input].name)});
    say(Severity::warning, {}, sources[input].gap);
    for (const InputClient& client : inputs[input].clients) {
        const Group& group = groups[client.group];
        if (!client.isThere || !group.id.valid() || sources[input].isLog)
            continue;
        later(group.id, SessionState{SessionPhase::suspended, SessionId::none(), {}});
        later(group.id, ClientRemoved{});
    }
}

void TraceMerger::Impl::end()
{
    isOver = true;
    RunPhaseChanged last{RunPhase::finished, {}};
    for (const ReadInput& in : inputs) {
        if (in.source.isLog)
            continue;
        if (!in.ended)
            return;
        if (*in.ended == RunPhase::failed)
            last.phase = RunPhase::failed;
        if (last.cutShort.empty())
            last.cutShort = in.cutShort;
        if (last.detail.empty())
            last.detail = MessageView(in.detail);
    }
    later(ClientId::none(), last);
}

Result<const Event*> TraceMerger::Impl::next()
{
    constexpr std::size_t kMostEvents = TraceStore::kBlockEvents * TraceStore::kMaxBlocks;
    if (count >= kMostEvents)
        return Error{
            ErrorCode::limitExceeded,
            message("The merged trace has more than %1 events, the most that can be opened.", kMostEvents),
            message("Merge fewer traces.")};
    while (true) {
        if (current < streams.size()) { // its texts were needed until now
            const std::size_t input = std::exchange(current, streams.size());
            if (const Result<void> read = advance(streams[input]); !read)
                return read.error();
            if (streams[input].isOver)
                endOf(input);
        }
        if (!pending.empty()) {
            yielded = pending.front();
            pending.pop_front();
            ++count;
            return &yielded;
        }
        for (std::size_t i = 0; i < streams.size(); ++i)
            if (!streams[i].isOver &&
                (current == streams.size() || streams[i].event.at < streams[current].event.at))
                current = i;
        if (current == streams.size()) {
            if (isOver)
                return nullptr;
            end();
            continue;
        }
        yielded = streams[current].event;
        now = yielded.at;
        if (!map(current, yielded))
            continue;
        remember(yielded, EventIndex{static_cast<std::uint32_t>(count++)});
        return &yielded;
    }
}

TraceMerger::TraceMerger(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}
TraceMerger::~TraceMerger() = default;

Result<std::unique_ptr<TraceMerger>> TraceMerger::create(const std::vector<Input>& inputs,
                                                         const LogTrace& log, LoadProgress* progress,
                                                         Names names)
{
    auto impl = std::make_unique<Impl>();
    impl->progress = progress;
    impl->namesTraces = names == Names::withTraces;
    if (progress)
        progress->bytesTotal = sizeOf(inputs) * 2; // each is read twice
    const auto readInput = [&](const Input& input) -> Result<void> {
        Result<ReadInput> read = readOnce(input, progress);
        if (!read)
            return read.error();
        impl->inputs.push_back(std::move(*read));
        return {};
    };
    for (const Input& input : inputs)
        if (const Result<void> read = readInput(input); !read)
            return read.error();
    if (log) {
        std::set<std::string> paths;
        for (const ReadInput& in : impl->inputs)
            for (const InputLock& lock : in.locks)
                paths.insert(lock.path);
        const Result<Input> made = log({paths.begin(), paths.end()});
        if (!made)
            return made.error();
        if (const Result<void> read = readInput(*made); !read)
            return read.error();
        if (impl->inputs.back().source.events == 0)
            return refused(message("The logs have no event of the locks in these traces."),
                           message("Give the logs of the time and of the ensemble of the traces."));
    }
    // The first trace of a run is the reference, whatever stands before it.
    std::ranges::stable_partition(impl->inputs, [](const ReadInput& in) { return !in.source.isLog; });
    if (const Result<void> good = checkInputs(impl->inputs); !good)
        return good.error();
    Result<AlignedClocks> clocks = clocksOf(impl->inputs);
    if (!clocks)
        return clocks.error();
    impl->clocks = std::move(*clocks);
    impl->runs = static_cast<std::size_t>(
        std::ranges::count_if(impl->inputs, [](const ReadInput& in) { return !in.source.isLog; }));
    impl->joinLocks();
    impl->joinClients();
    impl->nameClients();
    for (const ReadInput& in : impl->inputs)
        impl->sources.push_back(in.source);
    if (const Result<void> opened = impl->open(); !opened)
        return opened.error();
    impl->current = impl->streams.size();
    impl->begin();
    return std::unique_ptr<TraceMerger>(new TraceMerger(std::move(impl)));
}

const Header& TraceMerger::header() const { return m_impl->header; }
Result<const Event*> TraceMerger::next() { return m_impl->next(); }
const std::vector<MergedSource>& TraceMerger::sources() const { return m_impl->sources; }
TraceTime TraceMerger::certainAfter() const { return m_impl->clocks.certainAfter; }
std::uint64_t TraceMerger::forgottenCauses() const { return m_impl->forgotten; }

} // namespace lockscope::trace
