#include "core/lock/lease_op.h"

#include "core/lock/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

zk::Task<void> releaseEntrance(std::shared_ptr<SemaphoreCore> core, OwnerId visitor,
                               UniqueFunction<void()> done)
{
    if (core->entrance)
        co_await core->entrance->release(visitor); // an error says that it is gone, as we want
    done();
}

} // namespace

LeaseOp::LeaseOp(std::shared_ptr<SemaphoreCore> core, OwnerId owner, std::uint32_t count, EventIndex called,
                 std::optional<Duration> limit, Cancel cancel)
    : m_core(std::move(core))
    , m_wire(m_core->wire)
    , m_owner(owner)
    , m_count(count)
    , m_cancel(cancel)
    , m_control(m_wire.sessionPtr(), limit, cancel, m_core->options.lock.gate)
    , m_visitor(OwnerId{m_core->visitors++})
{
    if (limit)
        m_deadline = m_control.session().scheduler().now() + *limit;
    m_core->acquiring[m_visitor] = this;
    m_control.setCause(called);
}

LeaseOp::~LeaseOp() { m_core->acquiring.erase(m_visitor); }

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

zk::Task<std::optional<Error>> LeaseOp::run()
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
            runInBackground(scheduler, releaseEntrance(m_core, m_visitor, [] {}));
            co_return std::nullopt;
        }
        // Every way out without the leases: no node of ours may stay.
        m_watch.reset();
        co_await giveUpNodes();
        const bool over = m_control.stopped() || next == Next::failed;
        const std::optional<Duration> pause = over ? std::nullopt : retry.next(scheduler.now());
        if (!pause || m_entranceLost)
            co_await leave();
        if (m_control.stopped()) {
            co_return m_core->stopError(*m_control.shared()->stopped);
        }
        if (next == Next::failed) {
            co_return m_control.error();
        }
        if (!pause) {
            co_return exhausted(retry.tries() + 1);
        }
        const std::string& last = m_nodes.back().prefix();
        m_control.setCause(
            m_wire.sink().record(trace::StartedOver{last, m_control.why()}, m_control.cause()));
        co_await m_control.rest(*pause);
    }
}

Error LeaseOp::exhausted(std::uint32_t tries) const
{
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
    const Result<Grant> entered = co_await m_core->entrance->acquire(m_visitor, timeLeft(), m_cancel);
    m_inside = entered.has_value();
    if (m_inside)
        co_return Next::go;
    const Error& error = entered.error();
    const bool stopped = error.code == ErrorCode::timedOut || error.code == ErrorCode::cancelled ||
                         error.code == ErrorCode::sessionLost || error.code == ErrorCode::closed;
    if (stopped)
        m_control.stop(error.code);
    co_return m_control.fail(error.code, error.message, error.hint);
}

// Waits for it while the session is connected, so that a caller whose acquire timed out finds nothing left.
zk::Task<void> LeaseOp::leave()
{
    if (!m_inside)
        co_return;
    m_inside = false;
    struct Done
    {
        bool done = false;
    };
    auto done = std::make_shared<Done>();
    runInBackground(m_control.session().scheduler(),
                    releaseEntrance(m_core, m_visitor, [done, shared = m_control.shared()] {
                        done->done = true;
                        shared->wake.notify();
                    }));
    while (!done->done && m_control.session().phase() == zk::SessionPhase::connected)
        co_await m_control.woken();
}

zk::Task<void> LeaseOp::giveUpNodes()
{
    for (ProtectedNode& node : m_nodes)
        co_await node.giveUp();
}

// ---- inside ----

ProtectedNode::Wish LeaseOp::wish(bool last)
{
    ProtectedNode::Wish wish{m_wire.naming().lockName, m_core->options.lock.nodeData};
    // The session is a FIFO: a list that goes out with the last create is read when all of them were applied.
    if (last)
        wish.after = [this] {
            if (m_control.gateOpen())
                sendList(true);
        };
    return wish;
}

zk::Task<Next> LeaseOp::attempt()
{
    m_listSent.reset();
    m_nodes.clear();
    while (m_nodes.size() < m_count) {
        const bool last = m_nodes.size() + 1 == m_count;
        m_nodes.emplace_back(m_control, m_wire, wish(last), m_core->options.lock.flaws);
        std::string prefix = NodeNaming::protectionPrefix(m_core->guids.next());
        const Next made = co_await m_nodes.back().make(std::move(prefix), false);
        if (made != Next::go)
            co_return made;
    }
    const Next next = co_await waitForRoom();
    co_return next == Next::go&& m_control.stopped() ? Next::failed : next;
}

// The first look is without a watch, which could not be taken back; one that says "no room" is followed by
// one with a watch, and that one counts: a lease that goes in between leaves no watch to tell of it.
zk::Task<Next> LeaseOp::waitForRoom()
{
    for (;;) {
        const Next first = co_await look(false);
        if (first != Next::again)
            co_return first;
        const Next second = co_await look(true);
        if (second != Next::again)
            co_return second;
        const Next slept = co_await sleep();
        if (slept != Next::go)
            co_return slept;
    }
}

// Next::again here: there is no room yet.
zk::Task<Next> LeaseOp::look(bool watch)
{
    Next listed = Next::again;
    while (listed == Next::again)
        listed = co_await listOnce(watch);
    if (listed != Next::go)
        co_return listed;
    m_most = m_core->most();
    const std::uint32_t tooMany = m_listed.count > m_most ? m_listed.count - m_most : 0;
    m_control.setCause(m_wire.sink().record(
        trace::Decided{m_nodes.back().name(), tooMany, m_listed.count, {}}, m_control.cause()));
    co_await m_control.pass(Step::decide);
    if (tooMany == 0)
        co_return m_control.stopped() ? Next::failed : Next::go;
    if (m_control.once())
        m_control.stop(ErrorCode::timedOut);
    co_return m_control.stopped() ? Next::failed : Next::again;
}

zk::Task<Next> LeaseOp::listOnce(bool watch)
{
    if (!m_listSent) {
        co_await m_control.pass(watch ? Step::watch : Step::list);
        if (m_control.stopped())
            co_return Next::failed;
        m_suspensions = m_control.suspensions();
        if (watch)
            sendWatchedList();
        else
            sendList(false);
    }
    const zk::Pending<Answer<Listed>> sent = *m_listSent;
    co_await m_control.answered(sent);
    const bool inTime = sent.ready();
    m_listSent.reset();
    if (!inTime)
        co_return Next::failed;
    const Answer<Listed> answer = co_await sent.arrival();
    m_control.setCause(answer.event);
    const zk::Code code = answer.value.code;
    if (code == zk::Code::unknown) {
        co_await m_control.untilBackOrStopped();
        co_return m_control.stopped() ? Next::failed : Next::again;
    }
    m_listed = answer.value.decision;
    if (code == zk::Code::ok && m_listed.found)
        co_return Next::go;
    if (code == zk::Code::ok || code == zk::Code::noNode)
        co_return m_control.startOver("an own lease is missing from the list"); // CURATOR-335
    if (zk::isFinal(code))
        co_return m_control.failFor(code, "list the children of " + m_wire.path(), m_wire.path());
    co_return m_control.startOver("listing the leases failed, " + std::string(describe(code)));
}

// Counts the leases, and whether all of ours are among them; the last of ours may have no name yet.
Wire::Reduce LeaseOp::countThem() const
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

void LeaseOp::sendList(bool together)
{
    m_listSent.emplace();
    m_wire.list(countThem(), together, m_control.deliver(*m_listSent), m_control.cause());
}

void LeaseOp::sendWatchedList()
{
    *m_seen = Seen{};
    m_listSent.emplace();
    m_watch = m_wire.listAndWatch(
        countThem(),
        [seen = m_seen, shared = m_control.shared()](zk::WatchKind, EventIndex event) {
            *seen = Seen{true, event};
            shared->wake.notify();
        },
        m_control.deliver(*m_listSent), m_control.cause());
}

// Until the leases or the most have changed, or what we know of them may be old.
zk::Task<Next> LeaseOp::sleep()
{
    co_await m_control.pass(Step::sleep);
    while (!m_control.stopped() && !m_seen->fired && !m_entranceLost && m_core->most() == m_most &&
           m_control.suspensions() == m_suspensions)
        co_await m_control.woken();
    co_await m_control.pass(Step::woken);
    if (m_control.suspensions() != m_suspensions)
        co_await m_control.untilBackOrStopped();
    if (m_control.stopped())
        co_return Next::failed;
    if (m_entranceLost)
        co_return m_control.startOver("the node in " + m_core->path + "/locks is gone");
    if (m_seen->fired)
        m_control.setCause(m_seen->event);
    co_return Next::go;
}

} // namespace lockscope::lock
