#include "core/lock/blocking/internal/node_keeper.h"

namespace lockscope::lock {

NodeKeeper::NodeKeeper(std::shared_ptr<Cohort> cohort, zk::Scheduler& scheduler)
    : m_cohort(std::move(cohort))
    , m_changed(scheduler)
{}

// A single try must not wait for a reconnect.
zk::Task<Result<void>> NodeKeeper::serve(std::shared_ptr<NodeKeeper> keeper, zk::SessionPtr session,
                                         std::shared_ptr<Mutex> mutex, std::optional<Duration> limit)
{
    const CancelToken cancel;
    keeper->m_cancel = cancel;
    zk::Session::ListenerId listener = 0;
    if (limit)
        listener = session->addListener([cancel](zk::SessionPhase) { cancel.request(); });
    keeper->m_acquiring = true;
    const Result<Grant> grant = co_await mutex->acquire(kOnlyOwner, limit, cancel);
    keeper->m_acquiring = false;
    session->removeListener(listener);
    Result<void> released{};
    if (grant) {
        keeper->m_hasNode = true;
        const std::uint64_t number = keeper->m_cohort->granted(*grant, session->scheduler().now());
        if (session->phase() != zk::SessionPhase::connected)
            keeper->m_cohort->setConnected(false);
        while (keeper->m_cohort->isHeld())
            co_await keeper->m_changed.next();
        if (mutex->depth() > 0 && !keeper->m_cohort->isClosed())
            released = co_await mutex->release();
        keeper->m_gone = number;
        keeper->m_hasNode = false;
    }
    for (Told& told : std::exchange(keeper->m_told, {}))
        told(released);
    if (grant) {
        co_return Result<void>{};
    }
    if (grant.error().code == ErrorCode::cancelled) {
        co_return Error{ErrorCode::timedOut,
                        message("The server did not answer whether the lock %1 is free.", mutex->path()),
                        {}};
    }
    co_return grant.error();
}

std::optional<Cohort::Lost> NodeKeeper::lost()
{
    std::optional<Cohort::Lost> hold = m_cohort->lost();
    m_changed.notify();
    return hold;
}

void NodeKeeper::letGo(std::uint64_t node, Told told)
{
    if (m_gone >= node)
        return told({});
    m_told.push_back(std::move(told));
    m_changed.notify();
}

void NodeKeeper::giveUp(Told told)
{
    const bool goes = m_hasNode && !m_cohort->isHeld();
    if (m_acquiring ? m_cohort->isWanted() : !goes)
        return told({});
    m_told.push_back(std::move(told));
    if (m_acquiring)
        m_cancel.request();
}

void NodeKeeper::end()
{
    m_cancel.request();
    m_changed.notify();
}

} // namespace lockscope::lock
