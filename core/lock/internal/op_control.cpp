#include "core/lock/internal/op_control.h"

#include <boost/asio/post.hpp>

namespace lockscope::lock {

void OpControl::Shared::stop(ErrorCode why)
{
    if (!stopped)
        stopped = why;
    wake.notify();
}

OpControl::OpControl(zk::SessionPtr session, std::optional<Duration> limit, const CancelToken& cancel,
                     StepGate* gate, const Timeouts& timeouts)
    : m_session(std::move(session))
    , m_gate(gate)
    , m_timeouts(timeouts)
    , m_cancel(cancel)
    , m_isSingleTry(limit && *limit <= Duration{})
    , m_shared(makeRecycled<Shared>(m_session->scheduler()))
{
    m_sessionListener = m_session->addListener([shared = m_shared](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::suspended)
            ++shared->suspensions;
        if (isOver(phase))
            shared->stopped = ErrorCode::sessionLost;
        shared->wake.notify();
    });
    if (limit)
        m_timer = m_session->scheduler().after(m_isSingleTry ? timeouts.singleTry : *limit,
                                               [shared = m_shared] { shared->stop(ErrorCode::timedOut); });
    if (isOver(m_session->phase()))
        stop(ErrorCode::sessionLost); // no listener call will follow
    if (m_cancel.isRequested())
        stop(ErrorCode::cancelled);
    else
        m_cancelListener = m_cancel.addListener([shared = m_shared] { shared->stop(ErrorCode::cancelled); });
}

OpControl::~OpControl()
{
    m_session->removeListener(m_sessionListener);
    m_cancel.removeListener(m_cancelListener);
    if (m_timer != 0)
        m_session->scheduler().cancel(m_timer);
}

zk::Task<void> OpControl::waitUntilConnectedOrStopped()
{
    while (!stopped() && m_session->phase() != zk::SessionPhase::connected)
        co_await m_shared->wake.next();
}

zk::Task<void> OpControl::pauseFor(Duration pause)
{
    zk::Pending<bool> over;
    zk::Scheduler& scheduler = m_session->scheduler();
    const auto timer = scheduler.after(pause, [deliver = deliver(over)]() mutable { deliver(true); });
    co_await answered(over);
    scheduler.cancel(timer);
}

zk::Task<void> OpControl::pass(GateStep step)
{
    if (isGateOpen())
        co_return;
    zk::Pending<bool> passed;
    m_gate->whenOpen(step, [store = passed.handler(), shared = m_shared] {
        store(true);
        shared->wake.notify();
    });
    co_await answered(passed);
}

StepResult OpControl::fail(ErrorCode code, Message message, Message hint)
{
    return fail(Error{code, std::move(message), std::move(hint)});
}

StepResult OpControl::fail(Error error)
{
    m_error = std::move(error);
    return StepResult::failed;
}

StepResult OpControl::failRequest(zk::Code code, const Message& what, const std::string& node,
                                  const char* right)
{
    if (code == zk::Code::noAuth)
        return fail(Error{ErrorCode::noAuth, message("Not permitted to %1.", what),
                          message("Use a path that this client may read and write, or grant it access."),
                          right, node});
    if (code == zk::Code::authRequired)
        return fail(
            ErrorCode::noAuth,
            message("The server requires that clients authenticate, and this client has not: it may not %1.",
                    what),
            message(
                "Give the client a credential that the server demands. ZooKeeper's C client library has no "
                "SASL here: use a certificate (x509) or digest, and a server that accepts these too "
                "(zookeeper.enforce.auth.schemes instead of zookeeper.sessionRequireClientSASLAuth)."));
    if (code == zk::Code::noChildrenForEphemerals)
        return fail(ErrorCode::badUsage, message("The node %1 is ephemeral and cannot have children.", node),
                    message("Use another path."));
    return fail(ErrorCode::badUsage, message("ZooKeeper does not accept the path \"%1\".", node),
                message("A path begins with a slash, has no empty part and does not end with a slash."));
}

StepResult OpControl::startOver(Message reason)
{
    m_startOverReason = std::move(reason);
    return StepResult::startOver;
}

Error OpControl::stopError(const std::string& path) const
{
    switch (*m_shared->stopped) {
    case ErrorCode::timedOut:
        return Error{ErrorCode::timedOut, message("The lock %1 was not free in time.", path), {}};
    case ErrorCode::cancelled:
        return Error{ErrorCode::cancelled, message("Waiting for the lock %1 was canceled.", path), {}};
    case ErrorCode::sessionLost:
        return Error{ErrorCode::sessionLost,
                     message("The lock %1 was not acquired: the session is lost.", path),
                     message("Connect again.")};
    default:
        return Error{ErrorCode::closed, message("The lock %1 was not acquired: it was destroyed.", path), {}};
    }
}

Error OpControl::failure(const std::string& path) const
{
    if (stopped())
        return stopError(path);
    if (m_error)
        return *m_error;
    const Message why = m_startOverReason.empty() ? message("the reason is not known") : m_startOverReason;
    return Error{ErrorCode::internal, message("The lock %1 was not acquired: %2.", path, why), {}};
}

zk::Task<void> passGate(StepGate* gate, GateStep step)
{
    if (!gate || gate->open())
        co_return;
    zk::Pending<bool> passed;
    gate->whenOpen(step, [deliver = passed.handler()] { deliver(true); });
    co_await passed.arrival();
}

// Posted to the loop and not to the scheduler, whose own functions run before its sockets and timers are
// looked at.
zk::Task<void> nextTurn(zk::SessionPtr session)
{
    zk::Pending<bool> turn;
    zk::Scheduler* scheduler = &session->scheduler();
    boost::asio::post(scheduler->executor(), [scheduler, resume = turn.handler()] {
        zk::invokeUserCallback(*scheduler, resume, true);
    });
    co_await turn.arrival();
}

} // namespace lockscope::lock
