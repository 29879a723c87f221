#include "core/sim/client/client.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <cmath>

namespace lockscope::sim {

namespace {

constexpr Duration kMinRetryDelay = std::chrono::milliseconds(100); // before a retry; doubles each time
constexpr Duration kMaxRetryDelay = std::chrono::seconds(2);

trace::SessionPhase toTrace(zk::SessionPhase phase)
{
    static_assert(static_cast<int>(zk::SessionPhase::closed) ==
                  static_cast<int>(trace::SessionPhase::closed));
    return static_cast<trace::SessionPhase>(phase);
}

} // namespace

Client::Client(RunContext& context, ClientId id, Participant who, std::uint16_t colour, std::uint32_t place,
               std::shared_ptr<Process> process, Duration startDelay, bool atBarrier)
    : m_context(context)
    , m_id(id)
    , m_who(std::move(who))
    , m_process(std::move(process))
    , m_startDelay(startDelay)
    , m_atBarrier(atBarrier)
    , m_random(context.scenario.seed * 0x9E3779B97F4A7C15ULL + place)
    , m_gate(context.control, id, m_who.name)
    , m_wake(context.hub)
{
    context.recorder.record(id, LockId::none(), trace::ClientAdded{m_who.name, colour, m_who.process});
    m_process->join(this);
}

void Client::start(std::function<void()> ended)
{
    m_onEnded = std::move(ended);
    const auto keepAlive = [](std::shared_ptr<Client> self) -> zk::Awaitable<void> { co_await self->run(); };
    boost::asio::co_spawn(m_context.hub.executor(), keepAlive(shared_from_this()), boost::asio::detached);
}

bool Client::sessionOver() const { return isOver(sessionPhase()); }

zk::SessionPhase Client::sessionPhase() const
{
    return m_session ? m_session->phase() : zk::SessionPhase::connecting;
}

bool Client::holds() const
{
    return m_locks && std::any_of(m_acquisitions.begin(), m_acquisitions.end(),
                                  [](const ClientLocks::Acquisition& acquisition) {
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
        notePhase(m_session->phase()); // another client of the process made the session
    // Before the locks listen, so that the loss of the session is recorded before the loss of its holds.
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
    if (!m_atBarrier || m_context.timeIsUp()) // added later: it need not wait
        co_return;
    m_atBarrier = false;
    const std::uint32_t place = m_context.startGate.arrive(m_id, m_wake.notifier());
    m_waitsForOthers = true;
    while (!m_context.startGate.isReleased(place) && !m_leaving && !m_context.timeIsUp())
        co_await m_wake.wait();
    m_waitsForOthers = false;
}

zk::Awaitable<void> Client::pauseBeforeRetry()
{
    const std::uint32_t before = std::min(m_failures++, 10U);
    const MonotonicTime until =
        m_context.hub.now() + std::min<Duration>(kMinRetryDelay * (1U << before), kMaxRetryDelay);
    const zk::Scheduler::TimerId timer = m_context.hub.after(until - m_context.hub.now(), m_wake.notifier());
    while (m_context.hub.now() < until && moreToDo())
        co_await m_wake.wait();
    m_context.hub.cancel(timer);
}

// False when its locks could not be made.
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
        const Result<std::int32_t> started = co_await leases->start(std::nullopt, m_cancel).asResult();
        if (!started) {
            recordUnlessExpected(started.error());
            co_return false;
        }
        m_leases = leases;
    }
    lock::LockOptions options;
    options.handoff = m_context.scenario.handoff;
    m_locks = std::make_unique<ClientLocks>(ClientLocksSetup{m_session, m_context.scenario, m_who.work,
                                                             m_context.runLocks, options, m_who.name,
                                                             m_leases, m_context.recorder, m_id, m_gate});
    if (m_who.work.revocable)
        m_locks->onRevoked([this] {
            m_revoked = true;
            m_wake.notify();
        });
    co_return true;
}

// ---- events and actions ----------------------------------------------------------------------------------

void Client::notePhase(zk::SessionPhase phase)
{
    const bool fresh = phase == zk::SessionPhase::connecting;
    if (phase == zk::SessionPhase::connected) {
        m_context.recorder.addOwnSession(m_session->id());
        m_context.wasConnected = true;
    }
    m_context.recorder.record(
        m_id, LockId::none(),
        trace::SessionState{toTrace(phase),
                            fresh ? SessionId::none() : m_context.recorder.named(m_session->id()),
                            fresh ? Duration{} : m_session->timeout()});
    if (phase == zk::SessionPhase::connected && !std::exchange(m_context.timeoutCompared, true))
        compareTimeouts();
}

// A server limits session timeouts, by default to 2 to 20 of its ticks. With another timeout, an expiry that
// the scenario wants to show may not happen.
void Client::compareTimeouts()
{
    const Duration asked = m_context.scenario.sessionTimeout;
    const Duration granted = m_session->timeout();
    if (granted == std::chrono::floor<std::chrono::milliseconds>(asked))
        return;
    m_context.recorder.record(
        ClientId::none(), LockId::none(),
        trace::Notice{
            trace::Severity::warning,
            message("The server grants a session timeout of %1; the scenario asks for %2. Results that "
                    "depend on a session expiry may differ.",
                    formatDuration(granted), formatDuration(asked)),
            "session_timeout"});
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
    // Thaws the session when all clients of the process leave.
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
        m_session->close(); // first, so that its end is recorded before the end of its holds, and no node
                            // counts as left behind
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

Duration Client::pick(const Range& range)
{
    if (!range.exponential)
        return Duration{m_random.uniform(range.low.count(), range.high.count())};
    const double drawn = -std::log(1.0 - m_random.unit()) * static_cast<double>(range.low.count());
    return Duration{static_cast<std::int64_t>(std::min(drawn, static_cast<double>(kMaxDuration.count())))};
}

// False after an error that an immediate retry may repeat.
zk::Awaitable<bool> Client::cycle()
{
    const Duration think = pick(m_who.work.think);
    if (think > Duration{}) {
        m_context.recorder.record(m_id, m_context.runLocks.front().queue, trace::Thinks{think});
        co_await restBeforeLock(think);
    }
    if (stopResting() || m_context.timeIsUp())
        co_return true;
    m_cancel = lock::CancelToken();
    m_revoked = false;
    m_acquisitions = m_locks->next(m_random);
    // One part of the hold follows each acquire; with releases in the same order, also each release but the
    // last.
    const bool stepwise =
        m_who.work.releaseOrder == ReleaseOrder::firstAcquiredFirst && m_acquisitions.size() > 1;
    const std::size_t parts = stepwise ? 2 * m_acquisitions.size() - 1 : m_acquisitions.size();
    const Duration part = pick(m_who.work.hold) / static_cast<std::int64_t>(parts);
    const bool well = co_await acquireAll(part);
    if (m_heldLocks.size() == m_acquisitions.size())
        co_await reenterAndRest(part);
    co_await releaseAll(stepwise ? part : Duration{});
    co_return well;
}

// Acquires the locks of this cycle one after the other; stops at the first that fails.
zk::Awaitable<bool> Client::acquireAll(Duration part)
{
    m_heldLocks.clear();
    for (const ClientLocks::Acquisition& acquisition : m_acquisitions) {
        if (!m_heldLocks.empty())
            co_await rest(part);
        if (stopResting() || (m_revoked && !m_heldLocks.empty()))
            co_return true;
        const Result<lock::Grant> got = co_await acquireOne(acquisition.lock);
        if (!got) {
            if (got.error().code == ErrorCode::timedOut)
                ++m_cyclesDone; // a timed out acquire counts as a cycle
            co_return recordUnlessExpected(got.error());
        }
        const ResourceUse use{got->token, acquisition.shared, acquisition.weight};
        m_heldLocks.push_back({acquisition, acquisition.resource->enter(m_id, use)});
    }
    ++m_cyclesDone;
    co_return true;
}

zk::Awaitable<Result<lock::Grant>> Client::acquireOne(lock::Lock* lock)
{
    const Work& work = m_who.work;
    for (std::uint32_t left = work.tries;; --left) {
        m_waitsForOthers = !work.acquireTimeout;
        Result<lock::Grant> got = co_await lock->acquire(kOwner, work.acquireTimeout, m_cancel).asResult();
        m_waitsForOthers = false;
        const bool timedOut = !got && got.error().code == ErrorCode::timedOut;
        if (!timedOut || left == 1) {
            if (timedOut && work.tries > 1)
                m_context.recorder.record(
                    m_id, m_context.runLocks.front().queue,
                    trace::Notice{trace::Severity::info,
                                  message("%1 gave up after %2 tries of %3 each: the lock was busy.",
                                          m_who.name, work.tries, formatDuration(*work.acquireTimeout))});
            co_return got;
        }
    }
}

zk::Awaitable<void> Client::reenterAndRest(Duration part)
{
    lock::Lock* last = m_heldLocks.back().acquisition.lock;
    const auto entries =
        static_cast<std::uint32_t>(m_random.uniform(m_who.work.reenterMin, m_who.work.reenterMax));
    // One part of the hold before each re-entry and after each release of it.
    const Duration each = part / (2 * entries + 1);
    std::uint32_t entered = 0;
    if (entries == 0)
        co_await restUntilRelease(each);
    else
        co_await rest(each);
    for (; entered < entries && last->depth(kOwner) > 0 && !stopResting() && !m_revoked; ++entered) {
        const Result<lock::Grant> again = co_await last->acquire(kOwner).asResult();
        if (!again)
            break;
        co_await rest(each);
    }
    for (; entered > 0 && last->depth(kOwner) > 0; --entered) {
        co_await releaseOne(last);
        if (entered == 1)
            co_await restUntilRelease(each);
        else
            co_await rest(each);
    }
}

// `part`: the rest between two releases.
zk::Awaitable<void> Client::releaseAll(Duration part)
{
    if (m_who.work.releaseOrder == ReleaseOrder::lastAcquiredFirst)
        std::reverse(m_heldLocks.begin(), m_heldLocks.end());
    for (std::size_t i = 0; i < m_heldLocks.size(); ++i) {
        const HeldLock taken = m_heldLocks[i];
        if (taken.admitted)
            taken.acquisition.resource->leave(m_id, taken.acquisition.shared);
        if (taken.acquisition.lock->depth(kOwner) > 0)
            co_await releaseOne(taken.acquisition.lock);
        if (i + 1 < m_heldLocks.size())
            co_await rest(part);
    }
    m_heldLocks.clear();
}

zk::Awaitable<void> Client::releaseOne(lock::Lock* lock)
{
    const Result<void> released = co_await lock->release(kOwner).asResult();
    if (!released && released.error().code == ErrorCode::noAuth)
        handleRefusal(released.error());
}

bool Client::recordUnlessExpected(const Error& error)
{
    const bool expected = error.code == ErrorCode::timedOut || error.code == ErrorCode::cancelled ||
                          error.code == ErrorCode::sessionLost || error.code == ErrorCode::closed;
    if (!expected && !handleRefusal(error))
        m_context.recorder.record(m_id, m_context.runLocks.front().queue,
                                  trace::Notice{trace::Severity::error, error.all()});
    return expected;
}

bool Client::handleRefusal(const Error& error)
{
    const bool refused = error.code == ErrorCode::noAuth || error.code == ErrorCode::badUsage ||
                         error.code == ErrorCode::badInput || error.code == ErrorCode::limitExceeded;
    if (refused && !m_refused)
        m_context.refused(m_id, error);
    m_refused = m_refused || refused;
    if (refused && error.right == "delete")
        m_session->close(); // only the end of the session removes the node
    return refused;
}

zk::Awaitable<void> Client::restBeforeLock(Duration time)
{
    co_await rest(std::min(time, m_context.lastStart - m_context.hub.now()));
}

// A client that is held before every step holds the lock until its next step, however long that takes. When
// it is let go before that, it holds for the rest of the time. A client that is held before a release alone
// stands there when the time is over.
zk::Awaitable<void> Client::restUntilRelease(Duration time)
{
    const MonotonicTime planned = m_context.hub.now() + time;
    if (!m_gate.holdsUntilStep())
        co_await rest(time);
    while (holds() && !stopResting() && m_gate.holdsUntilStep()) {
        co_await standBeforeRelease();
        if (m_gate.holdsUntilStep())
            co_return; // it was stepped
        co_await rest(planned - m_context.hub.now());
    }
    if (holds() && !stopResting() && m_gate.stopsAtRelease())
        co_await standBeforeRelease();
}

zk::Awaitable<void> Client::standBeforeRelease()
{
    const auto passed = std::make_shared<bool>(false);
    m_gate.whenOpen(GateStep::release, [passed, notify = m_wake.notifier()] {
        *passed = true;
        notify();
    });
    while (!*passed && !stopResting())
        co_await m_wake.wait();
}

// There are no delays while steps define the order: during a replay, and when a holder is held before every
// step.
zk::Awaitable<void> Client::rest(Duration time)
{
    const MonotonicTime planned = m_context.hub.now() + time;
    const auto isStepped = [this] {
        return m_context.control.isReplaying() || (holds() && m_gate.holdsUntilStep());
    };
    while (!isStepped() && !stopResting() && !(m_revoked && holds())) {
        const Duration left = std::max(planned, m_holdUntil) - m_context.hub.now();
        if (left <= Duration{})
            break;
        const zk::Scheduler::TimerId timer = m_context.hub.after(left, m_wake.notifier());
        co_await m_wake.wait();
        m_context.hub.cancel(timer);
    }
    // A frozen client does not continue when its rest is over.
    while (frozen() && !m_leaving)
        co_await m_wake.wait();
}

} // namespace lockscope::sim
