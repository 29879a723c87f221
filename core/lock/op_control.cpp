#include "core/lock/op_control.h"

#include "core/lock/lock.h"

namespace lockscope::lock {

void OpControl::Shared::stop(ErrorCode why)
{
    if (!stopped)
        stopped = why;
    wake.notify();
}

OpControl::OpControl(zk::SessionPtr session, std::optional<Duration> limit, const Cancel& cancel,
                     StepGate* gate)
    : m_session(std::move(session))
    , m_gate(gate)
    , m_cancel(cancel)
    , m_once(limit && *limit <= Duration{})
    , m_shared(makeRecycled<Shared>(m_session->scheduler()))
{
    m_sessionListener = m_session->listen([shared = m_shared](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::suspended)
            ++shared->suspensions;
        if (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed)
            shared->stopped = ErrorCode::sessionLost;
        shared->wake.notify();
    });
    if (limit)
        m_timer = m_session->scheduler().after(m_once ? kLookLimit : *limit,
                                               [shared = m_shared] { shared->stop(ErrorCode::timedOut); });
    const zk::SessionPhase phase = m_session->phase();
    if (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed)
        stop(ErrorCode::sessionLost); // nobody will tell us any more
    if (m_cancel.requested())
        stop(ErrorCode::cancelled);
    else
        m_cancelListener = m_cancel.listen([shared = m_shared] { shared->stop(ErrorCode::cancelled); });
}

OpControl::~OpControl()
{
    m_session->unlisten(m_sessionListener);
    m_cancel.unlisten(m_cancelListener);
    if (m_timer != 0)
        m_session->scheduler().cancel(m_timer);
}

zk::Task<void> OpControl::untilBackOrStopped()
{
    while (!stopped() && m_session->phase() != zk::SessionPhase::connected)
        co_await m_shared->wake.next();
}

zk::Task<void> OpControl::rest(Duration pause)
{
    zk::Pending<bool> over;
    zk::Scheduler& scheduler = m_session->scheduler();
    const auto timer = scheduler.after(pause, [deliver = deliver(over)]() mutable { deliver(true); });
    co_await answered(over);
    scheduler.cancel(timer);
}

zk::Task<void> OpControl::pass(Step step)
{
    if (gateOpen())
        co_return;
    zk::Pending<bool> passed;
    m_gate->whenOpen(step, [store = passed.handler(), shared = m_shared] {
        store(true);
        shared->wake.notify();
    });
    co_await answered(passed);
}

Next OpControl::fail(ErrorCode code, std::string message, std::string hint)
{
    return fail(Error{code, std::move(message), std::move(hint)});
}

Next OpControl::fail(Error error)
{
    m_error = std::move(error);
    return Next::failed;
}

Next OpControl::failFor(zk::Code code, const char* what, const std::string& node, const char* right)
{
    if (code == zk::Code::noAuth)
        return fail(Error{ErrorCode::noAuth, "Not permitted to " + (what + node) + ".",
                          "Use a path that this client may read and write, or give it the access.", right, node});
    if (code == zk::Code::noChildrenForEphemerals)
        return fail(ErrorCode::badUsage, "The node " + node + " is ephemeral and cannot have children.",
                    "Use another path.");
    return fail(ErrorCode::badUsage, "ZooKeeper does not take the path \"" + node + "\".",
                "A path begins with a slash, has no empty part and does not end with a slash.");
}

Next OpControl::startOver(std::string why)
{
    m_why = std::move(why);
    return Next::startOver;
}

Error OpControl::stopError(const std::string& path) const
{
    const std::string lock = "The lock " + path;
    switch (*m_shared->stopped) {
    case ErrorCode::timedOut:
        return Error{ErrorCode::timedOut, lock + " was not free in time.", ""};
    case ErrorCode::cancelled:
        return Error{ErrorCode::cancelled, "Waiting for the lock " + path + " was cancelled.", ""};
    case ErrorCode::sessionLost:
        return Error{ErrorCode::sessionLost, lock + " was not acquired: the session is lost.",
                     "Connect again."};
    default:
        return Error{ErrorCode::closed, lock + " was not acquired: the mutex was closed.", ""};
    }
}

Error OpControl::failure(const std::string& path) const
{
    if (stopped())
        return stopError(path);
    if (m_error)
        return *m_error;
    const std::string why = m_why.empty() ? "it could not be seen why" : m_why;
    return Error{ErrorCode::internal, "The lock " + path + " was not acquired: " + why + ".", ""};
}

zk::Task<void> passGate(StepGate* gate, Step step)
{
    if (!gate || gate->open())
        co_return;
    zk::Pending<bool> passed;
    gate->whenOpen(step, [deliver = passed.handler()] { deliver(true); });
    co_await passed.arrival();
}

} // namespace lockscope::lock
