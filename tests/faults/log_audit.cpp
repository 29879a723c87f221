#include "tests/faults/log_audit.h"

#include "tests/faults/belief_checker.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lockscope::tests {

namespace {

constexpr std::size_t kDigits = 10;
constexpr std::string_view kAnnouncement = "__HOLDS__";

// "LOCK/NODE" below the prefix as two parts; both empty when the path is something else.
std::pair<std::string, std::string> split(std::string_view path, const std::string& prefix)
{
    if (!path.starts_with(prefix))
        return {};
    path.remove_prefix(prefix.size());
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos)
        return {};
    return {std::string(path.substr(0, slash)), std::string(path.substr(slash + 1))};
}

std::string keyOf(const std::string& name)
{
    return name.size() > kDigits ? name.substr(name.size() - kDigits) : name;
}

std::string session(SessionId id) { return fmt::format("{:#x}", static_cast<std::uint64_t>(id.value)); }

} // namespace

LogAudit::LogAudit(std::string locks, std::string guards)
    : m_locksPrefix(std::move(locks) + "/")
    , m_guardsPrefix(std::move(guards) + "/")
{}

void LogAudit::apply(const Txn& txn)
{
    ++m_counts.transactions;
    switch (txn.kind) {
    case Txn::Kind::created:
        return created(txn);
    case Txn::Kind::deleted:
        return deleted(txn);
    case Txn::Kind::dataSet:
        return txn.path.starts_with(m_guardsPrefix) ? guardWritten(txn) : nodeWritten(txn);
    case Txn::Kind::sessionClosed:
        return sessionClosed(txn);
    case Txn::Kind::other:
        return;
    }
}

std::vector<std::string> LogAudit::liveNodes() const
{
    std::vector<std::string> nodes;
    for (const auto& [lockName, lock] : m_locks)
        for (const auto& [key, node] : lock.queue)
            nodes.push_back(fmt::format("{}{}/{} of session {}, since zxid {:#x}", m_locksPrefix, lockName,
                                        node.name, session(node.session), node.made.value));
    return nodes;
}

void LogAudit::checkReleases(std::vector<Zxid> tokens)
{
    std::ranges::sort(tokens);
    m_counts.releases = tokens.size();
    for (const Zxid token : m_wentWithSession)
        if (std::ranges::binary_search(tokens, token))
            violated(fmt::format(
                "The holder with token {:#x} learned that it has released, but its node stayed until "
                "its session ended.",
                token.value));
}

std::pair<std::map<std::string, LogAudit::Lock>::iterator, LogAudit::Queue::iterator>
LogAudit::find(std::string_view path)
{
    const auto [lockName, name] = split(path, m_locksPrefix);
    const auto lock = m_locks.try_emplace(lockName).first;
    auto node = lock->second.queue.find(keyOf(name));
    if (node != lock->second.queue.end() && node->second.name != name)
        node = lock->second.queue.end();
    return {lock, node};
}

void LogAudit::created(const Txn& txn)
{
    const auto [lockName, name] = split(txn.path, m_locksPrefix);
    if (name.empty() || !txn.ephemeral)
        return;
    ++m_counts.nodesMade;
    m_locks[lockName].queue[keyOf(name)] = Node{name, txn.session, txn.zxid};
    m_owned[txn.session].emplace(txn.path, lockName);
}

void LogAudit::deleted(const Txn& txn)
{
    const auto [lock, node] = find(txn.path);
    if (node == lock->second.queue.end())
        return;
    m_owned[node->second.session].erase(std::string(txn.path));
    gone(lock->first, lock->second, node, txn);
}

// Its nodes go in one transaction.
void LogAudit::sessionClosed(const Txn& txn)
{
    ++m_counts.sessionsClosed;
    const auto owned = m_owned.find(txn.session);
    if (owned == m_owned.end())
        return;
    for (const auto& [path, lockName] : std::exchange(owned->second, {}))
        if (const auto [lock, node] = find(path); node != lock->second.queue.end())
            gone(lockName, lock->second, node, txn);
    m_owned.erase(owned);
}

void LogAudit::gone(const std::string& lockName, Lock& lock, Queue::iterator node, const Txn& txn)
{
    if (node->second.held) {
        ++m_counts.holdersGone;
        if (txn.kind == Txn::Kind::sessionClosed)
            m_wentWithSession.push_back(node->second.made);
        checkFirst(lockName, lock, node, txn, "the node of a holder went");
    }
    lock.queue.erase(node);
}

void LogAudit::guardWritten(const Txn& txn)
{
    const std::string lockName(txn.path.substr(m_guardsPrefix.size()));
    const std::size_t space = txn.data.find(' ');
    if (space == std::string_view::npos)
        return; // made with the guard
    const std::string name(txn.data.substr(0, space));
    std::int64_t token = 0;
    std::from_chars(txn.data.data() + space + 1, txn.data.data() + txn.data.size(), token);
    ++m_counts.guardWrites;
    const auto [lock, node] = find(m_locksPrefix + lockName + "/" + name);
    if (node == lock->second.queue.end()) {
        violated(txn, lockName,
                 fmt::format("session {} wrote as holder, but its node {} does not exist",
                             session(txn.session), name));
        return;
    }
    if (node->second.session != txn.session || node->second.made != Zxid{token})
        violated(
            txn, lockName,
            fmt::format("session {} wrote as holder with token {:#x} and the node {}, which is of session {} "
                        "and was made at zxid {:#x}",
                        session(txn.session), token, name, session(node->second.session),
                        node->second.made.value));
    if (token < lock->second.newestToken.value)
        violated(txn, lockName,
                 fmt::format("the token {:#x} came after {:#x}", token, lock->second.newestToken.value));
    lock->second.newestToken = std::max(lock->second.newestToken, Zxid{token});
    node->second.held = true;
    checkFirst(lockName, lock->second, node, txn, "a holder wrote");
}

void LogAudit::nodeWritten(const Txn& txn)
{
    if (!txn.data.ends_with(kAnnouncement) || !txn.path.starts_with(m_locksPrefix))
        return;
    const auto [lock, node] = find(txn.path);
    if (node == lock->second.queue.end() || node->second.session != txn.session)
        return;
    ++m_counts.announcements;
    checkFirst(lock->first, lock->second, node, txn, "a holder announced itself");
}

void LogAudit::checkFirst(const std::string& lockName, Lock& lock, Queue::iterator node, const Txn& txn,
                          const char* what)
{
    const auto first = lock.queue.begin();
    if (first == node)
        return;
    violated(txn, lockName,
             fmt::format(
                 "{}: {} of session {}, made at {:#x}, while {} of session {}, made at {:#x}{}, was in front",
                 what, node->second.name, session(node->second.session), node->second.made.value,
                 first->second.name, session(first->second.session), first->second.made.value,
                 first->second.held ? " and a holder" : ""));
}

void LogAudit::violated(const Txn& txn, const std::string& lockName, const std::string& what)
{
    violated(fmt::format("zxid {:#x}, lock {}: {}.", txn.zxid.value, lockName, what));
}

void LogAudit::violated(std::string what)
{
    ++m_counts.violated;
    if (m_violations.size() < kViolationsKept)
        m_violations.push_back(std::move(what));
}

} // namespace lockscope::tests
