// The leader's log: how a transaction gets into it, and what a server does that applies it: watches fire,
// and replies that have waited for it go out.
#include "core/zk/memory/ensemble.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

namespace {

constexpr std::int64_t kFirstZxid = (std::int64_t{1} << 32) + 1; // the leader's epoch, then a counter

bool removeIfPresent(std::vector<std::string>& watches, const std::string& path)
{
    const auto found = std::find(watches.begin(), watches.end(), path);
    if (found == watches.end())
        return false;
    watches.erase(found);
    return true;
}

} // namespace

void Ensemble::append(Transaction transaction)
{
    transaction.zxid = m_log.empty() ? Zxid{kFirstZxid} : Zxid{m_log.back().zxid.value + 1};
    if (transaction.change == Change::sessionClosed)
        transaction.gone = m_head.ephemeralsOf(transaction.session);
    m_head.apply(transaction);
    m_log.push_back(std::move(transaction));
}

const Transaction* Ensemble::nextOf(std::uint32_t server) const
{
    const std::int64_t next = std::max(m_trees[server].applied().value + 1, kFirstZxid) - kFirstZxid;
    return static_cast<std::size_t>(next) < m_log.size() ? &m_log[static_cast<std::size_t>(next)] : nullptr;
}

void Ensemble::apply(std::uint32_t server)
{
    Tree& tree = m_trees[server];
    const Transaction& transaction = *nextOf(server);
    tree.apply(transaction);
    const Zxid zxid = transaction.zxid;
    switch (transaction.change) {
    case Change::created:
        fire(server, transaction.path, WatchKind::created, zxid);
        break;
    case Change::removed:
        fire(server, transaction.path, WatchKind::deleted, zxid);
        break;
    case Change::dataSet:
        fire(server, transaction.path, WatchKind::changed, zxid);
        break;
    case Change::sessionClosed:
        for (const std::string& path : transaction.gone)
            fire(server, path, WatchKind::deleted, zxid);
        break;
    default:
        break;
    }
    for (Record& record : m_sessions)
        if (record.waiting && record.server == server && record.waiting->until <= tree.applied()) {
            Message message = std::move(record.waiting->reply);
            record.waiting.reset();
            if (message.id != 0)
                reply(record, std::move(message));
        }
}

// In the order of DataTree: data watches of the node, child watches of the node, child watches of its parent.
void Ensemble::fire(std::uint32_t server, const std::string& path, WatchKind kind, Zxid zxid)
{
    const std::string parent(parentOf(path));
    for (Record& record : m_sessions) {
        if (!record.linked || record.server != server)
            continue;
        Message event;
        event.kind = MessageKind::event;
        event.zxid = zxid;
        event.path = path;
        event.watch = kind;
        const bool ofData = removeIfPresent(record.dataWatches, path);
        const bool ofChildren = kind == WatchKind::deleted && removeIfPresent(record.childWatches, path);
        if ((ofData || ofChildren) && record.client)
            record.messages.push_back(event);
        if (kind == WatchKind::changed || !removeIfPresent(record.childWatches, parent) || !record.client)
            continue;
        event.path = parent;
        event.watch = WatchKind::childrenChanged;
        record.messages.push_back(std::move(event));
    }
}

} // namespace lockscope::zk::memory
