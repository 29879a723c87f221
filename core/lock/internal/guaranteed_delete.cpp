#include "core/lock/internal/guaranteed_delete.h"

#include "core/lock/retry.h"

namespace lockscope::lock {

namespace {

zk::Task<void> deleteAndReport(LockNodeClient nodeClient, std::string node, EventIndex cause)
{
    const std::optional<Error> undeleted = co_await guaranteedDelete(nodeClient, std::move(node), cause);
    if (undeleted)
        nodeClient.report(*undeleted);
}

} // namespace

void runInBackground(zk::Scheduler& scheduler, zk::Task<void> work)
{
    scheduler.post([work = std::move(work)]() mutable { zk::startDetached(std::move(work)); });
}

void deleteInBackground(LockNodeClient nodeClient, std::string node, EventIndex cause)
{
    zk::Scheduler& scheduler = nodeClient.session().scheduler();
    runInBackground(scheduler, deleteAndReport(std::move(nodeClient), std::move(node), cause));
}

zk::Task<void> sleepFor(zk::Scheduler* scheduler, Duration pause)
{
    zk::Signal over(*scheduler);
    scheduler->after(pause, over.notifier());
    co_await over.next();
}

zk::Task<bool> waitUntilConnected(zk::SessionPtr session)
{
    zk::Signal changed(session->scheduler());
    const auto listener = session->addListener([notify = changed.notifier()](zk::SessionPhase) { notify(); });
    while (session->phase() != zk::SessionPhase::connected && !isOver(session->phase()))
        co_await changed.next();
    session->removeListener(listener);
    co_return !isOver(session->phase());
}

zk::Task<Answer<zk::Code>> continueDeleting(LockNodeClient nodeClient, std::string node, EventIndex cause,
                                            Answer<zk::Code> first)
{
    Answer<zk::Code> answer = first;
    for (Retry retry = unlimitedRetry();;) {
        const zk::Code code = answer.value;
        if (code == zk::Code::ok || code == zk::Code::noNode || code == zk::Code::sessionLost)
            co_return answer;
        if (zk::isFinal(code) || isOver(nodeClient.session().phase()))
            co_return answer;
        co_await sleepFor(&nodeClient.session().scheduler(), *retry.next(nodeClient.session().id()));
        const bool connected = co_await waitUntilConnected(nodeClient.sessionPtr());
        if (!connected)
            co_return Answer<zk::Code>{zk::Code::sessionLost, EventIndex::none()};
        zk::Pending<Answer<zk::Code>> removed;
        nodeClient.remove(node, removed.handler(), cause);
        answer = co_await removed.arrival();
    }
}

zk::Task<Answer<zk::Code>> deleteUntilGone(LockNodeClient nodeClient, std::string node, EventIndex cause)
{
    zk::Pending<Answer<zk::Code>> removed;
    nodeClient.remove(node, removed.handler(), cause);
    const Answer<zk::Code> first = co_await removed.arrival();
    const Answer<zk::Code> last =
        co_await continueDeleting(std::move(nodeClient), std::move(node), cause, first);
    co_return last;
}

Error notDeletedError(const LockNodeClient& nodeClient, const std::string& node)
{
    return Error{ErrorCode::noAuth,
                 message("Not permitted to delete the node %1, so it stays there until the session ends.",
                         nodeClient.path() + "/" + node),
                 message("Give this client the right to delete under %1.", nodeClient.path()), "delete",
                 nodeClient.path()};
}

zk::Task<std::optional<Error>> guaranteedDelete(LockNodeClient nodeClient, std::string node, EventIndex cause)
{
    const Answer<zk::Code> gone = co_await deleteUntilGone(nodeClient, node, cause);
    if (zk::isFinal(gone.value))
        co_return notDeletedError(nodeClient, node);
    co_return std::nullopt;
}

zk::Task<std::optional<Error>> findAndDelete(LockNodeClient nodeClient, std::string prefix, EventIndex cause)
{
    Retry retry = unlimitedRetry();
    for (;;) {
        const bool connected = co_await waitUntilConnected(nodeClient.sessionPtr());
        if (!connected)
            co_return std::nullopt;
        // A lagging server of an ensemble may know neither the node nor its parents yet (CURATOR-264).
        zk::Pending<Answer<zk::Code>> synced;
        nodeClient.sync(synced.handler(), cause);
        zk::Pending<Answer<ListResult>> listed;
        nodeClient.list(prefix, Rule::allAhead, false, listed.handler(), cause);
        const Answer<zk::Code> sync = co_await synced.arrival();
        const Answer<ListResult> answer = co_await listed.arrival();
        const zk::Code code = answer.value.code;
        if (code == zk::Code::ok && answer.value.decision.found) {
            const std::string& node = answer.value.decision.own;
            const Answer<zk::Code> gone = co_await deleteUntilGone(nodeClient, node, answer.event);
            if (zk::isFinal(gone.value))
                co_return notDeletedError(nodeClient, node);
            if (gone.value == zk::Code::ok)
                continue; // with a kept prefix there may be another node
        } else if (code == zk::Code::noAuth) {
            co_return Error{
                ErrorCode::noAuth,
                message("Not permitted to list the children of %1, so a node of this client may stay there "
                        "until the session ends.",
                        nodeClient.path()),
                message("Give this client the right to read %1.", nodeClient.path()), "read",
                nodeClient.path()};
        } else if (zk::isFinal(code)) {
            co_return std::nullopt;
        } else if (sync.value == zk::Code::ok && (code == zk::Code::ok || code == zk::Code::noNode)) {
            co_return std::nullopt; // no node has the prefix
        }
        co_await sleepFor(&nodeClient.session().scheduler(), *retry.next(nodeClient.session().id()));
    }
}

} // namespace lockscope::lock
