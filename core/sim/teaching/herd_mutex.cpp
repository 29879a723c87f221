#include "core/sim/teaching/herd_mutex.h"

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/parents.h"

namespace lockscope::lock {

namespace {

const std::string kNode = "lock";

constexpr Duration kRefusalDelay = std::chrono::milliseconds(20);

// Whether the node belongs to this session. Certain only if the server confirmed a sync before the read: a
// lagging server may not know the node yet.
struct Found
{
    bool certain = false;
    bool ours = false;
    zk::Stat stat;
    EventIndex event = EventIndex::none();
};

zk::Task<Found> readOwnNode(LockNodeClient nodeClient, EventIndex cause)
{
    zk::Pending<Answer<zk::Code>> synced;
    nodeClient.sync(synced.handler(), cause);
    zk::Pending<Answer<zk::Data>> read;
    nodeClient.read(kNode, read.handler(), cause);
    const Answer<zk::Code> sync = co_await synced.arrival();
    const Answer<zk::Data> data = co_await read.arrival();
    Found found;
    const bool answered = data.value.code == zk::Code::ok || data.value.code == zk::Code::noNode;
    found.certain = sync.value == zk::Code::ok && answered;
    found.ours =
        data.value.code == zk::Code::ok && data.value.stat.ephemeralOwner == nodeClient.session().id();
    found.stat = data.value.stat;
    found.event = data.event;
    co_return found;
}

// Deletes this session's node. Repeats until it is certain that there is none, or the session is over.
zk::Task<void> deleteOwnNode(LockNodeClient nodeClient, EventIndex cause)
{
    for (;;) {
        const bool connected = co_await waitUntilConnected(nodeClient.sessionPtr());
        if (!connected)
            co_return;
        const Found found = co_await readOwnNode(nodeClient, cause);
        if (found.ours)
            deleteInBackground(nodeClient, kNode, found.event);
        if (found.ours || found.certain)
            co_return;
        co_await sleepFor(&nodeClient.session().scheduler(), kRefusalDelay);
    }
}

// For an operation that ended before the reply to its create: deletes the created node.
zk::Task<void> deleteCreated(LockNodeClient nodeClient, zk::Pending<Answer<zk::Created>> created)
{
    const Answer<zk::Created> answer = co_await created.arrival();
    if (answer.value.code == zk::Code::ok) {
        deleteInBackground(nodeClient, kNode, answer.event);
        co_return;
    }
    if (answer.value.code == zk::Code::unknown)
        co_await deleteOwnNode(nodeClient, answer.event);
}

struct HerdCore final : TeachingLockCore
{
    using TeachingLockCore::TeachingLockCore;
    zk::Task<StepResult> enter(OpControl& control, Grant& grant) override;
    zk::Task<StepResult> tryCreate(OpControl& control, Grant& grant);
    zk::Task<StepResult> waitForRelease(OpControl& control);
    zk::Task<StepResult> recover(OpControl& control, Grant& grant);
};

zk::Task<StepResult> HerdCore::enter(OpControl& control, Grant& grant)
{
    for (;;) {
        const StepResult created = co_await tryCreate(control, grant);
        if (created != StepResult::repeat)
            co_return created;
        if (control.isSingleTry())
            control.stop(ErrorCode::timedOut);
        const StepResult waited = co_await waitForRelease(control);
        if (waited != StepResult::repeat)
            co_return waited;
    }
}

// repeat: another client holds the lock.
zk::Task<StepResult> HerdCore::tryCreate(OpControl& control, Grant& grant)
{
    for (;;) {
        co_await control.pass(GateStep::create);
        if (control.stopped())
            co_return StepResult::failed;
        zk::Pending<Answer<zk::Created>> created;
        nodeClient.create(kNode, options.nodeData, zk::CreateMode::ephemeral, control.deliver(created),
                          control.cause());
        co_await control.answered(created);
        if (!created.ready()) {
            runInBackground(control.session().scheduler(), deleteCreated(nodeClient, created));
            co_return StepResult::failed;
        }
        const Answer<zk::Created> answer = created.take();
        control.setCause(answer.event);
        switch (answer.value.code) {
        case zk::Code::ok:
            grant = Grant{kNode, answer.value.stat.czxid, 1};
            co_await control.pass(GateStep::created);
            co_return StepResult::proceed;
        case zk::Code::nodeExists:
            co_return StepResult::repeat;
        case zk::Code::unknown: {
            const StepResult ours = co_await recover(control, grant);
            if (ours != StepResult::repeat)
                co_return ours;
            break;
        }
        case zk::Code::noNode: {
            const ParentsResult parents = co_await makeParents(control, nodeClient.path());
            if (zk::isFinal(parents.code))
                co_return control.failRequest(parents.code,
                                              message("create nodes under %1", parents.refusedAt),
                                              parents.refusedAt, "create");
            if (parents.code == zk::Code::noNode)
                co_return control.fail(missingRoot());
            if (parents.code != zk::Code::ok && parents.code != zk::Code::unknown)
                co_return control.startOver(message("creating the node failed (%1)", describe(parents.code)));
            break;
        }
        default:
            if (zk::isFinal(answer.value.code))
                co_return control.failRequest(answer.value.code,
                                              message("create nodes under %1", nodeClient.path()),
                                              nodeClient.path(), "create");
            co_return control.startOver(
                message("creating the node failed (%1)", describe(answer.value.code)));
        }
    }
}

// After a lost reply: checks whether the node is ours. repeat: it is not.
zk::Task<StepResult> HerdCore::recover(OpControl& control, Grant& grant)
{
    for (;;) {
        co_await control.waitUntilConnectedOrStopped();
        const Found found = co_await readOwnNode(nodeClient, control.cause());
        if (control.stopped()) {
            runInBackground(control.session().scheduler(), deleteOwnNode(nodeClient, control.cause()));
            co_return StepResult::failed;
        }
        if (found.ours) {
            grant = Grant{kNode, found.stat.czxid, 1};
            co_return StepResult::proceed;
        }
        if (found.certain)
            co_return StepResult::repeat;
        co_await control.pauseFor(kRefusalDelay);
    }
}

// Every client sets this watch, so all are woken. repeat: try to create the node.
zk::Task<StepResult> HerdCore::waitForRelease(OpControl& control)
{
    co_await control.pass(GateStep::watch);
    if (control.stopped())
        co_return StepResult::failed;
    struct WatchState
    {
        bool fired = false;
        EventIndex event = EventIndex::none();
    };
    const auto seen = std::make_shared<WatchState>();
    const auto fired = [seen, shared = control.shared()](zk::WatchKind, EventIndex event) {
        *seen = WatchState{true, event};
        shared->wake.notify();
    };
    const std::uint64_t suspensions = control.suspensions();
    zk::Pending<Answer<zk::StatReply>> looked;
    const zk::WatchPtr watch =
        nodeClient.watchWithExists(kNode, fired, control.deliver(looked), control.cause());
    co_await control.answered(looked);
    if (!looked.ready())
        co_return StepResult::failed;
    const Answer<zk::StatReply> answer = looked.take();
    control.setCause(answer.event);
    if (answer.value.code == zk::Code::ok) {
        co_await control.pass(GateStep::sleep);
        while (!control.stopped() && !seen->fired && control.suspensions() == suspensions)
            co_await control.woken();
        control.setCause(seen->event);
        co_await control.pass(GateStep::woken);
    } else if (answer.value.code != zk::Code::noNode && answer.value.code != zk::Code::unknown) {
        co_return control.startOver(
            message("watching the node ahead failed (%1)", describe(answer.value.code)));
    }
    co_await control.waitUntilConnectedOrStopped();
    co_return control.stopped() ? StepResult::failed : StepResult::repeat;
}

} // namespace

HerdMutex::HerdMutex(zk::SessionPtr session, LockOptions options)
    : TeachingLock(std::make_shared<HerdCore>(std::move(session), std::move(options)))
{}

} // namespace lockscope::lock
