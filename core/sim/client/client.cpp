#include "core/sim/client/client.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr Duration kMinRetryDelay = std::chrono::milliseconds(100); // before another try; longer each time
constexpr Duration kMaxRetryDelay = std::chrono::seconds(2);

trace::SessionPhase toTrace(zk::SessionPhase phase)
{
    static_assert(static_cast<int>(zk::SessionPhase::closed) ==
                  static_cast<int>(trace::SessionPhase::closed));
    return static_cast<trace::SessionPhase>(phase);
}

} // namespace

Client::Client(RunContext& context, ClientId id, Participant who, std::shared_ptr<Process> process,
               Duration startDelay, bool atBarrier)
    : m_context(context)
    , m_id(id)
    , m_who(std::move(who))
    , m_process(std::move(process))
    , m_startDelay(startDelay)
    , m_atBarrier(atBarrier)
    , m_random(context.scenario.seed * 0x9E3779B97F4A7C15ULL + id.value)
    , m_gate(context.control, id, m_who.name)
    , m_wake(context.hub)
{
    const auto colour = static_cast<std::uint16_t>(id.value);
    context.recorder.record(id, LockId::none(), trace::ClientAdded{m_who.name, colour, m_who.process});
    m_process->join(this);
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

bool Client::holds() const
{
    return m_locks && std::any_of(m_acquisitions.begin(), m_acquisitions.end(), [](const ClientLocks::Acquisition& acquisition) {
               return acquisition.lock->depth(Client::kOwner) > 0;
           });
}

bool Client::knowsLeaseCount(std::uint32_t count) const
{
    return !m_leases || sessionPhase() != zk::SessionPhase::connected ||
           m_leases->value() == static_cast<std::int32_t>(count);
}

bool Client::moreToDo() const
{
    const std::uint32_t cycles = m_who.work.cycles;
    return !m_leaving && !m_refused && (cycles == 0 || m_cyclesDone < cycles) && !m_context.timeIsUp();
}

// ---- the loop --------------------------------------------------------------------------------------------

zk::Awaitable<void> Client::run()
{
    while (moreToDo()) {
        bool well = co_await connect();
        if (well) {
            co_await begin();
            well = co_await useSession();
        }
        if (!well)
            co_await pauseBeforeRetry();
    }
    finish();
}

zk::Awaitable<bool> Client::connect()
{
    if (m_session)
        m_session->removeListener(m_listener);
    m_session = m_process->session();
    notePhase(zk::SessionPhase::connecting);
    if (m_session->phase() != zk::SessionPhase::connecting)
        notePhase(m_session->phase()); // another client of the process has made it
    // Before the locks listen: the loss of the session is on record before the loss of what it held.
    m_listener =
        m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
            const auto self = weak.lock();
            if (self && self->m_session.get() == session)
                self->onSessionPhase(phase);
        });
    while (m_session->phase() == zk::SessionPhase::connecting && !m_leaving && !m_context.timeIsUp())
        co_await m_wake.wait();
    co_return !sessionOver() && m_session->phase() != zk::SessionPhase::connecting;
}

zk::Awaitable<void> Client::begin()
{
    if (std::exchange(m_begun, true))
        co_return;
    co_await restBeforeLock(m_startDelay - (m_context.hub.now() - m_context.start));
    if (!m_atBarrier || m_context.timeIsUp())
        co_return;
    m_atBarrier = false;
    const std::uint32_t place = m_context.startGate.arrive(m_wake.notifier());
    m_waitsForOthers = true;
    while (!m_context.startGate.isReleased(place) && !m_leaving && !m_context.timeIsUp())
        co_await m_wake.wait();
    m_waitsForOthers = false;
}

zk::Awaitable<void> Client::pauseBeforeRetry()
{
    const std::uint32_t before = std::min(m_failures++, 10U);
    const MonotonicTime until = m_context.hub.now() + std::min<Duration>(kMinRetryDelay * (1U << before), kMaxRetryDelay);
    const zk::Scheduler::TimerId timer = m_context.hub.after(until - m_context.hub.now(), m_wake.notifier());
    while (m_context.hub.now() < until && moreToDo())
        co_await m_wake.wait();
    m_context.hub.cancel(timer);
}

// False when it could not even begin.
zk::Awaitable<bool> Client::useSession()
{
    const bool made = co_await makeLocks();
    while (made && moreToDo() && !sessionOver()) {
        const bool well = co_await cycle();
        m_gate.settle();
        if (well)
            m_failures = 0;
        else
            co_await pauseBeforeRetry();
    }
    m_acquisitions.clear();
    m_heldLocks.clear();
    m_locks.reset();
    co_return made;
}

zk::Awaitable<bool> Client::makeLocks()
{
    m_leases.reset();
    if (!m_context.leasesPath.empty()) {
        const auto leases = std::make_shared<lock::SharedCount>(
            m_session, m_context.leasesPath, static_cast<std::int32_t>(m_context.scenario.leases));
        const Result<std::int32_t> started = co_await leases->start();
        if (!started) {
            isRefused(started.error());
            co_return false;
        }
        m_leases = leases;
    }
    lock::LockOptions options;
    options.handoff = m_context.scenario.handoff == Handoff::announced ? lock::HandoffPolicy::announced
                                                                       : lock::HandoffPolicy::curator;
    options.gate = &m_gate;
    options.trace = lock::TraceSink{&m_context.recorder, m_id, LockId::none()};
    m_locks = std::make_unique<ClientLocks>(ClientLocksSetup{
        m_session, m_context.scenario, m_who.work, m_context.runLocks, options, m_who.name, m_leases});
    if (m_who.work.revocable)
        m_locks->onRevoked([this] {
            m_revoked = true;
            m_wake.notify();
        });
    co_return true;
}

// ---- what happens to it ----------------------------------------------------------------------------------

void Client::notePhase(zk::SessionPhase phase)
{
    const bool fresh = phase == zk::SessionPhase::connecting;
    if (phase == zk::SessionPhase::connected) {
        m_context.recorder.addOwnSession(m_session->id());
        m_context.wasConnected = true;
    }
    m_context.recorder.record(m_id, LockId::none(),
                              trace::SessionState{toTrace(phase),
                                                  fresh ? SessionId::none() : m_context.recorder.named(m_session->id()),
                                                  fresh ? Duration{} : m_session->timeout()});
}

void Client::onSessionPhase(zk::SessionPhase phase)
{
    notePhase(phase);
    m_gate.settle();
    m_wake.notify();
}

void Client::leave()
{
    if (m_leaving || m_ended)
        return;
    m_leaving = true;
    // Nobody of the process is left to stand still.
    const std::vector<Client*>& all = m_process->clients();
    if (frozen() && std::all_of(all.begin(), all.end(), [](const Client* one) { return one->m_leaving; }))
        m_session->thaw();
    m_gate.setFrozen(false);
    m_gate.release();
    m_cancel.request();
    m_wake.notify();
}

void Client::abandon()
{
    if (m_session)
        m_session->close(); // first, so that its end is on record before what comes of it: no node is left behind
    leave();
    m_wake.notify();
}

void Client::closeSession()
{
    if (m_session)
        m_session->close();
    m_wake.notify();
}

void Client::setFrozen(bool frozen)
{
    m_gate.setFrozen(frozen);
    m_wake.notify();
}

void Client::finish()
{
    if (m_atBarrier)
        m_context.startGate.removeExpected();
    m_acquisitions.clear();
    m_locks.reset();
    if (m_leaving || m_refused)
        m_context.recorder.record(m_id, LockId::none(), trace::ClientRemoved{});
    else
        m_context.recorder.record(m_id, LockId::none(), trace::ClientFinished{});
    m_process->leave(this);
    m_ended = true;
    if (m_onEnded)
        m_onEnded();
}

} // namespace lockscope::sim
