#include "core/lock/lease_op.h"

#include "core/lock/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

// An error when its node stays; others say that it is gone, as we want.
zk::Task<std::optional<Error>> releaseAcquireMutex(std::shared_ptr<SemaphoreCore> core, OwnerId acquireId)
{
    if (!core->acquireMutex)
        co_return std::nullopt;
    const Result<void> released = co_await core->acquireMutex->release(acquireId);
    if (!released && released.error().code == ErrorCode::noAuth)
        co_return released.error();
    co_return std::nullopt;
}

zk::Task<void> leaveInBackground(std::shared_ptr<SemaphoreCore> core, OwnerId acquireId)
{
    const std::optional<Error> undeleted = co_await releaseAcquireMutex(core, acquireId);
    if (undeleted)
        core->nodeClient.report(*undeleted);
}

} // namespace

LeaseOp::LeaseOp(std::shared_ptr<SemaphoreCore> core, OwnerId owner, std::uint32_t count, EventIndex called,
                 std::optional<Duration> limit, CancelToken cancel)
    : m_core(std::move(core))
    , m_nodeClient(m_core->nodeClient)
    , m_owner(owner)
    , m_count(count)
    , m_cancel(std::move(cancel))
    , m_control(m_nodeClient.sessionPtr(), limit, m_cancel.get(), m_core->options.lock.gate)
    , m_acquireId(OwnerId{m_core->acquireCount++})
{
    if (limit)
        m_deadline = zk::deadlineAfter(m_control.session().scheduler().now(), *limit);
    m_core->acquiring[m_acquireId] = this;
    m_control.setCause(called);
    onMaxLeasesChanged();
}

LeaseOp::~LeaseOp() { m_core->acquiring.erase(m_acquireId); }

// It would wait inside for leases that cannot be, and no other client could go in. A count of 0 closes the semaphore
// to all alike, until it is raised.
void LeaseOp::onMaxLeasesChanged()
{
    const std::uint32_t maxLeases = m_core->maxLeases();
    const bool closed = m_core->options.count && maxLeases == 0;
    if (m_count > maxLeases && !closed) {
        m_control.stop(ErrorCode::limitExceeded);
        m_cancel.request();
    } else {
        m_control.shared()->wake.notify();
    }
}

void LeaseOp::onAcquireMutexLost()
{
    m_acquireMutexLost = true;
    m_control.shared()->wake.notify();
}

std::vector<Lease> LeaseOp::leases() const
{
    std::vector<Lease> all;
    for (const ProtectedNode& node : m_nodes)
        all.push_back(Lease{node.name(), node.token(), m_owner});
    return all;
}

zk::Task<Result<std::vector<Lease>>> LeaseOp::run()
{
    zk::Scheduler& scheduler = m_control.session().scheduler();
    Retry retry(m_core->options.lock.retry, m_control.cause().value, scheduler.now());
    for (;;) {
        StepResult next = co_await enter();
        if (next == StepResult::proceed)
            next = co_await attempt();
        if (next == StepResult::proceed) {
            co_await m_control.pass(Step::acquired);
            next = m_control.stopped() ? StepResult::failed : StepResult::proceed;
        }
        if (next == StepResult::proceed) {
            // Others may enter; the caller need not wait for that.
            runInBackground(scheduler, leaveInBackground(m_core, m_acquireId));
            co_return leases();
        }
        // Every way out without the leases: no node of ours may stay.
        m_watch.reset();
        CleanUp cleanUp(m_control);
        for (ProtectedNode& node : m_nodes)
            node.giveUp(cleanUp);
        const bool over = m_control.stopped() || next == StepResult::failed;
        const std::optional<Duration> pause = over ? std::nullopt : retry.next(scheduler.now());
        if (!pause || m_acquireMutexLost)
            leave(cleanUp);
        std::optional<Error> undeleted = co_await cleanUp.finish();
        undeleted = undeleted ? undeleted : m_undeleted;
        if (undeleted && !over && pause) { // another attempt would count that lease
            leave(cleanUp);
            co_await cleanUp.finish();
        }
        if (!pause || undeleted || m_control.stopped()) {
            co_return failure(next, retry.tries() + 1, undeleted);
        }
        const std::string& last = m_nodes.back().prefix();
        m_control.setCause(
            m_nodeClient.sink().record(trace::StartedOver{last, m_control.why()}, m_control.cause()));
        co_await m_control.pauseFor(*pause);
    }
}

// Of an acquire that ends without its leases.
Error LeaseOp::failure(StepResult how, std::uint32_t tries, const std::optional<Error>& undeleted) const
{
    if (m_control.stopped())
        return withCleanUpError(m_core->stopError(*m_control.shared()->stopped, m_count), undeleted);
    if (how == StepResult::failed && m_control.error() && !m_undeleted)
        return withCleanUpError(*m_control.error(), undeleted);
    if (undeleted)
        return *undeleted;
    const Message times = tries == 1 ? message("one try") : message("%1 tries", tries);
    return Error{ErrorCode::internal,
                 message("The semaphore %1 gave no lease in %2: %3.", m_core->path, times, m_control.why()),
                 message("See what happens to the children of %1.", m_nodeClient.path())};
}

// Zero when a limit has passed: one look does no harm then.
std::optional<Duration> LeaseOp::timeLeft() const
{
    if (!m_deadline)
        return std::nullopt;
    return std::max(Duration{}, *m_deadline - m_control.session().scheduler().now());
}

zk::Task<StepResult> LeaseOp::enter()
{
    if (m_control.stopped() || !m_core->acquireMutex)
        co_return StepResult::failed;
    if (m_holdsAcquireMutex)
        co_return StepResult::proceed;
    m_acquireMutexLost = false;
    const Result<Grant> entered = co_await m_core->acquireMutex->acquire(m_acquireId, timeLeft(), m_cancel.get());
    m_holdsAcquireMutex = entered.has_value();
    if (m_holdsAcquireMutex)
        co_return StepResult::proceed;
    const Error& error = entered.error();
    const bool stopped = error.code == ErrorCode::timedOut || error.code == ErrorCode::cancelled ||
                         error.code == ErrorCode::sessionLost || error.code == ErrorCode::closed;
    if (stopped)
        m_control.stop(error.code);
    if (error.code == ErrorCode::noAuth)
        m_undeleted = error;
    co_return m_control.fail(error);
}

void LeaseOp::leave(CleanUp& cleanUp)
{
    if (std::exchange(m_holdsAcquireMutex, false))
        cleanUp.start(m_nodeClient, releaseAcquireMutex(m_core, m_acquireId));
}

} // namespace lockscope::lock
