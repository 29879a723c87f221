#include "core/explore/semaphore_lock.h"

#include "core/lock/internal/user_listeners.h"

#include <map>

namespace lockscope::explore {

struct SemaphoreLock::State
{
    struct Held
    {
        lock::Lease lease;
        std::uint16_t depth = 1;
        bool lost = false; // its release will say so
    };
    std::unique_ptr<lock::Semaphore> semaphore; // null when the lock is gone
    std::string path;
    zk::Scheduler& scheduler;
    std::map<OwnerId, Held> held{};
    lock::UserListeners<OwnerId> lostListeners{scheduler};
};

SemaphoreLock::SemaphoreLock(zk::SessionPtr session, lock::LockOptions options)
{
    lock::SemaphoreOptions own;
    own.lock = std::move(options);
    own.leases = kLeases;
    auto semaphore = std::make_unique<lock::Semaphore>(std::move(session), std::move(own));
    zk::Scheduler& scheduler = semaphore->scheduler();
    const std::string path = semaphore->path();
    m_state = std::make_shared<State>(State{std::move(semaphore), path, scheduler});
    m_state->semaphore->onLost([weak = std::weak_ptr(m_state)](const lock::Lease& lease) {
        const auto state = weak.lock();
        const auto mine = state ? state->held.find(lease.owner) : decltype(state->held.end()){};
        if (!state || mine == state->held.end() || mine->second.lease.node != lease.node)
            return;
        mine->second.lost = true;
        state->lostListeners.notify(lease.owner);
    });
}

SemaphoreLock::~SemaphoreLock()
{
    m_state->lostListeners.clear();
    m_state->semaphore.reset();
}

zk::Task<Result<lock::Grant>> SemaphoreLock::acquire(OwnerId owner, std::optional<Duration> limit,
                                                     lock::CancelToken cancel)
{
    const std::shared_ptr<State> state = m_state; // the lock may go while we wait
    const auto mine = state->held.find(owner);
    if (mine != state->held.end() && !mine->second.lost) {
        const std::uint16_t depth = ++mine->second.depth;
        co_return lock::Grant{mine->second.lease.node, mine->second.lease.token, depth};
    }
    const Result<std::vector<lock::Lease>> got =
        co_await state->semaphore->acquire(owner, 1, limit, std::move(cancel));
    if (!got) {
        co_return got.error();
    }
    const lock::Lease& lease = got->front();
    state->held.insert_or_assign(owner, State::Held{lease});
    co_return lock::Grant{lease.node, lease.token, 1};
}

zk::Task<Result<void>> SemaphoreLock::release(OwnerId owner)
{
    const std::shared_ptr<State> state = m_state;
    const auto mine = state->held.find(owner);
    if (mine == state->held.end()) {
        co_return Error{ErrorCode::notOwner, "No lease is out for this owner.", ""};
    }
    if (!mine->second.lost && --mine->second.depth > 0)
        co_return Result<void>{};
    lock::Lease lease = mine->second.lease;
    state->held.erase(mine);
    const Result<void> released = co_await state->semaphore->release(std::move(lease));
    co_return released;
}

std::uint16_t SemaphoreLock::depth(OwnerId owner) const
{
    const auto mine = m_state->held.find(owner);
    return mine == m_state->held.end() || mine->second.lost ? 0 : mine->second.depth;
}

ListenerId SemaphoreLock::onLost(std::function<void(OwnerId)> callback)
{
    return m_state->lostListeners.add(std::move(callback));
}

void SemaphoreLock::removeLostListener(ListenerId listener) { m_state->lostListeners.remove(listener); }

const std::string& SemaphoreLock::path() const { return m_state->path; }

zk::Scheduler& SemaphoreLock::scheduler() { return m_state->scheduler; }

} // namespace lockscope::explore
