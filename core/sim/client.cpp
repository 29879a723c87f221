#include "core/sim/client.h"

#include "core/lock/guaranteed_delete.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr OwnerId kOwner{0}; // every client has one logical thread
constexpr Duration kReconnectPause = std::chrono::milliseconds(100);

trace::SessionPhase toTrace(zk::SessionPhase phase)
{
    switch (phase) {
    case zk::SessionPhase::connecting:
        return trace::SessionPhase::connecting;
    case zk::SessionPhase::connected:
        return trace::SessionPhase::connected;
    case zk::SessionPhase::suspended:
        return trace::SessionPhase::suspended;
    case zk::SessionPhase::lost:
        return trace::SessionPhase::lost;
    case zk::SessionPhase::closed:
        return trace::SessionPhase::closed;
    }
    return trace::SessionPhase::closed;
}

} // namespace

Client::Client(RunContext& context, ClientId id, std::string name)
    : m_context(context), m_id(id), m_name(std::move(name)),
      m_random(context.scenario.seed * 0x9E3779B97F4A7C15ULL + id.value), m_gate(context.control), m_wake(context.hub)
{
    const auto colour = static_cast<std::uint16_t>(id.value);
    context.recorder.record(id, LockId::none(), trace::ClientAdded{m_name, colour});
}

void Client::start(std::function<void()> ended)
{
    m_onEnded = std::move(ended);
    const auto keepAlive = [](std::shared_ptr<Client> self) -> zk::Awaitable<void> { co_await self->run(); };
    boost::asio::co_spawn(m_context.hub.executor(), keepAlive(shared_from_this()), boost::asio::detached);
}

bool Client::sessionOver() const
{
    const zk::SessionPhase phase = sessionPhase();
    return phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed;
}

zk::SessionPhase Client::sessionPhase() const
{
    return m_session ? m_session->phase() : zk::SessionPhase::connecting;
}

bool Client::holds() const { return m_locks && m_turn.lock && m_turn.lock->depth(kOwner) > 0; }

bool Client::moreToDo() const
{
    const std::uint32_t cycles = m_context.scenario.cycles;
    return !m_leaving && (cycles == 0 || m_cyclesDone < cycles) && m_context.hub.now() < m_context.lastStart;
}

Duration Client::pick(Range range) { return Duration{m_random.uniform(range.low.count(), range.high.count())}; }

// ---- the loop --------------------------------------------------------------------------------------------------

zk::Awaitable<void> Client::run()
{
    while (moreToDo()) {
        const bool connected = co_await connect();
        if (connected) {
            co_await useSession();
        } else {
            co_await pauseBeforeRetry();
        }
    }
    finish();
}

zk::Awaitable<bool> Client::connect()
{
    m_session = m_context.hub.connect({m_context.hosts, m_context.scenario.sessionTimeout, std::chrono::seconds(15)});
    m_context.recorder.record(m_id, LockId::none(), trace::SessionState{trace::SessionPhase::connecting, SessionId::none(), Duration{}});
    // Before the mutex listens: the loss of the session is on record before the loss of what it held.
    m_session->listen([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && self->m_session.get() == session)
            self->onSessionPhase(phase);
    });
    while (m_session->phase() == zk::SessionPhase::connecting && !m_leaving)
        co_await m_wake.wait();
    const bool connected = !sessionOver() && m_session->phase() != zk::SessionPhase::connecting;
    m_failures = connected ? 0 : m_failures + 1;
    co_return connected;
}

zk::Awaitable<void> Client::pauseBeforeRetry()
{
    const Duration pause = std::min<Duration>(kReconnectPause * std::max(m_failures, 1U), std::chrono::seconds(2));
    if (!m_leaving)
        co_await lock::sleepFor(&m_context.hub, pause);
}

zk::Awaitable<void> Client::useSession()
{
    lock::LockOptions options;
    options.path = m_context.scenario.lockPath;
    options.handoff = m_context.scenario.handoff == Handoff::announced ? lock::HandoffPolicy::announced
                                                                       : lock::HandoffPolicy::curator;
    options.gate = &m_gate;
    options.trace = lock::TraceSink{&m_context.recorder, m_id, m_context.lock};
    m_locks = std::make_unique<RecipeLocks>(m_session, m_context.scenario, options, m_name);
    while (moreToDo() && !sessionOver()) {
        const bool well = co_await cycle();
        if (!well) {
            co_await pauseBeforeRetry();
        }
    }
    m_turn = {};
    m_locks.reset();
}

// False when something failed that may fail again at once.
zk::Awaitable<bool> Client::cycle()
{
    const Duration think = pick(m_context.scenario.think);
    if (think > Duration{}) {
        m_context.recorder.record(m_id, m_context.lock, trace::Thinks{think});
        co_await rest(think);
    }
    if (stopResting())
        co_return true;
    m_cancel = lock::Cancel();
    m_turn = m_locks->next(m_random);
    const Result<lock::Grant> got = co_await m_turn.lock->acquire(kOwner, m_context.scenario.acquireTimeout, m_cancel);
    if (!got) {
        const ErrorCode code = got.error().code;
        if (code == ErrorCode::timedOut)
            ++m_cyclesDone; // it was tried and answered
        const bool expected = code == ErrorCode::timedOut || code == ErrorCode::cancelled ||
                              code == ErrorCode::sessionLost || code == ErrorCode::closed;
        if (!expected)
            m_context.recorder.record(m_id, m_context.lock,
                                      trace::Notice{trace::Severity::error, got.error().text()});
        co_return expected;
    }
    ++m_cyclesDone;
    co_await holdAndRelease(*got);
    co_return true;
}

zk::Awaitable<void> Client::holdAndRelease(lock::Grant grant)
{
    const bool admitted = m_context.resource.enter(m_id, grant.token, m_turn.shared);
    const Duration hold = pick(m_context.scenario.hold);
    const auto entries = static_cast<std::uint32_t>(
        m_random.uniform(m_context.scenario.reenterMin, m_context.scenario.reenterMax));
    // Going in and out again takes a part of the hold each: outer, inner ones, outer.
    const Duration part = hold / (2 * entries + 1);
    std::uint32_t entered = 0;
    co_await rest(part);
    for (; entered < entries && holds() && !stopResting(); ++entered) {
        const Result<lock::Grant> again = co_await m_turn.lock->acquire(kOwner);
        if (!again)
            break;
        co_await rest(part);
    }
    for (; entered > 0 && holds(); --entered) {
        co_await m_turn.lock->release(kOwner);
        co_await rest(part);
    }
    if (admitted)
        m_context.resource.leave(m_id);
    if (holds())
        co_await m_turn.lock->release(kOwner);
}

zk::Awaitable<void> Client::rest(Duration time)
{
    if (time > Duration{}) {
        bool over = false;
        const zk::Scheduler::TimerId timer =
            m_context.hub.after(time, [&over, notify = m_wake.notifier()] {
                over = true;
                notify();
            });
        while (!over && !stopResting())
            co_await m_wake.wait();
        m_context.hub.cancel(timer);
    }
    // A frozen client's own time stands still too.
    while (frozen() && !m_leaving)
        co_await m_wake.wait();
}

// ---- what happens to it ----------------------------------------------------------------------------------------

void Client::onSessionPhase(zk::SessionPhase phase)
{
    m_context.recorder.record(m_id, LockId::none(),
                              trace::SessionState{toTrace(phase), m_session->id(), m_session->timeout()});
    m_wake.notify();
}

void Client::leave()
{
    if (m_leaving || m_ended)
        return;
    m_leaving = true;
    if (frozen())
        thaw();
    m_gate.release();
    m_cancel.request();
    m_wake.notify();
}

void Client::abandon()
{
    leave();
    if (m_session)
        m_session->close();
    m_wake.notify();
}

void Client::kill(EventIndex command, UniqueFunction<void(Result<void>)> done)
{
    if (!m_session) {
        done(Error{ErrorCode::sessionLost, m_name + " has no session yet.", ""});
        return;
    }
    const SessionId session = m_session->id();
    // The one behind it may be woken before the server's confirmation reaches us: the cause is known now.
    const std::string node = m_context.recorder.lastNodeOf(m_id, m_context.lock);
    if (!node.empty() && !m_context.recorder.deletedBy(m_context.lock, node).valid())
        m_context.recorder.noteDeletion(m_context.lock, node, command);
    m_session->kill([self = shared_from_this(), session, command, done = std::move(done)](Result<void> result) mutable {
        if (result)
            self->m_context.recorder.record(self->m_id, LockId::none(), trace::SessionGone{session}, command);
        done(std::move(result));
    });
}

void Client::freeze()
{
    if (!m_session)
        return;
    m_session->freeze();
    m_gate.setFrozen(true);
}

void Client::thaw()
{
    if (!m_session)
        return;
    m_session->thaw();
    m_gate.setFrozen(false);
    m_wake.notify();
}

void Client::finish()
{
    m_turn = {};
    m_locks.reset();
    if (m_leaving)
        m_context.recorder.record(m_id, LockId::none(), trace::ClientRemoved{});
    else
        m_context.recorder.record(m_id, LockId::none(), trace::ClientFinished{});
    if (m_session)
        m_session->close();
    m_ended = true;
    if (m_onEnded)
        m_onEnded();
}

} // namespace lockscope::sim
