#include "core/engine/watch_run.h"

#include "core/queue/scheme.h"
#include "core/queue/words.h"
#include "core/sim/client/refusal.h"

#include <algorithm>
#include <utility>

namespace lockscope::engine {

namespace {

// A name of 32 hexadecimal digits is a lease of kazoo if a session owns the node.
bool isLockNode(std::string_view name, SessionId session)
{
    const queue::NodeName known = queue::parse(name);
    return queue::isOfLock(known.role) && (known.numbered || session.valid());
}

// "/a" is below "/", and below nothing else.
std::string_view parentIn(std::string_view path)
{
    const std::string_view parent = queue::parentOf(path);
    return parent.empty() && path.size() > 1 ? "/" : parent;
}

} // namespace

WatchRun::WatchRun(boost::asio::io_context& io, trace::Recorder& recorder, const sim::Scenario& scenario,
                   const std::string& hosts, const tls::Security& security)
    : UnpausedRun(recorder, message("This run only watches: it changes nothing."))
    , m_scheduler(io)
    , m_scenario(scenario)
{
    for (const std::string& path : scenario.locks) {
        watch(sim::queuePath(scenario.recipe, path));
        if (isSemaphore(scenario.recipe))
            watch(sim::mutexPath(path));
    }
    field::WatchOptions options;
    options.hosts = hosts;
    options.security = security;
    options.connectTimeout = kForever; // the engine's limits end a run without contact
    for (const Lock& lock : m_locks)
        options.paths.push_back(lock.path);
    m_watcher = std::make_shared<field::LockWatcher>(m_scheduler, std::move(options));
}

WatchRun::~WatchRun() { abandon(); }

void WatchRun::watch(const std::string& path)
{
    const LockId lock{static_cast<LockId::Value>(m_locks.size())};
    m_recorder.record(ClientId::none(), lock, trace::LockAdded{path, nameOf(Recipe::watched), {}});
    m_locks.push_back({lock, path});
}

Result<void> WatchRun::start(bool, std::function<void()> finished)
{
    m_finished = std::move(finished);
    m_watcher->onNode([this](const std::string& path, bool there, const field::NodeFacts* facts) {
        onNode(path, there, facts);
    });
    m_watcher->onSnapshot([this](const field::SnapshotPtr& snapshot) { onSnapshot(*snapshot); });
    m_watcher->onFailure([this](const Error& error) {
        for (Lock& lock : m_locks)
            refuseLock(lock, error);
    });
    m_watcher->start();
    if (m_scenario.duration)
        m_scheduler.after(*m_scenario.duration, [this] { finish(); });
    return {};
}

// The last changes are recorded before the end.
void WatchRun::finish()
{
    if (m_finished)
        m_watcher->settle([this, finished = std::exchange(m_finished, nullptr)] {
            recordObserved();
            m_scheduler.post(finished);
        });
}

void WatchRun::abandon()
{
    m_watcher->stop();
    m_scheduler.cancelAll();
}

// ---- what the server says --------------------------------------------------------------------------------

void WatchRun::onNode(std::string_view path, bool there, const field::NodeFacts* facts)
{
    const std::string_view parent = parentIn(path);
    for (Lock& lock : m_locks) {
        if (path == lock.path)
            lock.there = there;
        else if (parent == lock.path)
            onChild(lock, queue::nameOf(path), there, facts);
        else if (parentIn(parent) == lock.path)
            onGrandchild(lock, queue::nameOf(parent), queue::nameOf(path), there);
        else
            continue;
        if (m_read && !lock.refused)
            show(lock);
    }
}

void WatchRun::onChild(Lock& lock, std::string_view name, bool there, const field::NodeFacts* facts)
{
    if (there) {
        Child& child = lock.children[std::string(name)];
        if (facts)
            child = {facts->stat.stat.ephemeralOwner, facts->stat.stat.czxid};
        child.isLockNode = isLockNode(name, child.session);
        lock.lockNodes += child.isLockNode ? 1 : 0;
        if (lock.isQueue())
            put(lock, std::string(name), child);
    } else if (const auto child = lock.children.find(name); child != lock.children.end()) {
        lock.lockNodes -= child->second.isLockNode ? 1 : 0;
        lock.locks -= child->second.lockNodes > 0 ? 1 : 0;
        lock.children.erase(child);
        if (lock.isQueue())
            put(lock, trace::NodeVanished{name});
    }
}

// A Curator semaphore has "leases" as a child instead of lock nodes.
void WatchRun::onGrandchild(Lock& lock, std::string_view parent, std::string_view name, bool there)
{
    const auto child = lock.children.find(parent);
    if (child == lock.children.end() ||
        (!queue::isOfLock(queue::parse(name).role) && name != queue::kLeasesSuffix.substr(1)))
        return;
    std::size_t& count = child->second.lockNodes;
    lock.locks -= count > 0 ? 1 : 0;
    there ? ++count : --count;
    lock.locks += count > 0 ? 1 : 0;
}

void WatchRun::onSnapshot(const field::Snapshot& snapshot)
{
    if (snapshot.watching != field::WatchState::everyChange &&
        snapshot.watching != field::WatchState::byListing)
        return;
    for (std::size_t i = 0; i < std::min(m_locks.size(), snapshot.paths.size()); ++i)
        if (snapshot.paths[i].kind == field::PathStatus::Kind::notPermitted)
            refuseLock(m_locks[i],
                       {ErrorCode::noAuth,
                        message("Not permitted to %1.", message("list the children of %1", m_locks[i].path)),
                        message("Use a path that this client may read and write, or grant it "
                                "access."),
                        "read", m_locks[i].path});
    if (std::exchange(m_read, true))
        return;
    for (Lock& lock : m_locks)
        if (!lock.refused)
            show(lock);
}

// ---- the trace -------------------------------------------------------------------------------------------

// Records what has changed of what is at the path, and plans the record that all of it has been seen.
void WatchRun::show(Lock& lock)
{
    trace::PathState place{lock.there ? trace::PathKind::queue : trace::PathKind::missing, 0, 0};
    if (lock.there && lock.lockNodes == 0 && lock.locks > 0)
        place = {trace::PathKind::folder, static_cast<std::uint32_t>(lock.locks),
                 static_cast<std::uint32_t>(lock.children.size())};
    const bool wasQueue = lock.isQueue();
    if (lock.recorded != place)
        put(lock, place);
    lock.recorded = place;
    if (wasQueue != lock.isQueue())
        for (const auto& [name, child] : lock.children)
            wasQueue ? put(lock, trace::NodeVanished{name}) : put(lock, name, child);
    lock.observed = false;
    if (!std::exchange(m_observedPlanned, true))
        m_scheduler.after(Duration{}, [this] { recordObserved(); });
}

void WatchRun::put(const Lock& lock, const std::string& name, const Child& child)
{
    put(lock, trace::NodeSeen{name, m_recorder.named(child.session), child.created, true});
}

void WatchRun::recordObserved()
{
    m_observedPlanned = false;
    for (Lock& lock : m_locks)
        if (!std::exchange(lock.observed, true))
            put(lock, trace::Observed{static_cast<std::uint32_t>(lock.isQueue() ? lock.children.size() : 0)});
}

void WatchRun::refuseLock(Lock& lock, const Error& error)
{
    if (std::exchange(lock.refused, true))
        return;
    sim::recordRefusal(m_recorder, ClientId::none(), lock.id, error);
    if (std::all_of(m_locks.begin(), m_locks.end(), [](const Lock& one) { return one.refused; }))
        finish(); // no lock can be read
}

bool WatchRun::refused() const
{
    return std::any_of(m_locks.begin(), m_locks.end(), [](const Lock& one) { return one.refused; });
}

} // namespace lockscope::engine
