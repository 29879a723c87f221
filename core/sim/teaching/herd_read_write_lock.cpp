#include "core/sim/teaching/herd_read_write_lock.h"

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/protected_node.h"

namespace lockscope::lock {

namespace {

const NodeNaming kRead{"-R-", {"-W-"}, {"-W-"}};
const NodeNaming kWrite{"-W-", {"-R-"}, {"-W-"}};

LockOptions named(LockOptions options, const NodeNaming& naming)
{
    options.naming = naming;
    return options;
}

struct SideCore final : TeachingLockCore
{
    SideCore(zk::SessionPtr session, LockOptions given, Rule r, std::string h)
        : TeachingLockCore(std::move(session), std::move(given))
        , rule(r)
        , host(std::move(h))
    {}
    zk::Task<StepResult> enter(OpControl& control, Grant& grant) override;
    zk::Task<StepResult> queueUp(OpControl& control, std::string node);
    Rule rule;
    std::string host;
};

zk::Task<StepResult> SideCore::enter(OpControl& control, Grant& grant)
{
    if (waiting.size() > 1 || !holds.empty())
        co_return control.fail(
            ErrorCode::busy, message("The lock %1 is already wanted or held by %2.", nodeClient.path(), host),
            message("The teaching recipe has one owner at a time."));
    Retry retry(options.retry, scheduler.now());
    for (;;) {
        ProtectedNode node(control, nodeClient, {"", options.nodeData});
        const StepResult made = co_await node.make(host + nodeClient.naming().lockName, false);
        StepResult next = made;
        if (made == StepResult::proceed) {
            const StepResult queued = co_await queueUp(control, node.name());
            next = queued;
        }
        if (next == StepResult::proceed && !control.stopped()) {
            grant = Grant{node.name(), node.token(), 1};
            co_return StepResult::proceed;
        }
        CleanUp cleanUp(control);
        node.giveUp(cleanUp);
        const std::optional<Error> undeleted = co_await cleanUp.finish();
        if (undeleted)
            co_return control.fail(*undeleted);
        const std::optional<Duration> pause = retry.next(control.session().id(), scheduler.now());
        if (control.stopped() || next == StepResult::failed || !pause)
            co_return StepResult::failed;
        co_await control.pauseFor(*pause);
    }
}

// startOver: the own node is not in the list.
zk::Task<StepResult> SideCore::queueUp(OpControl& control, std::string node)
{
    for (;;) {
        co_await control.pass(GateStep::list);
        if (control.stopped())
            co_return StepResult::failed;
        const auto changed = std::make_shared<bool>(false);
        const auto fired = [changed, shared = control.shared()](zk::WatchKind, EventIndex) {
            *changed = true;
            shared->wake.notify();
        };
        const auto reduce = [node, naming = nodeClient.naming(), r = rule](zk::ChildNames names) {
            return decide(names, node, naming, r);
        };
        const std::uint64_t suspensions = control.suspensions();
        zk::Pending<Answer<ListResult>> listed;
        const zk::WatchPtr watch =
            nodeClient.listAndWatch(reduce, fired, control.deliver(listed), control.cause());
        co_await control.answered(listed);
        if (!listed.ready())
            co_return StepResult::failed;
        const Answer<ListResult> answer = listed.take();
        control.setCause(answer.event);
        const Decision& decision = answer.value.decision;
        if (answer.value.code == zk::Code::unknown) {
            co_await control.waitUntilConnectedOrStopped();
            continue;
        }
        if (zk::isFinal(answer.value.code))
            co_return control.failRequest(answer.value.code,
                                          message("list the children of %1", nodeClient.path()),
                                          nodeClient.path(), "read");
        if (answer.value.code != zk::Code::ok || !decision.found)
            co_return control.startOver(message("the own node is missing from the queue"));
        control.setCause(nodeClient.sink().record(
            event::Queued{node, decision.position, decision.count, decision.predecessor}, control.cause()));
        co_await control.pass(GateStep::decide);
        if (decision.position == 0)
            co_return StepResult::proceed;
        if (control.isSingleTry())
            control.stop(ErrorCode::timedOut);
        co_await control.pass(GateStep::sleep);
        while (!control.stopped() && !*changed && control.suspensions() == suspensions)
            co_await control.woken();
        co_await control.pass(GateStep::woken);
        co_await control.waitUntilConnectedOrStopped();
    }
}

} // namespace

class HerdReadWriteLock::Side final : public TeachingLock
{
public:
    Side(zk::SessionPtr session, LockOptions options, Rule rule, std::string host)
        : TeachingLock(
              std::make_shared<SideCore>(std::move(session), std::move(options), rule, std::move(host)))
    {}
};

HerdReadWriteLock::HerdReadWriteLock(zk::SessionPtr session, LockOptions options, std::string host)
    : m_read(std::make_unique<Side>(session, named(options, kRead), Rule::writersAhead, host))
    , m_write(std::make_unique<Side>(session, named(options, kWrite), Rule::allAhead, host))
{}

HerdReadWriteLock::~HerdReadWriteLock() = default;

Lock& HerdReadWriteLock::readLock() { return *m_read; }

Lock& HerdReadWriteLock::writeLock() { return *m_write; }

} // namespace lockscope::lock
