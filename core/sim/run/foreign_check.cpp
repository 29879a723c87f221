#include "core/sim/run/foreign_check.h"

#include "core/queue/scheme.h"
#include "core/sim/scenario/scenario_text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace lockscope::sim {

namespace {

constexpr Duration kListAgainDelay = std::chrono::milliseconds(200);
constexpr Duration kConnectAgainDelay = std::chrono::milliseconds(500);

Message programsWith(queue::Library library, std::size_t count)
{
    if (library == queue::Library::none)
        return message("%1 that no known library makes", count);
    const bool ours = library == queue::Library::curator; // their nodes cannot be told apart
    //: a number of nodes, and the programs whose they are
    return message("%1 of %2", count, ours ? message("Curator or LockScope") : Message(queue::name(library)));
}

} // namespace

Message programsOf(const std::vector<std::string>& paths)
{
    std::map<queue::Library, std::size_t> counts;
    for (const std::string& path : paths) {
        const std::string_view whole = path;
        const std::size_t slash = whole.rfind('/');
        ++counts[queue::parse(whole.substr(slash + 1), whole.substr(0, slash)).library];
    }
    std::vector<std::pair<queue::Library, std::size_t>> known(counts.begin(), counts.end());
    // The known ones by the table's order; the others last.
    std::stable_partition(known.begin(), known.end(),
                          [](const auto& one) { return one.first != queue::Library::none; });
    std::vector<Message> parts;
    for (const auto& [library, count] : known)
        parts.push_back(programsWith(library, count));
    return listed(parts);
}

ForeignCheck::ForeignCheck(zk::ReadHub hub, std::string hosts, const Scenario& scenario, Duration limit,
                           std::set<std::string> own)
    : m_hub(std::move(hub))
    , m_hosts(std::move(hosts))
    , m_locks(scenario.locks)
    , m_own(std::move(own))
    , m_limit(limit)
{
    for (auto lock = m_locks.rbegin(); lock != m_locks.rend(); ++lock)
        m_open.push_back({*lock, *lock});
}

void ForeignCheck::start(Done done)
{
    m_done = std::move(done);
    m_hub.after(m_limit, whileAlive(&ForeignCheck::timeOut));
    connect();
}

void ForeignCheck::stop()
{
    m_done = {};
    if (m_session)
        m_session->close();
}

void ForeignCheck::connect()
{
    m_session = m_hub.connect({m_hosts, std::chrono::seconds(10), std::chrono::seconds(15)});
    m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (!self || !self->m_done || self->m_session.get() != session)
            return;
        if (phase == zk::SessionPhase::connected)
            self->look();
        else if (phase == zk::SessionPhase::lost)
            self->m_hub.after(kConnectAgainDelay, self->whileAlive(&ForeignCheck::connect));
    });
}

void ForeignCheck::look()
{
    if (m_open.empty())
        return conclude();
    if (m_session->phase() != zk::SessionPhase::connected)
        return; // continues when it is connected again
    const auto reading = ++m_reading;
    const std::string path = m_open.back().path;
    // A follower may lag behind the leader. If the sync fails, so does the list, or its answer is the best
    // there is.
    m_session->sync(path, [](zk::Code) {});
    m_session->getChildren(path, [weak = weak_from_this(), hub = m_hub,
                                  reading](zk::Code code, zk::ChildNames names, const zk::Stat&) mutable {
        hub.post([weak, reading, code, copy = std::vector<std::string>(names.begin(), names.end())] {
            if (const auto self = weak.lock(); self && self->m_done && self->m_reading == reading)
                self->onList(code, copy);
        });
    });
}

// What a run of ours leaves or needs there: no other program works with it.
bool ForeignCheck::isOwn(const Place& place, const std::string& name) const
{
    const std::string path = place.path + "/" + name;
    return (place.path == place.lock && path == semaphoreSizePath(place.lock)) ||
           m_own.contains(place.lock + "/" + name) ||
           std::any_of(m_locks.begin(), m_locks.end(),
                       [&](const std::string& lock) { return lock == path || lock.starts_with(path + "/"); });
}

void ForeignCheck::onList(zk::Code code, const std::vector<std::string>& names)
{
    const Place place = m_open.back();
    switch (code) {
    case zk::Code::ok:
    case zk::Code::noNode:
    case zk::Code::badArguments: // no node has such a path; the clients get the same error
        break;
    case zk::Code::noAuth:
        return end(
            Error{ErrorCode::noAuth,
                  message("Not permitted to list the children of %1, so that it is not known whether other "
                          "programs use this lock.",
                          place.path),
                  message("Use a path that this client may read and write, or grant it access."), "read",
                  place.path});
    default: // no answer, or the server is too busy: it says nothing about the path
        m_hub.after(kListAgainDelay, whileAlive(&ForeignCheck::look));
        return;
    }
    m_open.pop_back();
    bool used = false;
    for (const std::string& name : names) {
        const std::string path = place.path + "/" + name;
        if (place.path == place.lock &&
            (path == queuePath(Recipe::semaphore, place.lock) || path == mutexPath(place.lock))) {
            m_open.push_back({path, place.lock});
        } else if (!isOwn(place, name)) {
            m_found.push_back(path);
            used = true;
        }
    }
    if (used && (m_usedLocks.empty() || m_usedLocks.back() != place.lock))
        m_usedLocks.push_back(place.lock);
    look();
}

void ForeignCheck::conclude()
{
    if (m_found.empty())
        return end({});
    const std::vector<Message> locks(m_usedLocks.begin(), m_usedLocks.end());
    end(Error{ErrorCode::busy,
              message("Other programs use %1. Nodes there: %2.", listed(locks), programsOf(m_found)),
              message("Nothing was changed. Watch the lock instead, or use another path."),
              {},
              m_usedLocks.front()});
}

void ForeignCheck::timeOut()
{
    const std::string limit = formatDuration(m_limit);
    const bool wasGranted = m_session && m_session->id().valid();
    end(Error{
        ErrorCode::noServer,
        wasGranted ? message("ZooKeeper at %1 did not answer within %2 whether other programs use the lock.",
                             m_hosts, limit)
                   : message("No ZooKeeper answers at %1: no session was granted within %2.", m_hosts, limit),
        message("Check the address, or omit --connect: LockScope then starts a ZooKeeper of its own.")});
}

void ForeignCheck::end(Result<void> result)
{
    Done done = std::exchange(m_done, {});
    m_session->close();
    done(std::move(result));
}

} // namespace lockscope::sim
