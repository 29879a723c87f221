#include "tests/faults/fault_run.h"

#include "core/server/probe/four_letter.h"
#include "core/server/process/server_process.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace lockscope::tests {

namespace {

constexpr auto kTurn = std::chrono::milliseconds(20);
constexpr Duration kPatience = std::chrono::seconds(30); // for a single answer
constexpr int kTries = 3;
constexpr Duration kProgressEvery = std::chrono::seconds(10);
constexpr std::size_t kInOrder = 20;
const std::string kOrderPath = "/order";
constexpr Duration kSampleEvery = std::chrono::minutes(1);

// Its name, when it is its turn.
zk::Awaitable<void> takeTurn(zk::SessionPtr session, HandoffPolicy handoff,
                             std::shared_ptr<std::vector<std::string>> served)
{
    lock::LockOptions options = lock::LockOptions::at(kOrderPath);
    options.handoff = handoff;
    lock::Mutex mutex(std::move(session), options);
    const Result<lock::Grant> grant = co_await mutex.acquire().asResult();
    served->push_back(grant ? grant->node.substr(grant->node.size() - 10) : grant.error().text());
    co_await mutex.release().asResult();
}

zk::Awaitable<void> acquireFirst(std::shared_ptr<lock::Mutex> mutex) { co_await mutex->acquire().asResult(); }

zk::Awaitable<void> releaseFirst(std::shared_ptr<lock::Mutex> mutex) { co_await mutex->release().asResult(); }

double seconds(Duration span) { return std::chrono::duration<double>(span).count(); }

} // namespace

FaultRun::FaultRun(server::ManagedServer& server, FaultRunOptions options)
    : m_server(server)
    , m_hub(*zk::Hub::create(m_io, zk::HubOptions::ownProcess()))
    , m_audit("/locks", "/guards")
    , m_blockingUsers(server.hosts())
{
    m_report.options = options;
    m_report.options.members = server.size();
    for (std::size_t member = 0; member < server.size(); ++member)
        m_report.releases.push_back(server.isServing(member) ? server.process(member).status()->version
                                                             : "not known");
    m_serverThread = std::make_unique<ServerThread>(server, m_io, m_audit);
    m_context = std::make_unique<FaultContext>(m_report.options, *m_hub, server.hosts());
    std::ranges::copy(MixedLocks::queues(), std::back_inserter(m_context->queues));
    std::ranges::copy(BlockingUsers::queues(), std::back_inserter(m_context->queues));
    for (std::size_t lock = 0; lock < m_report.options.locks; ++lock)
        m_context->queues.push_back(m_context->lockPath(lock));
}

FaultRun::~FaultRun()
{
    // Coroutines that are stuck hold what is destroyed here; the hub knows how to go first.
    m_serverThread.reset();
    m_hub.reset();
}

FaultReport FaultRun::run()
{
    const MonotonicTime begin = m_hub->now();
    if (prepare()) {
        injectFaults();
        drain();
        serveInOrder();
        lookForOrphans();
        lookForWatches();
    }
    finish();
    m_report.seconds = seconds(m_hub->now() - begin);
    return m_report;
}

bool FaultRun::runUntil(const std::function<bool()>& predicate, Duration limit)
{
    const MonotonicTime deadline = m_hub->now() + limit;
    while (!predicate()) {
        if (m_hub->now() > deadline)
            return false;
        m_io.restart();
        m_io.run_one_for(kTurn);
    }
    return true;
}

zk::Code FaultRun::ask(const Question& question)
{
    zk::Code code = zk::Code::unknown;
    for (int tries = 0; tries < kTries && zk::certaintyOf(code) == zk::Certainty::unknown; ++tries) {
        if (!runUntil([&] { return m_stallDetector->connected(); }, kPatience))
            continue;
        const auto answer = std::make_shared<std::optional<zk::Code>>();
        question(m_stallDetector->session(), [answer](zk::Code arrived) { *answer = arrived; });
        runUntil([&] { return answer->has_value(); }, kPatience);
        code = answer->value_or(zk::Code::unknown);
    }
    return code;
}

bool FaultRun::prepare()
{
    m_stallDetector =
        std::make_shared<StallDetector>(*m_hub, m_server.hosts(), [this](Duration late) { onStall(late); });
    m_stallDetector->start();
    std::vector<std::string> paths = {"/guards"};
    for (std::size_t lock = 0; lock < m_report.options.locks; ++lock)
        paths.push_back(m_context->guardPath(lock));
    for (const std::string& path : paths) {
        const zk::Code code = ask([&path](zk::Session& session, auto done) {
            session.create(
                path, "", zk::CreateMode::persistent,
                [done = std::move(done)](const zk::Created& created) mutable { done(created.code); });
        });
        if (code != zk::Code::ok && code != zk::Code::nodeExists) {
            m_report.trouble = fmt::format("The server did not make {}: {}.", path, describe(code).english());
            return false;
        }
    }
    for (std::uint32_t i = 0; i < m_report.options.clients; ++i) {
        m_workers.push_back(
            std::make_shared<Worker>(*m_context, ClientId{i}, m_server.size() == 1 && i % 5 < 2));
        m_context->beliefChecker.addClient(m_workers.back()->contact());
    }
    const auto isStalled = [detector = m_stallDetector] { return detector->isLate(); };
    m_context->beliefChecker.setStallCheck(isStalled);
    m_nemesis = std::make_shared<Nemesis>(*m_context, m_workers, *m_serverThread, isStalled);
    return true;
}

void FaultRun::onStall(Duration late)
{
    if (!m_nemesis)
        return; // it has not begun yet
    const MonotonicTime now = m_hub->now();
    for (const auto& worker : m_workers)
        worker->endFault(worker->contact().begin(Cause::machineStall, now - late));
    if (m_nemesis->serverTroubledSince(now - late))
        return;
    ++m_report.stalls;
    m_report.longestStall = std::max(m_report.longestStall, seconds(late));
}

// Until there are enough acquisitions, the shortest time is over, and every kind of fault has come at least
// once.
void FaultRun::injectFaults()
{
    for (const auto& worker : m_workers)
        worker->start();
    m_blockingUsers.start();
    m_nemesis->start();
    const MonotonicTime begin = m_hub->now();
    MonotonicTime reported = begin;
    const ResourceSampler sampler(m_server.address(), kSampleEvery);
    const auto over = [&] {
        const MonotonicTime now = m_hub->now();
        if (now - reported > kProgressEvery) {
            reported = now;
            progress(now - begin);
        }
        return !m_nemesis->stuck().empty() || !m_nemesis->trouble().empty() ||
               (m_context->outcomes.acquired >= m_report.options.acquisitions &&
                now - begin >= m_report.options.shortestRun && m_nemesis->hasInjectedAll());
    };
    runUntil(over, m_report.options.longestRun);
    m_report.resources = sampler.samples();
}

void FaultRun::progress(Duration since)
{
    if (!m_report.options.progress)
        return;
    const BeliefChecker::Counts& counts = m_context->beliefChecker.counts();
    std::uint64_t faults = 0;
    for (std::size_t i = 0; i < Nemesis::kKinds; ++i)
        faults += m_nemesis->count(static_cast<Nemesis::Kind>(i));
    std::printf(
        "%6.0f s  %9llu acquisitions  %6llu faults  %5llu sessions killed  %5llu holds lost  "
        "%llu violations\n",
        seconds(since), static_cast<unsigned long long>(m_context->outcomes.acquired),
        static_cast<unsigned long long>(faults), static_cast<unsigned long long>(m_nemesis->sessionsKilled()),
        static_cast<unsigned long long>(counts.lostHolds), static_cast<unsigned long long>(counts.violated));
    std::fflush(stdout);
}

void FaultRun::drain()
{
    const MonotonicTime begin = m_hub->now();
    m_context->stopping = true;
    m_blockingUsers.stop();
    m_nemesis->stop();
    const auto ended = [](const auto& worker) { return worker->ended(); };
    const auto allEnded = [&] {
        return m_nemesis->ended() && m_blockingUsers.ended() && std::ranges::all_of(m_workers, ended);
    };
    bool over = runUntil(allEnded, m_report.options.drainLimit);
    if (!over && m_nemesis->ended()) {
        const std::uint64_t before = m_nemesis->membersReplaced();
        const auto compared = std::make_shared<bool>(false);
        boost::asio::co_spawn(m_io, m_nemesis->replaceDiverged(),
                              [compared](const std::exception_ptr&) { *compared = true; });
        runUntil([&] { return *compared; }, m_report.options.drainLimit * 5);
        over = m_nemesis->membersReplaced() > before && runUntil(allEnded, m_report.options.drainLimit);
    }
    m_report.drainSeconds = seconds(m_hub->now() - begin);
    m_report.stuck = m_nemesis->stuck();
    if (over)
        return;
    for (const auto& worker : m_workers)
        if (!worker->ended())
            m_report.stuck.push_back(worker->doing());
    if (!m_blockingUsers.ended())
        m_report.stuck.push_back("a thread on the blocking face");
    if (!m_nemesis->ended())
        m_report.trouble = "The faults did not end.";
}

// With the faults off, every client that waits is served, in the order of the queue.
void FaultRun::serveInOrder()
{
    const zk::ConnectOptions options{m_context->address, kPatience, kPatience};
    const auto hold =
        std::make_shared<lock::Mutex>(m_hub->connect(options), lock::LockOptions::at(kOrderPath));
    boost::asio::co_spawn(m_io, acquireFirst(hold), boost::asio::detached);
    const auto served = std::make_shared<std::vector<std::string>>();
    const auto queued = std::make_shared<std::int32_t>(0);
    const auto all = [&](std::int32_t count) {
        return runUntil(
            [&] {
                ask([&](zk::Session& session, auto answered) {
                    session.getChildren(kOrderPath,
                                        [queued, answered = std::move(answered)](
                                            zk::Code code, zk::ChildNames names, const zk::Stat&) mutable {
                                            *queued = static_cast<std::int32_t>(names.size());
                                            answered(code);
                                        });
                });
                return *queued == count;
            },
            kPatience);
    };
    bool complete = all(1);
    for (std::size_t i = 0; i < kInOrder; ++i)
        boost::asio::co_spawn(m_io,
                              takeTurn(m_hub->connect(options),
                                       i % 2 == 0 ? HandoffPolicy::announced : HandoffPolicy::curator,
                                       served),
                              boost::asio::detached);
    complete = complete && all(1 + static_cast<std::int32_t>(kInOrder));
    boost::asio::co_spawn(m_io, releaseFirst(hold), boost::asio::detached);
    complete = complete && runUntil([&] { return served->size() == kInOrder; }, kPatience);
    if (!complete)
        m_report.stuck.push_back(
            fmt::format("of {} clients in a quiet queue {} were served", kInOrder, served->size()));
    if (!std::ranges::is_sorted(*served))
        m_report.stuck.push_back(
            fmt::format("clients in a quiet queue were served in the order {}", fmt::join(*served, ", ")));
    all(0);
}

std::vector<std::string> FaultRun::nodesLeft()
{
    std::vector<std::string> left;
    for (const std::string& path : m_context->queues) {
        const auto listed = std::make_shared<std::vector<std::string>>();
        const zk::Code code = ask([&path, listed](zk::Session& session, auto done) {
            session.getChildren(path, [listed, done = std::move(done)](zk::Code answer, zk::ChildNames names,
                                                                       const zk::Stat&) mutable {
                listed->assign(names.begin(), names.end());
                done(answer);
            });
        });
        for (const std::string& name : *listed)
            left.push_back(path + "/" + name);
        if (code != zk::Code::ok && code != zk::Code::noNode)
            m_report.trouble = fmt::format("{} could not be listed: {}.", path, describe(code).english());
    }
    return left;
}

std::string FaultRun::ownerOf(const std::string& path)
{
    const auto found = std::make_shared<SessionId>(SessionId::none());
    ask([&path, found](zk::Session& session, auto done) {
        session.getData(path, [found, done = std::move(done)](const zk::Data& data) mutable {
            *found = data.stat.ephemeralOwner;
            done(data.code);
        });
    });
    const SessionId owner = *found;
    for (const auto& worker : m_workers)
        if (worker->session() && worker->session()->id() == owner)
            return fmt::format("the session {:#x} of client {}", static_cast<std::uint64_t>(owner.value),
                               worker->id().value);
    return fmt::format("the session {:#x}, which no client has any more",
                       static_cast<std::uint64_t>(owner.value));
}

// No client waits any more, and the sessions still live. What a lost session left behind goes when the
// server has given it up too; what a client gives up in the background goes soon.
void FaultRun::lookForOrphans()
{
    const MonotonicTime deadline = m_hub->now() + m_report.options.longestTimeout + std::chrono::seconds(10);
    std::vector<std::string> left = nodesLeft();
    while (!left.empty() && m_hub->now() < deadline) {
        runUntil([] { return false; }, kTurn);
        left = nodesLeft();
    }
    for (const std::string& node : left)
        m_report.orphans.push_back(node + " of " + ownerOf(node));
}

// Data watches go with the node they are on, so none may be left. (The server lists those of connected
// sessions.)
void FaultRun::lookForWatches()
{
    for (std::size_t member = 0; member < m_server.size(); ++member) {
        const auto words =
            server::sendFourLetterWord(m_server.address(member), "wchp", std::chrono::seconds(10));
        const auto table =
            words ? server::parseWatchTable(*words) : Result<server::WatchTable>(words.error());
        if (!table) {
            m_report.trouble = table.error().text();
            return;
        }
        for (const auto& [node, watchers] : *table)
            if (node.starts_with("/locks") || node.starts_with("/mixed/") || node.starts_with("/blocking"))
                m_report.watchesLeft += watchers.size();
    }
}

void FaultRun::finish()
{
    if (m_stallDetector)
        m_stallDetector->stop();
    // What the log says by now is all there will be: the locks are empty.
    zk::Pending<Result<void>> read;
    boost::asio::co_spawn(
        m_io, m_serverThread->perform(ServerThread::Operation::readLog),
        [handler = read.handler()](std::exception_ptr, Result<void> done) { handler(done); });
    runUntil([&] { return read.ready(); }, kPatience);
    const std::string logTrouble = m_serverThread->logTrouble();
    m_serverThread.reset();
    std::vector<Zxid> released = m_context->released.all();
    const bool allReleases = released.size() == m_context->released.added();
    if (m_server.size() == 1)
        m_audit.checkReleases(std::move(released));
    for (const std::string& node : m_audit.liveNodes())
        m_report.orphans.push_back(node + ", says the log");
    BeliefChecker& beliefChecker = m_context->beliefChecker;
    beliefChecker.finish();
    if (!allReleases)
        beliefChecker.violated("The tokens of the releases could not be kept: the disk is full?");
    if (m_server.size() == 1 && m_audit.counts().guardWrites == 0)
        beliefChecker.violated("The server's log has no write of a holder.");
    for (const auto& worker : m_workers)
        if (worker->session())
            worker->session()->close();
    bool closed = false;
    m_hub->whenClosed([&closed] { closed = true; });
    // The pulse's coroutine wakes up once more; it must have ended before the hub does.
    runUntil([&] { return closed && (!m_stallDetector || m_stallDetector->ended()); }, kPatience);

    m_report.outcomes = m_context->outcomes;
    m_report.outcomes.blocking = m_blockingUsers.acquired();
    m_report.outcomes.blockingShared = m_blockingUsers.shared();
    m_report.outcomes.leaderships = m_blockingUsers.led();
    m_report.outcomes.blockingLost = m_blockingUsers.lost();
    for (const std::string& violation : m_blockingUsers.violations())
        beliefChecker.violated(violation);
    m_report.beliefs = beliefChecker.counts();
    m_report.server = m_audit.counts();
    m_report.violations = beliefChecker.violations();
    m_report.violations.insert(m_report.violations.end(), m_audit.violations().begin(),
                               m_audit.violations().end());
    if (!m_nemesis)
        return;
    for (std::size_t i = 0; i < Nemesis::kKinds; ++i) {
        const auto kind = static_cast<Nemesis::Kind>(i);
        if (Nemesis::applies(kind, m_report.options))
            m_report.faults.emplace_back(Nemesis::name(kind), m_nemesis->count(kind));
    }
    m_report.sessionsKilled = m_nemesis->sessionsKilled();
    m_report.quietTimes = m_nemesis->quietTimes();
    m_report.membersReplaced = m_nemesis->membersReplaced();
    m_report.divergences = m_nemesis->divergences();
    m_report.packetsLost = m_nemesis->packetsLost();
    // A server that could not be started again is the cause of what was found after it.
    for (const std::string& trouble : {logTrouble, m_nemesis->trouble()})
        if (!trouble.empty())
            m_report.trouble = trouble;
}

} // namespace lockscope::tests
