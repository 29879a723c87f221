#include "core/lock/guaranteed_delete.h"

#include "core/lock/retry.h"

namespace lockscope::lock {

namespace {

zk::Task<void> removeQuietly(Wire wire, std::string node, EventIndex cause)
{
    const std::optional<Error> stays = co_await removeForGood(wire, std::move(node), cause);
    if (stays)
        wire.report(*stays);
}

} // namespace

void runInBackground(zk::Scheduler& scheduler, zk::Task<void> work)
{
    scheduler.post([work = std::move(work)]() mutable { zk::startDetached(std::move(work)); });
}

void removeLater(Wire wire, std::string node, EventIndex cause)
{
    zk::Scheduler& scheduler = wire.session().scheduler();
    runInBackground(scheduler, removeQuietly(std::move(wire), std::move(node), cause));
}

zk::Task<void> sleepFor(zk::Scheduler* scheduler, Duration pause)
{
    zk::Signal over(*scheduler);
    scheduler->after(pause, over.notifier());
    co_await over.next();
}

zk::Task<bool> untilConnected(zk::SessionPtr session)
{
    zk::Signal changed(session->scheduler());
    const auto listener = session->listen([notify = changed.notifier()](zk::SessionPhase) { notify(); });
    while (session->phase() != zk::SessionPhase::connected && !isOver(session->phase()))
        co_await changed.next();
    session->unlisten(listener);
    co_return !isOver(session->phase());
}

zk::Task<Answer<zk::Code>> goOnDeleting(Wire wire, std::string node, EventIndex cause, Answer<zk::Code> first)
{
    Answer<zk::Code> answer = first;
    for (Retry retry = patientRetry();;) {
        const zk::Code code = answer.value;
        if (code == zk::Code::ok || code == zk::Code::noNode || code == zk::Code::sessionLost)
            co_return answer;
        if (zk::isFinal(code) || isOver(wire.session().phase()))
            co_return answer;
        co_await sleepFor(&wire.session().scheduler(), *retry.next());
        const bool connected = co_await untilConnected(wire.sessionPtr());
        if (!connected)
            co_return Answer<zk::Code>{zk::Code::sessionLost, EventIndex::none()};
        zk::Pending<Answer<zk::Code>> removed;
        wire.remove(node, removed.handler(), cause);
        answer = co_await removed.arrival();
    }
}

zk::Task<Answer<zk::Code>> deleteUntilGone(Wire wire, std::string node, EventIndex cause)
{
    zk::Pending<Answer<zk::Code>> removed;
    wire.remove(node, removed.handler(), cause);
    const Answer<zk::Code> first = co_await removed.arrival();
    const Answer<zk::Code> last =
        co_await goOnDeleting(std::move(wire), std::move(node), cause, first);
    co_return last;
}

Error notDeleted(const Wire& wire, const std::string& node)
{
    return Error{ErrorCode::noAuth,
                 "Not permitted to delete the node " + wire.path() + "/" + node +
                     ", so it stays there until the session ends.",
                 "Give this client the right to delete under " + wire.path() + ".", "delete", wire.path()};
}

zk::Task<std::optional<Error>> removeForGood(Wire wire, std::string node, EventIndex cause)
{
    const Answer<zk::Code> gone = co_await deleteUntilGone(wire, node, cause);
    if (zk::isFinal(gone.value))
        co_return notDeleted(wire, node);
    co_return std::nullopt;
}

zk::Task<std::optional<Error>> findAndRemove(Wire wire, std::string prefix, EventIndex cause)
{
    Retry retry = patientRetry();
    for (;;) {
        const bool connected = co_await untilConnected(wire.sessionPtr());
        if (!connected)
            co_return std::nullopt;
        // A lagging server of an ensemble may not know the node yet, nor its parents (CURATOR-264).
        zk::Pending<Answer<zk::Code>> synced;
        wire.sync(synced.handler(), cause);
        zk::Pending<Answer<Listed>> listed;
        wire.list(prefix, Rule::everybodyAhead, false, listed.handler(), cause);
        const Answer<zk::Code> sync = co_await synced.arrival();
        const Answer<Listed> answer = co_await listed.arrival();
        const zk::Code code = answer.value.code;
        if (code == zk::Code::ok && answer.value.decision.found) {
            const std::string& node = answer.value.decision.own;
            const Answer<zk::Code> gone = co_await deleteUntilGone(wire, node, answer.event);
            if (zk::isFinal(gone.value))
                co_return notDeleted(wire, node);
            if (gone.value == zk::Code::ok)
                continue; // of a kept prefix there may be another one
        } else if (code == zk::Code::noAuth) {
            co_return Error{ErrorCode::noAuth,
                            "Not permitted to list the children of " + wire.path() +
                                ", so a node of this client may stay there until the session ends.",
                            "Give this client the right to read " + wire.path() + ".", "read", wire.path()};
        } else if (zk::isFinal(code)) {
            co_return std::nullopt;
        } else if (sync.value == zk::Code::ok && (code == zk::Code::ok || code == zk::Code::noNode)) {
            co_return std::nullopt; // there is none
        }
        co_await sleepFor(&wire.session().scheduler(), *retry.next());
    }
}

} // namespace lockscope::lock
