#include "core/lock/read_write_lock.h"

#include "core/lock/internal/queue_core.h"
#include "core/lock/participants.h"

namespace lockscope::lock {

namespace {

// A kept GUID belongs to the write side: a late clean-up by prefix must not delete a node of the other side.
LockOptions readOptions(LockOptions options)
{
    options.keptGuid.clear();
    return options;
}

LockOptions sideOptions(LockOptions options, NodeNaming naming)
{
    options.naming = std::move(naming);
    // A downgraded read node sorts ahead of existing nodes, so a node that was first may not stay first.
    options.handoff = HandoffPolicy::curator;
    return options;
}

zk::Task<Result<ReadWriteLock::Participants>> sortOut(zk::SessionPtr session, std::string path,
                                                      NodeNaming naming)
{
    const auto all = co_await listParticipants(std::move(session), std::move(path), naming);
    if (!all) {
        co_return all.error();
    }
    ReadWriteLock::Participants sorted;
    for (const std::string& node : *all)
        (naming.isWriter(node) ? sorted.writers : sorted.readers).push_back(node);
    co_return sorted;
}

} // namespace

class ReadWriteLock::Side final : public QueueLock
{
public:
    Side(zk::SessionPtr session, LockOptions options, Rule rule, FindInheritedPosition findInheritedPosition)
        : QueueLock(std::move(session), std::move(options), rule, std::move(findInheritedPosition))
    {}
    // The position of an owner that holds this side.
    FindInheritedPosition place() const
    {
        return [weak = std::weak_ptr(this->core())](OwnerId owner) -> std::optional<InheritedPosition> {
            const auto core = weak.lock();
            if (!core || !core->holds.contains(owner))
                return std::nullopt;
            const Hold& hold = core->holds.at(owner);
            return InheritedPosition{std::string(core->nodeClient.naming().sortKey(hold.node)), hold.token};
        };
    }
};

ReadWriteLock::ReadWriteLock(zk::SessionPtr session, LockOptions options, Naming naming)
    : m_write(std::make_unique<Side>(session, sideOptions(options, naming.write), Rule::allAhead, nullptr))
    , m_read(std::make_unique<Side>(session, sideOptions(readOptions(options), naming.read),
                                    Rule::writersAhead, m_write->place()))
    , m_session(std::move(session))
    , m_naming(std::move(naming.read))
{}

ReadWriteLock::ReadWriteLock(ReadWriteLock&&) noexcept = default;

ReadWriteLock& ReadWriteLock::operator=(ReadWriteLock&&) noexcept = default;

ReadWriteLock::~ReadWriteLock() = default;

QueueLock& ReadWriteLock::readLock() { return *m_read; }

QueueLock& ReadWriteLock::writeLock() { return *m_write; }

zk::Task<Result<ReadWriteLock::Participants>> ReadWriteLock::participants()
{
    return sortOut(m_session, m_write->path(), m_naming);
}

} // namespace lockscope::lock
