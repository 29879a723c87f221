#include "core/explore/driven_locks.h"

#include "core/lock/blocking/internal/node_keeper.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/op_control.h"
#include "core/lock/internal/reasons.h"
#include "core/lock/semaphore.h"

#include <map>

namespace lockscope::explore {

namespace {

using CorePtr = std::shared_ptr<lock::LockCore>;

// ---- a semaphore ----

struct SemaphoreLockCore final : lock::LockCore
{
    SemaphoreLockCore(const zk::SessionPtr& session, lock::LockOptions options)
        : LockCore(session->scheduler())
        , itsPath(options.path)
    {
        lock::SemaphoreOptions own;
        own.lock = std::move(options);
        own.leases = kLeases;
        semaphore = std::make_unique<lock::Semaphore>(session, std::move(own));
    }
    void lose(const lock::Lease& lease)
    {
        const auto mine = held.find(lease.owner);
        if (mine == held.end() || mine->second.lease.node != lease.node)
            return;
        mine->second.lost = true;
        lostListeners.notify(lease.owner); // may destroy the lock
    }
    zk::Task<Result<lock::Grant>> acquire(CorePtr self, OwnerId owner, std::optional<Duration> limit,
                                          lock::LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(CorePtr self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override
    {
        const auto mine = held.find(owner);
        return mine == held.end() || mine->second.lost ? 0 : mine->second.depth;
    }
    const std::string& path() const override { return itsPath; }
    void shutDown() override
    {
        lostListeners.clear();
        semaphore.reset();
    }

    struct Held
    {
        lock::Lease lease;
        std::uint16_t depth = 1;
        bool lost = false; // its release will say so
    };
    const std::string itsPath;
    std::unique_ptr<lock::Semaphore> semaphore; // null when the lock is gone
    std::map<OwnerId, Held> held;
};

zk::Task<Result<lock::Grant>> SemaphoreLockCore::acquire([[maybe_unused]] CorePtr self, OwnerId owner,
                                                         std::optional<Duration> limit,
                                                         lock::LinkedCancelToken cancel)
{
    const auto mine = held.find(owner);
    if (mine != held.end() && !mine->second.lost) {
        const std::uint16_t depth = ++mine->second.depth;
        co_return lock::Grant{mine->second.lease.node, mine->second.lease.token, depth};
    }
    if (!semaphore) {
        co_return lock::destroyedError(itsPath);
    }
    const Result<std::vector<lock::Lease>> got = co_await semaphore->acquire(owner, 1, limit, cancel.get());
    if (!got) {
        co_return got.error();
    }
    const lock::Lease& lease = got->front();
    held.insert_or_assign(owner, Held{lease});
    co_return lock::Grant{lease.node, lease.token, 1};
}

zk::Task<Result<void>> SemaphoreLockCore::release([[maybe_unused]] CorePtr self, OwnerId owner)
{
    const auto mine = held.find(owner);
    if (mine == held.end()) {
        co_return Error{ErrorCode::notOwner, "No lease is out for this owner.", ""};
    }
    if (!semaphore) {
        co_return lock::destroyedError(itsPath);
    }
    if (!mine->second.lost && --mine->second.depth > 0)
        co_return Result<void>{};
    lock::Lease lease = mine->second.lease;
    held.erase(mine);
    const Result<void> released = co_await semaphore->release(std::move(lease));
    co_return released;
}

// ---- a cohort ----

constexpr lock::LocalHandoffs kOnce{1, std::chrono::hours(1)};

lock::Caller memberOf(OwnerId owner) { return {lock::ThreadNumber{owner.value}, {}}; }

class CoroutineWaiter final : public lock::Cohort::Waiter
{
public:
    CoroutineWaiter(lock::Cohort& cohort, OwnerId owner, std::optional<Duration> limit,
                    std::shared_ptr<lock::OpControl::Shared> shared)
        : Waiter(memberOf(owner), limit)
        , m_cohort(cohort)
        , m_shared(std::move(shared))
    {}
    ~CoroutineWaiter() override { m_cohort.giveUp(*this); } // its coroutine may be destroyed while it waits
    void wake() noexcept override { m_shared->wake.notify(); }

private:
    lock::Cohort& m_cohort;
    std::shared_ptr<lock::OpControl::Shared> m_shared;
};

struct CohortLockCore final : lock::LockCore, std::enable_shared_from_this<CohortLockCore>
{
    CohortLockCore(const zk::SessionPtr& its, const lock::LockOptions& options)
        : LockCore(its->scheduler())
        , session(its)
        , itsPath(options.path)
        , cohort(std::make_shared<lock::Cohort>(itsPath, kOnce))
        , keeper(std::make_shared<lock::NodeKeeper>(cohort, scheduler))
        , mutex(std::make_shared<lock::Mutex>(its, options))
    {
        session->addListener([all = cohort](zk::SessionPhase phase) {
            all->setConnected(phase == zk::SessionPhase::connected);
        });
    }
    // A coroutine runs in a later turn than the outcome, and its hold may be lost until then. A thread whose
    // hold is lost before it runs learns that when it unlocks.
    Result<lock::Grant> stillTrue(OwnerId owner, Result<lock::Grant> outcome)
    {
        if (!outcome || cohort->grantOf(memberOf(owner)))
            return outcome;
        static_cast<void>(cohort->leave(memberOf(owner), scheduler.now()));
        if (cohort->isClosed())
            return lock::destroyedError(itsPath);
        return Error{ErrorCode::sessionLost, message("The hold of %1 was lost.", itsPath), {}};
    }
    void lose()
    {
        if (const auto lost = keeper->lost()) // may destroy the lock
            lostListeners.notify(OwnerId{static_cast<OwnerId::Value>(lost->member.number.value)});
    }
    zk::Task<Result<lock::Grant>> acquire(CorePtr self, OwnerId owner, std::optional<Duration> limit,
                                          lock::LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(CorePtr self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override { return cohort->grantOf(memberOf(owner)) ? 1 : 0; }
    const std::string& path() const override { return itsPath; }
    void shutDown() override
    {
        lostListeners.clear();
        cohort->close(lock::destroyedError(itsPath));
        keeper->end();
        mutex.reset();
    }
    static zk::Task<void> keep(std::shared_ptr<CohortLockCore> core);

    const zk::SessionPtr session;
    const std::string itsPath;
    const std::shared_ptr<lock::Cohort> cohort;
    const std::shared_ptr<lock::NodeKeeper> keeper;
    std::shared_ptr<lock::Mutex> mutex; // null when the lock is gone
};

zk::Task<void> CohortLockCore::keep(std::shared_ptr<CohortLockCore> core)
{
    std::optional<Duration> limit;
    while (core->cohort->wants(&limit)) {
        const Result<void> served =
            co_await lock::NodeKeeper::serve(core->keeper, core->session, core->mutex, limit);
        if (!served)
            core->cohort->refuse(served.error());
    }
}

zk::Task<Result<lock::Grant>> CohortLockCore::acquire([[maybe_unused]] CorePtr self, OwnerId owner,
                                                      std::optional<Duration> limit,
                                                      lock::LinkedCancelToken cancel)
{
    using Entry = lock::Cohort::Entry;
    lock::OpControl control(session, limit, cancel.get(), nullptr);
    CoroutineWaiter waiter(*cohort, owner, limit, control.shared());
    const Entry entry = cohort->enter(waiter);
    if (entry == Entry::needsKeeper)
        lock::runInBackground(scheduler, keep(shared_from_this()));
    if (entry == Entry::ended && *waiter.outcome)
        co_await lock::nextTurn(session); // a re-entry
    while (!waiter.outcome && !control.stopped())
        co_await control.woken();
    if (waiter.outcome || !cohort->giveUp(waiter)) {
        co_return stillTrue(owner, *waiter.outcome);
    }
    zk::Pending<Result<void>> over;
    keeper->giveUp(over.handler());
    co_await over.arrival();
    co_return control.stopError(itsPath);
}

zk::Task<Result<void>> CohortLockCore::release([[maybe_unused]] CorePtr self, OwnerId owner)
{
    const Result<std::uint64_t> node = cohort->leave(memberOf(owner), scheduler.now());
    if (!node) {
        co_return node.error();
    }
    if (*node == 0) {
        co_return Result<void>{};
    }
    zk::Pending<Result<void>> gone;
    keeper->letGo(*node, gone.handler());
    Result<void> released = co_await gone.arrival();
    co_return released;
}

CorePtr makeSemaphoreLockCore(const zk::SessionPtr& session, lock::LockOptions options)
{
    const auto core = std::make_shared<SemaphoreLockCore>(session, std::move(options));
    core->semaphore->onLost([weak = std::weak_ptr(core)](const lock::Lease& lease) {
        if (const auto alive = weak.lock())
            alive->lose(lease);
    });
    return core;
}

CorePtr makeCohortLockCore(const zk::SessionPtr& session, const lock::LockOptions& options)
{
    const auto core = std::make_shared<CohortLockCore>(session, options);
    core->mutex->onLost([weak = std::weak_ptr(core)](OwnerId) {
        if (const auto alive = weak.lock())
            alive->lose();
    });
    return core;
}

} // namespace

SemaphoreLock::SemaphoreLock(zk::SessionPtr session, lock::LockOptions options)
    : RecipeLock(makeSemaphoreLockCore(session, std::move(options)))
{}

CohortLock::CohortLock(zk::SessionPtr session, lock::LockOptions options)
    : RecipeLock(makeCohortLockCore(session, options))
{}

} // namespace lockscope::explore
