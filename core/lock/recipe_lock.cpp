#include "core/lock/recipe_lock.h"

#include "core/lock/internal/lock_core.h"

namespace lockscope::lock {

RecipeLock::RecipeLock(std::shared_ptr<LockCore> core)
    : m_core(std::move(core))
{}

zk::Task<Result<Grant>> RecipeLock::acquire(OwnerId owner, std::optional<Duration> limit, CancelToken cancel)
{
    return cancellable(m_core->scheduler, std::move(cancel), [&](LinkedCancelToken linked) {
        return m_core->acquire(m_core.shared(), owner, limit, std::move(linked));
    });
}

zk::Task<Result<void>> RecipeLock::release(OwnerId owner)
{
    return m_core->release(m_core.shared(), owner).onScheduler(m_core->scheduler);
}

std::uint16_t RecipeLock::depth(OwnerId owner) const { return m_core->depth(owner); }

ListenerId RecipeLock::onLost(std::function<void(OwnerId)> callback)
{
    return m_core->lostListeners.add(std::move(callback));
}

void RecipeLock::removeLostListener(ListenerId listener) { m_core->lostListeners.remove(listener); }

void RecipeLock::explainTimeouts() { m_core->explainTimeouts(); }

std::optional<Refusal> RecipeLock::takeRefusal(OwnerId owner) { return m_core->takeRefusal(owner); }

const std::string& RecipeLock::path() const { return m_core->path(); }

zk::Scheduler& RecipeLock::scheduler() { return m_core->scheduler; }

} // namespace lockscope::lock
