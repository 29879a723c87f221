#include "core/explore/cohort_lock.h"

#include "core/lock/blocking/internal/node_keeper.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/op_control.h"
#include "core/lock/internal/reasons.h"
#include "core/lock/internal/user_listeners.h"

namespace lockscope::explore {

namespace {

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

} // namespace

struct CohortLock::State
{
    State(const zk::SessionPtr& its, const lock::LockOptions& options)
        : session(its)
        , path(options.path)
        , cohort(std::make_shared<lock::Cohort>(path, kOnce))
        , keeper(std::make_shared<lock::NodeKeeper>(cohort, its->scheduler()))
        , mutex(std::make_shared<lock::Mutex>(its, options))
        , lostListeners(its->scheduler())
    {}
    static zk::Task<void> keep(std::shared_ptr<State> state);

    const zk::SessionPtr session;
    const std::string path;
    const std::shared_ptr<lock::Cohort> cohort;
    const std::shared_ptr<lock::NodeKeeper> keeper;
    std::shared_ptr<lock::Mutex> mutex; // null when the lock is gone
    lock::UserListeners<OwnerId> lostListeners;
};

CohortLock::CohortLock(zk::SessionPtr session, lock::LockOptions options)
    : m_state(std::make_shared<State>(session, options))
{
    m_state->mutex->onLost([weak = std::weak_ptr(m_state)](OwnerId) {
        const auto state = weak.lock();
        const auto lost = state ? state->keeper->lost() : std::nullopt;
        if (lost)
            state->lostListeners.notify(OwnerId{static_cast<OwnerId::Value>(lost->member.number.value)});
    });
    session->addListener([cohort = m_state->cohort](zk::SessionPhase phase) {
        cohort->setConnected(phase == zk::SessionPhase::connected);
    });
}

CohortLock::~CohortLock()
{
    m_state->lostListeners.clear();
    m_state->cohort->close(lock::destroyedError(m_state->path));
    m_state->keeper->end();
    m_state->mutex.reset();
}

zk::Task<void> CohortLock::State::keep(std::shared_ptr<State> state)
{
    std::optional<Duration> limit;
    while (state->cohort->wants(&limit)) {
        const Result<void> served =
            co_await lock::NodeKeeper::serve(state->keeper, state->session, state->mutex, limit);
        if (!served)
            state->cohort->refuse(served.error());
    }
}

zk::Task<Result<lock::Grant>> CohortLock::acquire(OwnerId owner, std::optional<Duration> limit,
                                                  lock::CancelToken cancel)
{
    using Entry = lock::Cohort::Entry;
    const std::shared_ptr<State> state = m_state; // the lock may go while we wait
    lock::OpControl control(state->session, limit, cancel, nullptr);
    CoroutineWaiter waiter(*state->cohort, owner, limit, control.shared());
    if (state->cohort->enter(waiter) == Entry::needsKeeper)
        lock::runInBackground(state->session->scheduler(), State::keep(state));
    while (!waiter.outcome && !control.stopped())
        co_await control.woken();
    if (waiter.outcome || !state->cohort->giveUp(waiter)) {
        co_return *waiter.outcome;
    }
    zk::Pending<Result<void>> over;
    state->keeper->giveUp(over.handler());
    co_await over.arrival();
    co_return control.stopError(state->path);
}

zk::Task<Result<void>> CohortLock::release(OwnerId owner)
{
    const std::shared_ptr<State> state = m_state;
    const Result<std::uint64_t> node =
        state->cohort->leave(memberOf(owner), state->session->scheduler().now());
    if (!node) {
        co_return node.error();
    }
    if (*node == 0) {
        co_return Result<void>{};
    }
    zk::Pending<Result<void>> gone;
    state->keeper->letGo(*node, gone.handler());
    Result<void> released = co_await gone.arrival();
    co_return released;
}

std::uint16_t CohortLock::depth(OwnerId owner) const
{
    return m_state->cohort->grantOf(memberOf(owner)) ? 1 : 0;
}

ListenerId CohortLock::onLost(std::function<void(OwnerId)> callback)
{
    return m_state->lostListeners.add(std::move(callback));
}

void CohortLock::removeLostListener(ListenerId listener) { m_state->lostListeners.remove(listener); }

const std::string& CohortLock::path() const { return m_state->path; }

zk::Scheduler& CohortLock::scheduler() { return m_state->session->scheduler(); }

} // namespace lockscope::explore
