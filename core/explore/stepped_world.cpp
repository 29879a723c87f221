// Which steps are needed, and why the others are not
//
// A client is a deterministic function of what reaches it: its messages, its timers, its faults, each with
// the time. So the state of a world is that of the servers and of what is under way (Ensemble::appendState),
// what the checkers remember, and for each client what has reached it so far; two worlds that agree in that
// behave alike. A search therefore continues from one of them only. Nothing but 128 bits of a hash of it is
// kept.
//
// Partial order (an ample set, whose steps no other step can enable, disable or undo):
// - A message is at the head of its session's queue, and only its client takes it from there. What servers
// and
//   other clients do appends to the tail. So a delivery commutes with every step that is not one of the same
//   client; of the faults it does not commute with those that lose the message or stop the client, and they
//   are taken together with it. A session that the server ends, a node that is deleted and a delivery
//   commute.
// - A session connects again: the same, when none of its requests is still under way and it does not expire.
// - What a checker may notice is not reordered: a client that believes it holds, or whose write is on its way
//   to the resource, is left out, and when the
// step
//   turns out to change what its client believes, all other steps are taken, too (showed()). When it was the
//   last of its client, so are the other faults on it: they strike only clients that are not done. A session
//   that has neither a node nor a watch may end before or after what others do.
// - No step can be put off for ever: the graph of states has no cycle, since histories only grow.
//
// Faults that commute with what follows are only needed before the first step with which they do not commute:
// - a lost connection: before a message of the session is delivered, before a request that is under way is
//   served (the client may then connect before it arrives, and it is lost), and before the clock goes on;
// - a pause: before a message is delivered, before the session connects, and before the clock goes on.
//
// Clients of the same side that have only sent their first requests differ in their names alone: the first of
// them goes first. (They also differ in the seed of their pauses between tries.)
#include "core/explore/stepped_world.h"

#include "core/base/guid.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace lockscope::explore {

using namespace std::chrono_literals;
using zk::memory::Transition;
using zk::memory::TransitionKind;

namespace {

constexpr std::uint8_t kNobody = 255;
constexpr Duration kBeyondTimeout = 11s; // of a session, which is 10 s
constexpr Duration kBriefly = 50ms;

zk::memory::SessionOptions sessionOptions()
{
    zk::memory::SessionOptions options;
    options.reconnectDelay = kBeyondTimeout + 1s; // tries once while it is away
    return options;
}

// Nothing is under way: time passes, or a holder releases.
bool isQuiet(const Steps& possible)
{
    return std::ranges::all_of(possible, [](const Step& step) {
        return isFault(step.kind) || step.kind == StepKind::proceed || step.kind == StepKind::time ||
               step.kind == StepKind::write;
    });
}

StepKind kindOf(TransitionKind kind)
{
    switch (kind) {
    case TransitionKind::connect:
        return StepKind::connect;
    case TransitionKind::serve:
        return StepKind::serve;
    case TransitionKind::apply:
        return StepKind::apply;
    case TransitionKind::deliver:
        return StepKind::deliver;
    case TransitionKind::expire:
        return StepKind::expire;
    }
    return StepKind::serve;
}

} // namespace

std::vector<StepKind> usualFaults()
{
    return {StepKind::connectionLost, StepKind::sessionLost,   StepKind::away,
            StepKind::paused,         StepKind::pausedBriefly, StepKind::nodeDeleted};
}

Workload withMistake(Workload workload, std::string_view name)
{
    workload.flaws = flawNamed(name).value();
    if (workload.flaws.noOwnerCheck || workload.flaws.ordersByName)
        workload.keptGuid = true; // the names' random part is chosen by the client
    if (workload.flaws.grantsLostHold)
        workload.reenters = true;
    if (workload.flaws.ignoresDestruction)
        workload.letsGo = true;
    if (workload.flaws.acceptsOverflow)
        workload.lastNumbers = true;
    if (workload.flaws.acceptsAnySync)
        workload.kinds.push_back(StepKind::refused);
    return workload;
}

SteppedWorld::SteppedWorld(const Workload& workload, bool keepLog, trace::Recorder* recorder)
    : m_workload(workload)
    , m_world(*workload.recipe, {.servers = workload.servers}, keepLog)
    , m_time(m_world.clock)
    , m_processes(workload.clients)
    , m_faultsLeft(workload.faults)
{
    zk::memory::VirtualScheduler setUp(m_world.clock);
    const auto maker = m_world.ensemble.connect(setUp, {});
    maker->create("/locks", "", zk::CreateMode::container, [](const zk::Created&) {});
    for (const std::string& path : workload.recipe->parents(kLockPath))
        maker->create(path, "", zk::CreateMode::container, [](const zk::Created&) {});
    m_world.ensemble.settle();
    if (workload.lastNumbers)
        for (const std::string& path : workload.recipe->queuePaths(kLockPath))
            m_world.ensemble.skipSequenceNumbers(path, INT32_MAX);
    maker->close();
    m_world.ensemble.settle();
    m_world.log.setClients(workload.names);
    if (recorder)
        m_trace = std::make_unique<WorldTrace>(*recorder, m_world);
    for (std::uint32_t i = 0; i < workload.clients; ++i) {
        ClientPlan plan;
        if (m_trace)
            plan.observerOf = m_trace->addClient(i, workload.handoff);
        plan.options.path = kLockPath;
        plan.options.handoff = workload.handoff;
        if (workload.keptGuid)
            plan.options.keptGuid = GuidSource(i).next();
        plan.session = sessionOptions();
        plan.flaws = workload.flaws;
        CyclePlan cycle;
        cycle.stepped = true;
        cycle.reenters = workload.reenters;
        if (workload.letsGo)
            cycle.dropAfter = Duration{};
        cycle.side = (workload.secondSides >> i) & 1U;
        plan.threads.assign(workload.recipe->threads(), std::vector<CyclePlan>(workload.rounds, cycle));
        m_world.add(std::move(plan));
    }
    for (const auto& client : m_world.clients)
        client->open();
    m_world.ensemble.settle();
    for (const auto& client : m_world.clients)
        client->begin();
    settle();
}

SteppedWorld::~SteppedWorld() { m_world.end(); }

std::optional<std::uint32_t> SteppedWorld::clientOf(std::uint32_t session) const
{
    if (session >= m_clientOf.size() || m_clientOf[session] == kNobody)
        return std::nullopt;
    return m_clientOf[session];
}

bool SteppedWorld::believes(std::uint32_t client) const
{
    return std::ranges::any_of(m_world.checkers, [&](const auto& checker) {
        return checker->believes(ThreadRef{client, 0}) || checker->believes(ThreadRef{client, 1});
    });
}

// It has done what it planned, and nothing of it is under way, or waits for a connection.
bool SteppedWorld::isDone(const Client& client) const
{
    const std::uint32_t session = client.session()->index();
    const zk::SessionPhase phase = client.session()->phase();
    return client.finished() && (phase == zk::SessionPhase::connected || isOver(phase)) &&
           m_world.ensemble.requestsUnderWay(session) == 0 &&
           m_world.ensemble.messagesUnderWay(session) == 0 && !client.process().nextTimer();
}

// Neither a node nor a watch of its session: what becomes of that makes no difference to others.
bool SteppedWorld::leavesNothing(const Client& client) const
{
    const zk::memory::WatchSet kept = client.session()->keptWatches();
    return kept.data.empty() && kept.exists.empty() && kept.children.empty() &&
           std::ranges::none_of(m_world.checkers, [&](const auto& checker) {
               return std::ranges::any_of(checker->history().queue(), [&](const Contender* contender) {
                   return contender->owner == client.session()->id();
               });
           });
}

// ---- which steps ----

void SteppedWorld::possible(Steps& into)
{
    into.clear();
    m_transitions.clear();
    m_world.ensemble.enabledTransitions(m_transitions);
    for (const Transition& transition : m_transitions) {
        Step step{kindOf(transition.kind), static_cast<std::uint8_t>(transition.session), 0};
        if (step.kind == StepKind::apply)
            step.subject = static_cast<std::uint8_t>(transition.server);
        if (step.kind == StepKind::connect)
            step.which = static_cast<std::uint8_t>(transition.server);
        into.push_back(step);
    }
    const bool busy = !into.empty();
    for (std::size_t i = 0; i < m_world.clients.size(); ++i)
        if (m_world.clients[i]->mayProceed())
            into.push_back(Step{StepKind::proceed, static_cast<std::uint8_t>(i), 0});
        else if (m_world.clients[i]->mayWrite())
            into.push_back(Step{StepKind::write, static_cast<std::uint8_t>(i), 0});
    if (!busy && m_world.clock.nextTimer())
        into.push_back(Step{StepKind::time, 0, 0});
    if (m_faultsLeft > 0 && !into.empty())
        addFaults(into);
}

void SteppedWorld::addFaults(Steps& into) const
{
    const zk::memory::Ensemble& ensemble = m_world.ensemble;
    for (const StepKind kind : m_workload.kinds) {
        if (kind == StepKind::nodeDeleted) {
            for (std::size_t queue = 0; queue < m_world.checkers.size(); ++queue) {
                const ServerHistory& history = m_world.checkers[queue]->history();
                for (const Contender* contender : history.queue())
                    into.push_back(Step{kind, static_cast<std::uint8_t>(queue),
                                        static_cast<std::uint8_t>(history.placeOf(contender))});
            }
            continue;
        }
        for (std::uint32_t i = 0; i < m_world.clients.size(); ++i) {
            const Client& client = *m_world.clients[i];
            const std::uint32_t session = client.session()->index();
            if (isDone(client))
                continue;
            const bool stops = kind == StepKind::paused || kind == StepKind::pausedBriefly;
            const bool can = stops ? !client.process().isPaused()
                             : kind == StepKind::sessionLost
                                 ? ensemble.alive(client.session()->id())
                                 : ensemble.isConnected(session) &&
                                       (kind != StepKind::refused || ensemble.requestsUnderWay(session) > 0);
            if (can)
                into.push_back(Step{kind, static_cast<std::uint8_t>(i), 0});
        }
    }
}

std::optional<std::uint32_t> SteppedWorld::actorOf(const Step& step) const
{
    switch (step.kind) {
    case StepKind::serve:
    case StepKind::deliver:
    case StepKind::connect:
    case StepKind::expire:
        return clientOf(step.subject);
    case StepKind::apply:
    case StepKind::time:
    case StepKind::nodeDeleted:
        return std::nullopt;
    default:
        return step.subject;
    }
}

bool SteppedWorld::isNeeded(const Step& step, bool quiet) const
{
    const std::optional<std::uint32_t> actor = actorOf(step);
    if (!actor)
        return true;
    const auto sameSide = [&](std::uint32_t other) {
        return ((m_workload.secondSides >> other) & 1U) == ((m_workload.secondSides >> *actor) & 1U);
    };
    if (m_processes[*actor].fresh)
        for (std::uint32_t other = 0; other < *actor; ++other)
            if (m_processes[other].fresh && sameSide(other))
                return false;
    const zk::memory::MemorySession& session = sessionOf(*actor);
    const bool hears =
        m_world.ensemble.messagesUnderWay(session.index()) > 0 || m_world.clients[*actor]->mayWrite();
    switch (step.kind) {
    case StepKind::connectionLost:
    case StepKind::away:
        return quiet || hears || m_world.ensemble.requestsUnderWay(session.index()) > 0;
    case StepKind::paused:
    case StepKind::pausedBriefly:
        return quiet || hears || !m_world.ensemble.isConnected(session.index());
    default:
        return true;
    }
}

void SteppedWorld::needed(const Steps& possible, Steps& into) const
{
    into.clear();
    const bool quiet = isQuiet(possible);
    std::ranges::copy_if(possible, std::back_inserter(into),
                         [&](const Step& step) { return isNeeded(step, quiet); });
}

std::size_t SteppedWorld::first(Steps& needed) const
{
    const zk::memory::Ensemble& ensemble = m_world.ensemble;
    const auto leads = [&](const Step& step) {
        const std::optional<std::uint32_t> actor = actorOf(step);
        if (!actor || believes(*actor) || m_world.clients[*actor]->mayProceed() ||
            m_world.clients[*actor]->mayWrite() || sessionOf(*actor).index() != step.subject)
            return false;
        if (step.kind == StepKind::deliver)
            return true;
        return step.kind == StepKind::connect && m_workload.servers == 1 &&
               ensemble.alive(sessionOf(*actor).id()) && ensemble.requestsUnderWay(step.subject) == 0 &&
               std::ranges::find(needed, Step{StepKind::expire, step.subject, 0}) == needed.end();
    };
    const auto lead = std::ranges::find_if(needed, leads);
    if (lead == needed.end())
        return 0;
    std::iter_swap(needed.begin(), lead);
    const Step leader = needed.front();
    const std::uint32_t actor = *actorOf(leader);
    const auto goesWith = [&](const Step& step) {
        return isFault(step.kind) && step.kind != StepKind::nodeDeleted && step.subject == actor &&
               (step.kind != StepKind::sessionLost || leader.kind == StepKind::connect) &&
               step.kind != StepKind::refused;
    };
    const auto rest = std::stable_partition(needed.begin() + 1, needed.end(), goesWith);
    return static_cast<std::size_t>(rest - needed.begin());
}

SteppedWorld::Shown SteppedWorld::showed()
{
    Shown shown = std::exchange(m_ended, Shown::nothing);
    for (const auto& checker : m_world.checkers)
        if (checker->beliefsChanged())
            shown = Shown::belief;
    return shown;
}

// ---- taking them ----

// What reaches a client, with the time.
void SteppedWorld::note(std::uint32_t client, StepKind kind, std::string_view text)
{
    Fingerprint& seen = m_processes[client].seen;
    seen.add(static_cast<std::uint64_t>(kind));
    seen.add(static_cast<std::uint64_t>(m_world.clock.now().time_since_epoch().count()));
    m_names.add(seen, text);
}

bool SteppedWorld::takeIfPossible(const Step& step)
{
    Steps all;
    possible(all);
    if (std::ranges::find(all, step) == all.end())
        return false;
    take(step);
    return true;
}

void SteppedWorld::take(const Step& step)
{
    const std::optional<std::uint32_t> actor = actorOf(step);
    if (actor)
        m_processes[*actor].fresh = false;
    if (isFault(step.kind)) {
        --m_faultsLeft;
        inject(step);
    } else if (step.kind == StepKind::time) {
        passTime();
    } else if (step.kind == StepKind::proceed) {
        m_world.log.writeLog(m_world.clock.now(), describe(step));
        note(*actor, step.kind);
        m_world.clients[*actor]->proceed();
    } else if (step.kind == StepKind::write) {
        note(*actor, step.kind);
        m_world.clients[*actor]->write();
    } else {
        if (step.kind == StepKind::deliver) {
            m_text.clear();
            appendState(m_text, *m_world.ensemble.nextMessage(step.subject));
            note(*actor, step.kind, m_text);
        } else if (actor && (step.kind == StepKind::connect || step.kind == StepKind::expire)) {
            note(*actor, step.kind);
        }
        const bool ofServer = step.kind == StepKind::apply;
        static constexpr std::array kTransitions{TransitionKind::serve, TransitionKind::apply,
                                                 TransitionKind::deliver, TransitionKind::connect,
                                                 TransitionKind::expire};
        m_world.execute(Transition{kTransitions[static_cast<std::size_t>(step.kind)],
                                   ofServer ? 0U : step.subject, ofServer ? step.subject : step.which});
    }
    settle();
}

// The clients look at what has come. One server alone has applied what it has logged.
void SteppedWorld::settle()
{
    const auto apply = [&] {
        while (m_workload.servers == 1 &&
               m_world.ensemble.treeOf(0).applied() < m_world.ensemble.head().applied())
            m_world.ensemble.execute(Transition{TransitionKind::apply, 0, 0});
    };
    apply();
    m_world.clock.runReady();
    apply();
    m_clientOf.resize(m_world.ensemble.sessionCount(), kNobody);
    for (std::size_t i = 0; i < m_world.clients.size(); ++i) {
        const std::uint32_t session = m_world.clients[i]->session()->index();
        m_clientOf[session] = static_cast<std::uint8_t>(i);
        if (session != m_processes[i].session)
            startOver(static_cast<std::uint32_t>(i), session);
        for (const zk::memory::Request& request : m_world.ensemble.requestsOf(session))
            if (request.op == OpCode::create)
                m_names.learn(request.path, std::uint64_t{session} << 32 | request.id);
        const bool done = isDone(*m_world.clients[i]);
        if (done && !m_processes[i].done)
            m_ended =
                leavesNothing(*m_world.clients[i]) && m_ended != Shown::belief ? Shown::done : Shown::belief;
        m_processes[i].done = done;
        if (done)
            forgetHistory(static_cast<std::uint32_t>(i));
    }
    if (m_trace)
        m_trace->afterStep();
    m_world.afterStep();
}

// A client in a new session: its locks are new, and what it did in the old one has ended with that. What is
// left of it are the timers of its process, and how often it has done what.
void SteppedWorld::startOver(std::uint32_t client, std::uint32_t session)
{
    Process& process = m_processes[client];
    process.session = session;
    ++process.sessions;
    process.seen = {};
    for (const std::uint64_t number :
         {std::uint64_t{session}, process.sessions, std::uint64_t{m_world.clients[client]->round()}})
        process.seen.add(number);
    for (const MonotonicTime timer : m_world.clients[client]->process().timers())
        process.seen.add(static_cast<std::uint64_t>(timer.time_since_epoch().count()));
}

// Of a client that is done: all that is left of it are its watches.
void SteppedWorld::forgetHistory(std::uint32_t client)
{
    const zk::memory::MemorySession& session = sessionOf(client);
    const zk::memory::WatchSet kept = session.keptWatches();
    Fingerprint& seen = m_processes[client].seen;
    seen = {};
    seen.add(static_cast<std::uint64_t>(session.phase()));
    for (const auto* paths : {&kept.data, &kept.exists, &kept.children})
        for (const std::string& path : *paths)
            m_names.add(seen, path);
}

void SteppedWorld::passTime()
{
    const MonotonicTime next = *m_world.clock.nextTimer();
    for (const auto& checker : m_world.checkers)
        checker->beforeTimePasses(m_world.clock.now(), next);
    m_world.clock.advanceTo(next);
    for (std::uint32_t i = 0; i < m_world.clients.size(); ++i)
        note(i, StepKind::time);
}

void SteppedWorld::inject(const Step& step)
{
    zk::memory::Ensemble& ensemble = m_world.ensemble;
    m_world.log.writeLog(m_world.clock.now(), "FAULT  " + describe(step));
    if (step.kind == StepKind::nodeDeleted) {
        const ServerHistory& history = m_world.checkers[step.subject]->history();
        if (m_trace)
            m_trace->nodeDeleted(step.subject, history.at(step.which)->name);
        ensemble.remove(history.path() + "/" + history.at(step.which)->name);
        return;
    }
    const std::uint32_t session = sessionOf(step.subject).index();
    note(step.subject, step.kind);
    if (m_trace)
        m_trace->fault(step, session);
    switch (step.kind) {
    case StepKind::away:
        ensemble.refuse(session, kBeyondTimeout);
        [[fallthrough]];
    case StepKind::connectionLost:
        ensemble.cut(session, ensemble.requestsUnderWay(session), 0);
        break;
    case StepKind::sessionLost:
        ensemble.kill(session);
        break;
    case StepKind::paused:
        pause(step.subject, kBeyondTimeout);
        break;
    case StepKind::pausedBriefly:
        pause(step.subject, kBriefly);
        break;
    case StepKind::refused:
        ensemble.refuseRequests(session, std::nullopt, zk::Code::throttled, 1);
        m_world.execute(Transition{TransitionKind::serve, session, 0});
        break;
    default:
        break;
    }
}

void SteppedWorld::pause(std::uint32_t client, Duration span)
{
    zk::memory::VirtualScheduler& process = m_world.clients[client]->process();
    m_world.ensemble.pause(process);
    m_processes[client].standsUntil = m_world.clock.now() + span;
    m_time.after(span, [this, client, &process] {
        m_world.log.writeLog(m_world.clock.now(), m_world.log.nameOf(client).english() + " goes on");
        note(client, StepKind::paused);
        m_world.ensemble.resume(process);
    });
}

// ---- states ----

Fingerprint SteppedWorld::fingerprint()
{
    Fingerprint all;
    all.add(m_faultsLeft);
    all.add(static_cast<std::uint64_t>(m_world.clock.now().time_since_epoch().count()));
    Zxid since = m_world.ensemble.head().applied();
    for (std::size_t i = 0; i < m_world.clients.size(); ++i) {
        const Client& client = *m_world.clients[i];
        // One that is finished is granted nothing any more; one that has heard nothing hears only what comes.
        if (!client.finished() && client.session()->lastSeenZxid() > Zxid{0})
            since = std::min(since, client.session()->lastSeenZxid());
        all.add(m_processes[i].seen.high);
        all.add(m_processes[i].seen.low);
        all.add(client.process().isPaused()
                    ? static_cast<std::uint64_t>(m_processes[i].standsUntil.time_since_epoch().count())
                    : 0U);
    }
    m_text.clear();
    m_world.ensemble.appendState(m_text);
    for (const auto& checker : m_world.checkers)
        checker->appendState(m_text, since);
    if (m_world.resource)
        m_world.resource->appendState(m_text);
    m_names.add(all, m_text);
    return all;
}

std::string SteppedWorld::ending() const
{
    // The pauses between tries, some milliseconds, are different for each client.
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now().time_since_epoch()).count();
    return "all hold, " + std::to_string(m_world.ensemble.log().size()) + " transactions of " +
           std::to_string(m_world.ensemble.sessionCount()) + " sessions in " + std::to_string(seconds) + " s";
}

std::string SteppedWorld::describe(const Step& step) const
{
    const std::string client = m_world.log.nameOf(step.subject).english();
    switch (step.kind) {
    case StepKind::proceed:
        return client + " has done its work";
    case StepKind::write:
        return "the write of " + client + " reaches the resource";
    case StepKind::time:
        return "time passes";
    case StepKind::connectionLost:
        return client + " loses its connection, and what was under way to it";
    case StepKind::sessionLost:
        return "the session of " + client + " is ended by an administrator";
    case StepKind::away:
        return client + " loses its connection until its session has expired";
    case StepKind::paused:
        return "the process of " + client + " stands still until its session has expired";
    case StepKind::pausedBriefly:
        return "the process of " + client + " stands still for a moment";
    case StepKind::nodeDeleted:
        return "an administrator deletes " + m_world.checkers[step.subject]->history().at(step.which)->name;
    case StepKind::refused:
        return "the server is too busy for the next request of " + client;
    default:
        break;
    }
    static constexpr std::array kTransitions{TransitionKind::serve, TransitionKind::apply,
                                             TransitionKind::deliver, TransitionKind::connect,
                                             TransitionKind::expire};
    const bool ofServer = step.kind == StepKind::apply;
    return m_world.ensemble.describe(Transition{kTransitions[static_cast<std::size_t>(step.kind)],
                                                ofServer ? 0U : step.subject,
                                                ofServer ? step.subject : step.which});
}

} // namespace lockscope::explore
