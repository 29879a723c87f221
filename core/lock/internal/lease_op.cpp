#include "core/lock/internal/lease_op.h"

#include "core/lock/internal/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

// Returns an error only when the node remains; the other errors of a release mean that it is gone.
zk::Task<std::optional<Error>> releaseAcquireMutex(std::shared_ptr<SemaphoreCore> core, OwnerId acquireId)
{
    if (core->isShutDown())
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
    , m_control(m_nodeClient.sessionPtr(), limit, m_cancel.get(), m_core->gate, m_core->options.lock.timeouts)
    , m_acquireId(OwnerId{m_core->acquireCount++})
{
    if (limit)
        m_deadline = zk::deadlineAfter(m_control.session().scheduler().now(), *limit);
    m_core->acquiring[m_acquireId] = this;
    m_control.setCause(called);
    onMaxLeasesChanged();
}

LeaseOp::~LeaseOp() { m_core->acquiring.erase(m_acquireId); }

// An acquire of more leases than the limit would hold the mutex, wait in vain, and block all other clients. A
// count of 0 closes the semaphore to all clients until it is raised.
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
    Retry retry(m_core->options.lock.retry, scheduler.now());
    for (;;) {
        StepResult next = co_await enter();
        if (next == StepResult::proceed)
            next = co_await attempt();
        if (next == StepResult::proceed) {
            co_await m_control.pass(GateStep::acquired);
            next = m_control.stopped() ? StepResult::failed : StepResult::proceed;
        }
        if (next == StepResult::proceed) {
            // Release the mutex; the caller does not wait for that.
            runInBackground(scheduler, leaveInBackground(m_core, m_acquireId));
            co_return leases();
        }
        // After an exit without the leases, none of our nodes may stay.
        m_watch.reset();
        CleanUp cleanUp(m_control);
        std::optional<Refusal> inQueue;
        const std::shared_ptr<Refusal> refusal = askWhoIsAhead(cleanUp, &inQueue);
        for (ProtectedNode& node : m_nodes)
            node.giveUp(cleanUp);
        const bool over = m_control.stopped() || next == StepResult::failed;
        const std::optional<Duration> pause =
            over ? std::nullopt : retry.next(m_control.pauseSeed(m_owner), scheduler.now());
        if (!pause || m_acquireMutexLost)
            leave(cleanUp);
        std::optional<Error> undeleted = co_await cleanUp.finish();
        undeleted = undeleted ? undeleted : m_undeleted;
        // Another attempt would count a lease node that was not deleted. If the stop came while the lease
        // nodes were being deleted, the node in the mutex's queue must still be deleted.
        if (!pause || undeleted || m_control.stopped()) {
            leave(cleanUp);
            const std::optional<Error> rest = co_await cleanUp.finish();
            co_return failure(next, retry.retries() + 1, undeleted ? undeleted : rest,
                              learned(refusal.get(), inQueue));
        }
        const std::string& last = m_nodes.back().prefix();
        m_control.setCause(m_nodeClient.sink().record(event::StartedOver{last, m_control.startOverReason()},
                                                      m_control.cause()));
        co_await m_control.pauseFor(*pause);
    }
}

// Together with the deletes of our own nodes: a session is a FIFO, so the list comes first. When the mutex
// was not ours in time, its refusal says who is ahead in the queue, unless they have gone meanwhile.
std::shared_ptr<Refusal> LeaseOp::askWhoIsAhead(CleanUp& cleanUp, std::optional<Refusal>* inQueue)
{
    const bool connected = m_control.session().phase() == zk::SessionPhase::connected;
    if (!m_core->refusals.wanted || !m_control.isTimedOut() || !connected || m_core->isShutDown())
        return nullptr;
    *inQueue = m_core->acquireMutex->takeRefusal(m_acquireId);
    const bool inside = m_holdsAcquireMutex && !m_nodes.empty();
    const std::string own = inside ? m_nodes.front().name() : behindAll(m_nodeClient.naming());
    const MonotonicTime now = m_control.session().scheduler().now();
    if (own.empty() || !m_deadline || now - *m_deadline >= m_control.timeouts().cleanUp)
        return nullptr; // it has no name yet; or the server has not answered the mutex for so long
    auto refusal = std::make_shared<Refusal>();
    cleanUp.start(m_nodeClient, askWhoHolds(m_nodeClient, Rule::allAhead, own, refusal));
    return refusal;
}

// The oldest lease, and what was ahead: those in the queue, or else the leases that had to come back first.
Refusal LeaseOp::learned(const Refusal* leases, const std::optional<Refusal>& inQueue) const
{
    if (!leases || leases->ahead == 0)
        return inQueue.value_or(Refusal{});
    Refusal refusal = *leases;
    const std::uint32_t wanted = leases->ahead + m_count;
    refusal.ahead = inQueue ? inQueue->ahead : wanted - std::min(wanted, m_core->maxLeases());
    return refusal;
}

// The error of an acquire that ends without its leases.
Error LeaseOp::failure(StepResult how, std::uint32_t tries, const std::optional<Error>& undeleted,
                       const Refusal& refusal) const
{
    if (m_control.stopped()) {
        Error stopped = m_core->stopError(*m_control.shared()->stopped, m_count);
        return withCleanUpError(m_core->refusals.keep(m_owner, std::move(stopped), refusal), undeleted);
    }
    if (how == StepResult::failed && m_control.error() && !m_undeleted)
        return withCleanUpError(*m_control.error(), undeleted);
    if (undeleted)
        return *undeleted;
    const Message times = tries == 1 ? message("one try") : message("%1 tries", tries);
    return Error{
        ErrorCode::internal,
        message("The semaphore %1 gave no lease in %2: %3.", m_core->path, times,
                m_control.startOverReason()),
        message("Find out which program deletes or changes the nodes under %1.", m_nodeClient.path())};
}

// Zero when the limit has passed: a single try does no harm then.
std::optional<Duration> LeaseOp::timeLeft() const
{
    if (!m_deadline)
        return std::nullopt;
    return std::max(Duration{}, *m_deadline - m_control.session().scheduler().now());
}

zk::Task<StepResult> LeaseOp::enter()
{
    if (m_control.stopped() || m_core->isShutDown())
        co_return StepResult::failed;
    if (m_holdsAcquireMutex)
        co_return StepResult::proceed;
    m_acquireMutexLost = false;
    const Result<Grant> entered =
        co_await m_core->acquireMutex->acquire(m_acquireId, timeLeft(), m_cancel.get());
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

ProtectedNode::NodeSpec LeaseOp::nodeSpec(bool last)
{
    ProtectedNode::NodeSpec nodeSpec{m_nodeClient.naming().lockName, m_core->options.lock.nodeData};
    // A session is a FIFO: a list sent with the last create is read after all creates were applied.
    if (last)
        nodeSpec.afterCreate = [this] {
            if (m_control.isGateOpen())
                sendList(true);
        };
    return nodeSpec;
}

zk::Task<StepResult> LeaseOp::attempt()
{
    m_listSent.reset();
    m_nodes.clear();
    while (m_nodes.size() < m_count) {
        const bool last = m_nodes.size() + 1 == m_count;
        m_nodes.emplace_back(m_control, m_nodeClient, nodeSpec(last));
        std::string prefix = NodeNaming::protectionPrefix(m_core->guids.next());
        const StepResult made = co_await m_nodes.back().make(std::move(prefix), false);
        if (made != StepResult::proceed)
            co_return made;
    }
    const StepResult next = co_await waitForLeases();
    co_return next == StepResult::proceed&& m_control.stopped() ? StepResult::failed : next;
}

// The first list sets no watch, because a watch cannot be removed. When no lease is free, a second list sets
// one and decides, because a lease released between the two lists fires no watch.
zk::Task<StepResult> LeaseOp::waitForLeases()
{
    for (;;) {
        const StepResult first = co_await checkLeases(false);
        if (first != StepResult::repeat)
            co_return first;
        const StepResult second = co_await checkLeases(true);
        if (second != StepResult::repeat)
            co_return second;
        const StepResult slept = co_await sleep();
        if (slept != StepResult::proceed)
            co_return slept;
    }
}

// repeat: not enough leases are free yet.
zk::Task<StepResult> LeaseOp::checkLeases(bool watch)
{
    StepResult listed = StepResult::repeat;
    while (listed == StepResult::repeat)
        listed = co_await listOnce(watch);
    if (listed != StepResult::proceed)
        co_return listed;
    m_maxLeases = m_core->maxLeases();
    const std::uint32_t excess = m_listed.count > m_maxLeases ? m_listed.count - m_maxLeases : 0;
    m_control.setCause(m_nodeClient.sink().record(
        event::Queued{m_nodes.back().name(), excess, m_listed.count, {}}, m_control.cause()));
    co_await m_control.pass(GateStep::decide);
    if (excess == 0)
        co_return m_control.stopped() ? StepResult::failed : StepResult::proceed;
    if (m_control.isSingleTry())
        m_control.stop(ErrorCode::timedOut);
    co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
}

zk::Task<StepResult> LeaseOp::listOnce(bool watch)
{
    if (!m_listSent) {
        co_await m_control.pass(watch ? GateStep::watch : GateStep::list);
        if (m_control.stopped())
            co_return StepResult::failed;
        m_suspensions = m_control.suspensions();
        if (watch)
            sendWatchedList();
        else
            sendList(false);
    }
    const zk::Pending<Answer<ListResult>> sent = *m_listSent;
    co_await m_control.answered(sent);
    m_listSent.reset();
    if (!sent.ready())
        co_return StepResult::failed;
    const Answer<ListResult> answer = sent.take();
    m_control.setCause(answer.event);
    const zk::Code code = answer.value.code;
    if (code == zk::Code::unknown) {
        co_await m_control.waitUntilConnectedOrStopped();
        co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
    }
    m_listed = answer.value.decision;
    if (code == zk::Code::ok && m_listed.found)
        co_return StepResult::proceed;
    if (code == zk::Code::ok || code == zk::Code::noNode)
        co_return m_control.startOver(
            message("one of its own leases is missing from the list")); // CURATOR-335
    if (zk::isFinal(code))
        co_return m_control.failRequest(code, message("list the children of %1", m_nodeClient.path()),
                                        m_nodeClient.path(), "read");
    co_return m_control.startOver(message("listing the leases failed (%1)", describe(code)));
}

// Counts the leases and checks that they include all of ours, by prefix: our last node may have no name yet.
LockNodeClient::ListReducer LeaseOp::leaseCounter() const
{
    std::vector<std::string> own;
    for (const ProtectedNode& node : m_nodes)
        own.push_back(node.prefix());
    return [own = std::move(own)](zk::ChildNames names) {
        Decision decision;
        decision.count = static_cast<std::uint32_t>(names.size());
        decision.found = std::all_of(own.begin(), own.end(), [names](const std::string& prefix) {
            return std::any_of(names.begin(), names.end(),
                               [&](const char* name) { return std::string_view(name).starts_with(prefix); });
        });
        return decision;
    };
}

void LeaseOp::sendList(bool pipelined)
{
    m_listSent.emplace();
    m_nodeClient.list(leaseCounter(), pipelined, m_control.deliver(*m_listSent), m_control.cause());
}

void LeaseOp::sendWatchedList()
{
    *m_watchState = WatchState{};
    m_listSent.emplace();
    m_watch = m_nodeClient.listAndWatch(
        leaseCounter(),
        [seen = m_watchState, shared = m_control.shared()](zk::WatchKind, EventIndex event) {
            *seen = WatchState{true, event};
            shared->wake.notify();
        },
        m_control.deliver(*m_listSent), m_control.cause());
}

// Sleeps until the leases or the limit change, the mutex is lost, or our view may be out of date.
zk::Task<StepResult> LeaseOp::sleep()
{
    co_await m_control.pass(GateStep::sleep);
    while (!m_control.stopped() && !m_watchState->fired && !m_acquireMutexLost &&
           m_core->maxLeases() == m_maxLeases && m_control.suspensions() == m_suspensions)
        co_await m_control.woken();
    co_await m_control.pass(GateStep::woken);
    if (m_control.suspensions() != m_suspensions)
        co_await m_control.waitUntilConnectedOrStopped();
    if (m_control.stopped())
        co_return StepResult::failed;
    if (m_acquireMutexLost)
        co_return m_control.startOver(message("the node in %1/locks is gone", m_core->path));
    if (m_watchState->fired)
        m_control.setCause(m_watchState->event);
    co_return StepResult::proceed;
}

} // namespace lockscope::lock
