#include "core/trace/trace_merger.h"

#include "core/trace/command_verb.h"
#include "core/trace/event_fields.h"
#include "core/trace/merged_parties.h"
#include "core/trace/recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace lockscope::trace {

namespace {

constexpr std::size_t kCausesKept = 1U << 20; // of each input
constexpr std::size_t kNodesKept = 65'536;    // whose deletes are remembered

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

} // namespace

struct TraceMerger::Impl : MergedParties
{
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
    std::vector<Source> streams;
    std::size_t runs = 0; // inputs that are no logs

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
        e.trace = all.sources.size() > 1 ? group(original).trace : Text();
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
    if (progress)
        progress->bytesTotal = sizeOf(inputs) * 2; // each is read twice
    const auto readInput = [&](const Input& input) -> Result<void> {
        Result<ReadInput> read = readMergeInput(input, progress);
        if (!read)
            return read.error();
        impl->inputs.push_back(std::move(*read));
        return {};
    };
    std::vector<std::filesystem::path> files;
    for (const Input& input : inputs)
        files.push_back(input.path);
    const std::vector<std::string> traceNames = namesOf(files);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const Result<void> read = readInput({inputs[i].path, traceNames[i]}); !read)
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
        impl->inputs.back().label = made->name; // its file is a temporary one
        if (impl->inputs.back().source.events == 0)
            return mergeError(message("The logs have no event of the locks in these traces."),
                              message("Give the logs of the time and of the ensemble of the traces."));
    }
    // The first trace of a run is the reference, whatever stands before it.
    std::ranges::stable_partition(impl->inputs, [](const ReadInput& in) { return !in.source.isLog; });
    if (const Result<void> good = checkMergeInputs(impl->inputs); !good)
        return good.error();
    Result<AlignedClocks> clocks = clocksOf(impl->inputs);
    if (!clocks)
        return clocks.error();
    impl->clocks = std::move(*clocks);
    impl->runs = static_cast<std::size_t>(
        std::ranges::count_if(impl->inputs, [](const ReadInput& in) { return !in.source.isLog; }));
    impl->join(impl->inputs, names == Names::withTraces && impl->runs > 1);
    for (const ReadInput& in : impl->inputs)
        impl->sources.push_back(in.source);
    if (const Result<void> opened = impl->open(); !opened)
        return opened.error();
    impl->current = impl->streams.size();
    impl->begin();
    return std::unique_ptr<TraceMerger>(new TraceMerger(std::move(impl)));
}

std::vector<std::string> TraceMerger::namesOf(const std::vector<std::filesystem::path>& traces)
{
    std::map<std::string, int> stems, taken;
    for (const std::filesystem::path& trace : traces)
        ++stems[trace.stem().string()];
    std::vector<std::string> names;
    std::error_code error;
    for (const std::filesystem::path& trace : traces) {
        std::string name = trace.stem().string();
        if (stems[name] > 1)
            name = std::filesystem::absolute(trace, error).parent_path().filename().string() + '-' + name;
        if (const int same = ++taken[name]; same > 1)
            name += '-' + std::to_string(same);
        names.push_back(std::move(name));
    }
    return names;
}

const Header& TraceMerger::header() const { return m_impl->header; }
Result<const Event*> TraceMerger::next() { return m_impl->next(); }
const std::vector<MergedSource>& TraceMerger::sources() const { return m_impl->sources; }
TraceTime TraceMerger::certainAfter() const { return m_impl->clocks.certainAfter; }
std::uint64_t TraceMerger::forgottenCauses() const { return m_impl->forgotten; }

} // namespace lockscope::trace
