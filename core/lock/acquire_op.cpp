#include "core/lock/acquire_op.h"

#include "core/lock/acquire_op_wait.h"
#include "core/lock/parents.h"

namespace lockscope::lock {

AcquireOp::AcquireOp(std::shared_ptr<MutexCore> core, OwnerId owner, EventIndex called, std::optional<Duration> limit,
                     Cancel cancel)
    : m_core(std::move(core)), m_wire(m_core->wire), m_owner(owner), m_once(limit && *limit <= Duration{}),
      m_shared(std::make_shared<Shared>(m_wire.session().scheduler())), m_cause(called)
{
    m_core->acquiring[owner] = this;
    m_listener = m_wire.session().listen([shared = m_shared](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::suspended)
            ++shared->suspensions;
        if (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed)
            shared->stopped = ErrorCode::sessionLost;
        shared->wake.notify();
    });
    const auto stopWith = [shared = m_shared](ErrorCode why) {
        if (!shared->stopped)
            shared->stopped = why;
        shared->wake.notify();
    };
    if (limit && !m_once)
        m_timer = m_wire.session().scheduler().after(*limit, [stopWith] { stopWith(ErrorCode::timedOut); });
    const zk::SessionPhase phase = m_wire.session().phase();
    if (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed)
        stopWith(ErrorCode::sessionLost); // nobody will tell us any more
    if (cancel.requested())
        stopWith(ErrorCode::cancelled);
    else
        cancel.m_state->waiters.push_back([stopWith] { stopWith(ErrorCode::cancelled); });
}

AcquireOp::~AcquireOp()
{
    m_core->acquiring.erase(m_owner);
    m_wire.session().unlisten(m_listener);
    m_wire.session().scheduler().cancel(m_timer);
}

void AcquireOp::stop(ErrorCode why)
{
    m_shared->stopped = why;
    m_shared->wake.notify();
}

zk::Awaitable<Result<Hold>> AcquireOp::run()
{
    Retry retry(m_core->options.retry, m_cause.value);
    for (;;) {
        const Next next = co_await attempt();
        if (next == Next::acquired) {
            Hold hold{m_node, m_token, 1};
            co_return hold;
        }
        // Every way out without the lock: no node of ours may stay in the queue.
        m_aheadWatch.reset();
        m_ownWatch.reset();
        co_await giveUpNode();
        if (stopped()) {
            co_return stopError();
        }
        if (next == Next::failed) {
            co_return *m_error;
        }
        const std::optional<Duration> pause = retry.next();
        if (!pause) {
            const std::string tries = retry.tries() == 0 ? "one try" : std::to_string(retry.tries() + 1) + " tries";
            co_return Error{ErrorCode::internal,
                            "The lock " + m_wire.path() + " was not acquired in " + tries + ": " + m_why + ".",
                            "See what happens to its children."};
        }
        m_cause = m_wire.sink().record(trace::StartedOver{m_prefix, m_why}, m_cause);
        m_shared->ownDeleted = false;
        m_shared->ownWatched = false;
        co_await rest(*pause);
    }
}

zk::Awaitable<AcquireOp::Next> AcquireOp::attempt()
{
    m_prefix = NodeNaming::protectionPrefix(m_core->guids.next());
    m_node.clear();
    m_listSent.reset();
    const Next made = co_await makeNode();
    if (made != Next::acquired)
        co_return made;
    const Next next = co_await queueUp();
    if (next == Next::acquired && stopped())
        co_return Next::failed;
    co_return next;
}

// ---- the node ------------------------------------------------------------------------------------------------

// Next::acquired here: the node is there and its name and token are known.
zk::Awaitable<AcquireOp::Next> AcquireOp::makeNode()
{
    for (;;) {
        co_await pass(Step::create);
        if (stopped())
            co_return Next::failed;
        zk::Pending<Answer<zk::Created>> created;
        m_nodeUncertain = true;
        m_wire.create(m_prefix + m_wire.naming().lockName, m_core->options.nodeData, deliver(created), m_cause);
        m_listSent.reset();
        if (gateOpen()) {
            // The session is a FIFO: the list is read after the create was applied, one round trip for both.
            m_listSent.emplace();
            m_wire.list(m_prefix, true, deliver(*m_listSent), m_cause);
        }
        const bool inTime = co_await answered(created);
        if (!inTime)
            co_return Next::failed; // giveUpNode() looks for it
        const Answer<zk::Created> answer = co_await created.get();
        if (answer.value.code == zk::Code::ok) {
            m_nodeUncertain = false;
            m_node = std::string(childName(answer.value.path));
            m_token = answer.value.stat.czxid;
            m_cause = answer.event;
            co_return Next::acquired;
        }
        m_listSent.reset();
        const Next next = co_await afterCreateFailed(answer.value.code, answer.event);
        if (next != Next::listAgain)
            co_return next;
    }
}

// Next::listAgain here: create again.
zk::Awaitable<AcquireOp::Next> AcquireOp::afterCreateFailed(zk::Code code, EventIndex event)
{
    m_cause = event;
    if (code == zk::Code::unknown) {
        const Next recovered = co_await recoverNode();
        co_return recovered;
    }
    m_nodeUncertain = false;
    if (code == zk::Code::noNode) {
        const zk::Code parents = co_await makeParents(m_wire.sessionPtr(), m_wire.path());
        if (parents == zk::Code::ok)
            co_return Next::listAgain;
        if (parents != zk::Code::unknown)
            code = parents;
        else
            co_await untilBackOrStopped();
        if (parents == zk::Code::unknown)
            co_return stopped() ? Next::failed : Next::listAgain;
    }
    if (zk::isFinal(code))
        co_return failFor(code, "create nodes under " + m_wire.path());
    if (code == zk::Code::noChildrenForEphemerals)
        co_return fail(ErrorCode::badUsage,
                       "The lock path " + m_wire.path() + " lies under an ephemeral node, which cannot have children.",
                       "Use another path.");
    co_return startOver("creating the node failed, " + std::string(describe(code)));
}

// The create's answer was lost: the node may exist. Whoever is in the list with our prefix is ours
// (ZOOKEEPER-1262); if nobody is, the create did not happen and is tried again with the same prefix, so that a
// late one would still be found.
zk::Awaitable<AcquireOp::Next> AcquireOp::recoverNode()
{
    for (;;) {
        co_await untilBackOrStopped();
        if (stopped())
            co_return Next::failed;
        zk::Pending<Answer<zk::Code>> synced; // a lagging server may not know the node yet (CURATOR-264)
        m_wire.sync(deliver(synced), m_cause);
        zk::Pending<Answer<Listed>> listed;
        m_wire.list(m_prefix, true, deliver(listed), m_cause);
        co_await answered(synced);
        const bool inTime = co_await answered(listed);
        if (!inTime || !synced.ready())
            co_return Next::failed;
        const Answer<zk::Code> sync = co_await synced.get();
        const Answer<Listed> list = co_await listed.get();
        m_cause = list.event;
        const zk::Code code = list.value.code;
        if (sync.value == zk::Code::unknown || code == zk::Code::unknown)
            continue;
        if (code != zk::Code::ok || !list.value.decision.found) {
            m_nodeUncertain = false;
            co_return code == zk::Code::ok || code == zk::Code::noNode
                ? Next::listAgain
                : startOver("looking for the node failed, " + std::string(describe(code)));
        }
        // Found: its czxid is the token, and it must belong to this very session (CURATOR-498, CURATOR-604).
        zk::Pending<Answer<zk::Data>> read;
        m_wire.read(list.value.decision.own, deliver(read), m_cause);
        const bool readInTime = co_await answered(read);
        if (!readInTime)
            co_return Next::failed;
        const Answer<zk::Data> data = co_await read.get();
        if (data.value.code == zk::Code::unknown)
            continue;
        m_cause = data.event;
        if (data.value.code != zk::Code::ok || data.value.stat.ephemeralOwner != m_wire.session().id()) {
            co_return startOver("the node found belongs to another session");
        }
        m_nodeUncertain = false;
        m_node = list.value.decision.own;
        m_token = data.value.stat.czxid;
        co_return Next::acquired;
    }
}

// Deletes the node, or looks for one that may exist. Waits for it while the session is connected, so that a caller
// whose acquire timed out finds nothing left; without a connection the work goes on in the background.
zk::Awaitable<void> AcquireOp::giveUpNode()
{
    if (m_node.empty() && !m_nodeUncertain)
        co_return;
    const bool known = !m_node.empty();
    const std::string node = known ? m_node : m_prefix;
    m_node.clear();
    m_nodeUncertain = false;
    struct Done
    {
        bool done = false;
    };
    auto done = std::make_shared<Done>();
    m_core->spawn(giveUpInBackground(m_wire, node, known, m_cause, [done, shared = m_shared] {
        done->done = true;
        shared->wake.notify();
    }));
    while (!done->done && m_wire.session().phase() == zk::SessionPhase::connected)
        co_await m_shared->wake.wait();
}

// ---- small things ------------------------------------------------------------------------------------------------

AcquireOp::Next AcquireOp::fail(ErrorCode code, std::string message, std::string hint)
{
    m_error = Error{code, std::move(message), std::move(hint)};
    return Next::failed;
}

// For what zk::isFinal() says.
AcquireOp::Next AcquireOp::failFor(zk::Code code, const std::string& what)
{
    if (code == zk::Code::noAuth)
        return fail(ErrorCode::noAuth, "Not permitted to " + what + ".",
                    "Use a path that this client may read and write, or give it the access.");
    return fail(ErrorCode::badUsage, "ZooKeeper does not take the path \"" + m_wire.path() + "\".",
                "A path begins with a slash, has no empty part and does not end with a slash.");
}

AcquireOp::Next AcquireOp::startOver(std::string why)
{
    m_why = std::move(why);
    return Next::startOver;
}

Error AcquireOp::stopError() const
{
    const std::string lock = "The lock " + m_wire.path();
    switch (*m_shared->stopped) {
    case ErrorCode::timedOut:
        return Error{ErrorCode::timedOut, lock + " was not free in time.", ""};
    case ErrorCode::cancelled:
        return Error{ErrorCode::cancelled, "Waiting for the lock " + m_wire.path() + " was cancelled.", ""};
    case ErrorCode::sessionLost:
        return Error{ErrorCode::sessionLost, lock + " was not acquired: the session is lost.", "Connect again."};
    default:
        return Error{ErrorCode::closed, lock + " was not acquired: the mutex was closed.", ""};
    }
}

zk::Awaitable<void> AcquireOp::untilBackOrStopped()
{
    while (!stopped() && m_wire.session().phase() != zk::SessionPhase::connected)
        co_await m_shared->wake.wait();
}

zk::Awaitable<void> AcquireOp::rest(Duration pause)
{
    zk::Pending<bool> over;
    zk::Scheduler& scheduler = m_wire.session().scheduler();
    const auto timer = scheduler.after(pause, [deliver = deliver(over)]() mutable { deliver(true); });
    co_await answered(over);
    scheduler.cancel(timer);
}

zk::Awaitable<void> AcquireOp::pass(Step step)
{
    if (gateOpen())
        co_return;
    zk::Pending<bool> passed;
    m_core->options.gate->whenOpen(step, [deliver = deliver(passed)]() mutable { deliver(true); });
    co_await answered(passed);
}

} // namespace lockscope::lock
