#include "core/sim/teaching/old_read_write_lock.h"

#include "core/lock/internal/queue_core.h"

#include <map>

namespace lockscope::lock {

namespace {

LockOptions oldOptions(LockOptions options, NodeNaming naming)
{
    options.naming = std::move(naming);
    options.handoff = HandoffPolicy::curator;
    return options;
}

// A reader that knows no writers never waits.
NodeNaming readsBesideAnyone()
{
    NodeNaming naming = NodeNaming::curatorRead();
    naming.writeNames.clear();
    return naming;
}

} // namespace

class OldReadWriteLock::Queue final : public QueueLock
{
public:
    Queue(zk::SessionPtr session, LockOptions options, Rule rule)
        : QueueLock(std::move(session), std::move(options), rule, nullptr)
    {}
};

// An owner of the write lock reads at once, others in their turn.
class OldReadWriteLock::Reader final : public Lock
{
public:
    Reader(const zk::SessionPtr& session, const LockOptions& options, Lock& write)
        : m_write(write)
        , m_inTurn(session, oldOptions(options, NodeNaming::curatorRead()), Rule::writersAhead)
        , m_atOnce(session, oldOptions(options, readsBesideAnyone()), Rule::writersAhead)
    {}
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit, CancelToken cancel) override
    {
        const bool inTurn =
            m_inTurn.depth(owner) > 0 || (m_atOnce.depth(owner) == 0 && m_write.depth(owner) == 0);
        return (inTurn ? m_inTurn : m_atOnce).acquire(owner, limit, std::move(cancel));
    }
    zk::Task<Result<void>> release(OwnerId owner) override
    {
        return (m_atOnce.depth(owner) > 0 ? m_atOnce : m_inTurn).release(owner);
    }
    std::uint16_t depth(OwnerId owner) const override
    {
        return std::max(m_inTurn.depth(owner), m_atOnce.depth(owner));
    }
    ListenerId onLost(std::function<void(OwnerId)> callback) override
    {
        const ListenerId other = m_atOnce.onLost(callback);
        const ListenerId id = m_inTurn.onLost(std::move(callback));
        m_others.emplace(id, other);
        return id;
    }
    void removeLostListener(ListenerId listener) override
    {
        m_inTurn.removeLostListener(listener);
        if (const auto other = m_others.extract(listener))
            m_atOnce.removeLostListener(other.mapped());
    }
    const std::string& path() const override { return m_inTurn.path(); }
    zk::Scheduler& scheduler() override { return m_inTurn.scheduler(); }
    void makeRevocable(const std::function<void(OwnerId)>& callback)
    {
        m_inTurn.makeRevocable(callback);
        m_atOnce.makeRevocable(callback);
    }

private:
    Lock& m_write;
    Queue m_inTurn;
    Queue m_atOnce;
    std::map<ListenerId, ListenerId> m_others; // of m_atOnce, by that of m_inTurn
};

OldReadWriteLock::OldReadWriteLock(zk::SessionPtr session, LockOptions options)
    : m_write(
          std::make_unique<Queue>(session, oldOptions(options, NodeNaming::curatorWrite()), Rule::allAhead))
    , m_read(std::make_unique<Reader>(session, options, *m_write))
{}

OldReadWriteLock::~OldReadWriteLock() = default;

Lock& OldReadWriteLock::readLock() { return *m_read; }

Lock& OldReadWriteLock::writeLock() { return *m_write; }

void OldReadWriteLock::makeRevocable(const std::function<void(OwnerId)>& callback)
{
    m_write->makeRevocable(callback);
    m_read->makeRevocable(callback);
}

} // namespace lockscope::lock
