#include "core/lock/lease_op.h"

#include "core/lock/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

// An error when its node stays; others say that it is gone, as we want.
zk::Task<std::optional<Error>> releaseEntrance(std::shared_ptr<SemaphoreCore> core, OwnerId visitor)
{
    if (!core->entrance)
        co_return std::nullopt;
    const Result<void> released = co_await core->entrance->release(visitor);
    if (!released && released.error().code == ErrorCode::noAuth)
        co_return released.error();
    co_return std::nullopt;
}

zk::Task<void> leaveLater(std::shared_ptr<SemaphoreCore> core, OwnerId visitor)
{
    const std::optional<Error> stays = co_await releaseEntrance(core, visitor);
    if (stays)
        core->wire.report(*stays);
}

} // namespace

LeaseOp::LeaseOp(std::shared_ptr<SemaphoreCore> core, OwnerId owner, std::uint32_t count, EventIndex called,
                 std::optional<Duration> limit, Cancel cancel)
    : m_core(std::move(core))
    , m_wire(m_core->wire)
    , m_owner(owner)
    , m_count(count)
    , m_cancel(std::move(cancel))
    , m_control(m_wire.sessionPtr(), limit, m_cancel.get(), m_core->options.lock.gate)
    , m_visitor(OwnerId{m_core->visitors++})
{
    if (limit)
        m_deadline = zk::deadlineAfter(m_control.session().scheduler().now(), *limit);
    m_core->acquiring[m_visitor] = this;
    m_control.setCause(called);
    mostChanged();
}

LeaseOp::~LeaseOp() { m_core->acquiring.erase(m_visitor); }

// It would wait inside for leases that cannot be, and no other client could go in. A count of 0 closes the semaphore
// to all alike, until it is raised.
void LeaseOp::mostChanged()
{
    const std::uint32_t most = m_core->most();
    const bool closed = m_core->options.count && most == 0;
    if (m_count > most && !closed) {
        m_control.stop(ErrorCode::limitExceeded);
        m_cancel.request();
    } else {
        m_control.shared()->wake.notify();
    }
}

void LeaseOp::entranceLost()
{
    m_entranceLost = true;
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
        Next next = co_await enter();
        if (next == Next::go)
            next = co_await attempt();
        if (next == Next::go) {
            co_await m_control.pass(Step::acquired);
            next = m_control.stopped() ? Next::failed : Next::go;
        }
        if (next == Next::go) {
            // Others may enter; the caller need not wait for that.
            runInBackground(scheduler, leaveLater(m_core, m_visitor));
            co_return leases();
        }
        // Every way out without the leases: no node of ours may stay.
        m_watch.reset();
        CleanUp cleanUp(m_control);
        for (ProtectedNode& node : m_nodes)
            node.giveUp(cleanUp);
        const bool over = m_control.stopped() || next == Next::failed;
        const std::optional<Duration> pause = over ? std::nullopt : retry.next(scheduler.now());
        if (!pause || m_entranceLost)
            leave(cleanUp);
        std::optional<Error> stays = co_await cleanUp.finish();
        stays = stays ? stays : m_stays;
        if (stays && !over && pause) { // another attempt would count that lease
            leave(cleanUp);
            co_await cleanUp.finish();
        }
        if (!pause || stays || m_control.stopped()) {
            co_return failure(next, retry.tries() + 1, stays);
        }
        const std::string& last = m_nodes.back().prefix();
        m_control.setCause(
            m_wire.sink().record(trace::StartedOver{last, m_control.why()}, m_control.cause()));
        co_await m_control.rest(*pause);
    }
}

// Of an acquire that ends without its leases.
Error LeaseOp::failure(Next how, std::uint32_t tries, const std::optional<Error>& stays) const
{
    if (m_control.stopped())
        return withRest(m_core->stopError(*m_control.shared()->stopped, m_count), stays);
    if (how == Next::failed && m_control.error() && !m_stays)
        return withRest(*m_control.error(), stays);
    if (stays)
        return *stays;
    const std::string times = tries == 1 ? "one try" : std::to_string(tries) + " tries";
    return Error{ErrorCode::internal,
                 "The semaphore " + m_core->path + " gave no lease in " + times + ": " + m_control.why() +
                     ".",
                 "See what happens to the children of " + m_wire.path() + "."};
}

// Zero when a limit has passed: one look does no harm then.
std::optional<Duration> LeaseOp::timeLeft() const
{
    if (!m_deadline)
        return std::nullopt;
    return std::max(Duration{}, *m_deadline - m_control.session().scheduler().now());
}

zk::Task<Next> LeaseOp::enter()
{
    if (m_control.stopped() || !m_core->entrance)
        co_return Next::failed;
    if (m_inside)
        co_return Next::go;
    m_entranceLost = false;
    const Result<Grant> entered = co_await m_core->entrance->acquire(m_visitor, timeLeft(), m_cancel.get());
    m_inside = entered.has_value();
    if (m_inside)
        co_return Next::go;
    const Error& error = entered.error();
    const bool stopped = error.code == ErrorCode::timedOut || error.code == ErrorCode::cancelled ||
                         error.code == ErrorCode::sessionLost || error.code == ErrorCode::closed;
    if (stopped)
        m_control.stop(error.code);
    if (error.code == ErrorCode::noAuth)
        m_stays = error;
    co_return m_control.fail(error);
}

void LeaseOp::leave(CleanUp& cleanUp)
{
    if (std::exchange(m_inside, false))
        cleanUp.start(m_wire, releaseEntrance(m_core, m_visitor));
}

} // namespace lockscope::lock
