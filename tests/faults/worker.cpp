#include "tests/faults/worker.h"

#include "tests/faults/loss.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <fmt/core.h>

#include <algorithm>

namespace lockscope::tests {

namespace {

constexpr Duration kConnectLimit = std::chrono::seconds(10);
constexpr Duration kReconnectPause = std::chrono::milliseconds(50);
constexpr Duration kLongestLimit = std::chrono::milliseconds(100);

} // namespace

Worker::Worker(FaultContext& field, ClientId id, bool relayed)
    : m_context(field)
    , m_id(id)
    , m_relay(relayed ? std::make_unique<LossyRelay>(field.address) : nullptr)
    , m_random(field.options.seed * 0x9E3779B97F4A7C15ULL + id.value)
    , m_wake(field.hub)
{}

void Worker::start()
{
    const auto keepAlive = [](std::shared_ptr<Worker> self) -> zk::Awaitable<void> { co_await self->run(); };
    boost::asio::co_spawn(m_context.hub.executor(), keepAlive(shared_from_this()), boost::asio::detached);
}

std::string Worker::doing() const
{
    const auto phase = m_session ? static_cast<int>(m_session->phase()) : -1;
    return fmt::format("client {}: {} for {:.1f} s, session {:#x} in phase {}", m_id.value, m_doing,
                       std::chrono::duration<double>(m_context.hub.now() - m_since).count(),
                       m_session ? static_cast<std::uint64_t>(m_session->id().value) : 0, phase);
}

bool Worker::sessionOver() const
{
    return m_session->phase() == zk::SessionPhase::lost || m_session->phase() == zk::SessionPhase::closed;
}

// ---- the loop
// --------------------------------------------------------------------------------------------------

zk::Awaitable<void> Worker::run()
{
    while (!m_context.enough()) {
        const bool connected = co_await connect();
        if (connected) {
            co_await useSession();
        } else {
            co_await sleepFor(&m_context.hub, kReconnectPause);
        }
    }
    m_doing = "ended"; // the session stays open, so that a node left behind can be found
    m_ended = true;
}

zk::Awaitable<bool> Worker::connect()
{
    m_doing = "connecting";
    m_since = m_context.hub.now();
    const Duration timeout{m_random.uniform(m_context.options.shortestTimeout.count(),
                                            m_context.options.longestTimeout.count())};
    m_session =
        m_context.hub.connect({m_relay ? m_relay->address() : m_context.address, timeout, kConnectLimit});
    ++m_context.outcomes.sessions;
    m_contact.newSession();
    m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && self->m_session.get() == session)
            self->onPhase(phase);
    });
    while (m_session->phase() == zk::SessionPhase::connecting)
        co_await m_wake.wait();
    co_return !sessionOver();
}

zk::Awaitable<void> Worker::useSession()
{
    makeMutexes();
    while (!m_context.enough() && !sessionOver())
        co_await cycle();
    m_mutexes.clear();
    m_mixed.reset();
}

void Worker::makeMutexes()
{
    m_mixed = std::make_unique<MixedLocks>(m_context, m_id, m_session, m_contact,
                                           static_cast<std::uint64_t>(m_random.uniform(0, INT64_MAX)));
    for (std::size_t i = 0; i < m_context.options.locks; ++i) {
        lock::MutexOptions options;
        options.path = m_context.lockPath(i);
        const bool announced = m_context.options.handoff == Handoff::announced ||
                               (m_context.options.handoff == Handoff::mixed && m_random.uniform(0, 1) == 1);
        options.handoff = announced ? HandoffPolicy::announced : HandoffPolicy::curator;
        m_mutexes.push_back(std::make_unique<lock::Mutex>(
            explore::FlawedSession::over(m_session, m_context.options.flaws), options));
        m_mutexes.back()->onLost([this, i](OwnerId) { onLost(i); });
    }
}

zk::Awaitable<void> Worker::cycle()
{
    ++m_cycles;
    if (m_random.uniform(0, 7) == 0) {
        m_doing = "using one of several recipes";
        m_since = m_context.hub.now();
        co_await m_mixed->useOne();
        co_await whileFrozen();
        co_return;
    }
    // Mostly its own lock: when one is stuck for a while, not every client ends up behind it. Elsewhere it
    // never waits for long.
    const bool abroad = m_random.uniform(0, 9) == 0;
    const std::size_t lock = abroad
                                 ? static_cast<std::size_t>(m_random.uniform(0, m_context.options.locks - 1))
                                 : m_id.value % m_context.options.locks;
    const Style style = abroad ? Style::limited : pickStyle();
    std::optional<Duration> limit;
    if (style == Style::limited)
        limit = pick(kLongestLimit);
    if (style == Style::tried)
        limit = Duration{};
    lock::CancelToken cancel;
    zk::Scheduler::TimerId timer = 0;
    if (style == Style::cancelled)
        timer = m_context.hub.after(pick(kLongestLimit), [cancel] { cancel.request(); });
    m_doing = fmt::format("acquiring lock {}", lock);
    m_since = m_context.hub.now();
    const Result<lock::Grant> got = co_await m_mutexes[lock]->acquire(kOwner, limit, cancel).asResult();
    m_context.hub.cancel(timer);
    if (got) {
        m_context.outcomes.longestWait =
            std::max<Duration>(m_context.outcomes.longestWait, m_context.hub.now() - m_since);
        co_await hold(lock, *got, style == Style::reentrant);
    } else {
        refused(got.error(), style, lock);
    }
    co_await whileFrozen();
}

zk::Awaitable<void> Worker::hold(std::size_t lock, lock::Grant grant, bool reentrant)
{
    m_doing = fmt::format("holding lock {}", lock);
    m_since = m_context.hub.now();
    m_holds = true;
    m_lossReported = false;
    ++m_context.outcomes.acquired;
    const Zxid token = grant.token.value(); // the recipes here have one
    m_context.beliefChecker.granted(m_id, lock, token, grant.node, m_since);
    // Before the delete of a release: the session is a FIFO.
    m_session->setData(m_context.guardPath(lock), fmt::format("{} {}", grant.node, token.value),
                       [&checker = m_context.beliefChecker, lock, token](const zk::StatReply& written) {
                           if (written.code == zk::Code::ok)
                               checker.wrote(lock, written.stat.mzxid, token);
                       });
    co_await whileFrozen();
    m_context.beliefChecker.used(m_id, lock, token, m_context.hub.now());
    if (reentrant) {
        co_await reenter(lock, grant);
    }
    if (m_random.uniform(0, 3) == 0) {
        co_await sleepFor(&m_context.hub, pick(kLongestHold));
    }
    co_await whileFrozen();
    if (m_random.uniform(0, 1) == 1) {
        co_await linger(lock);
    }
    if (m_context.beliefChecker.believes(m_id, lock))
        m_context.beliefChecker.used(m_id, lock, token, m_context.hub.now());
    m_holds = false;
    co_await releaseLock(lock, token);
}

zk::Awaitable<void> Worker::reenter(std::size_t lock, lock::Grant grant)
{
    if (m_mutexes[lock]->depth(kOwner) == 0)
        co_return;
    const Result<lock::Grant> again = co_await m_mutexes[lock]->acquire(kOwner).asResult();
    if (!again || again->token != grant.token || again->depth != 2) {
        if (m_context.beliefChecker.believes(m_id, lock))
            m_context.beliefChecker.violated(
                fmt::format("Client {} could not enter lock {} again.", m_id.value, lock));
        co_return;
    }
    ++m_context.outcomes.reentered;
    const Result<void> released = co_await m_mutexes[lock]->release(kOwner).asResult();
    if (!released)
        m_lossReported = co_await reportsLoss(m_context.hub, m_session, m_contact, released.error());
    if (!released && !m_lossReported)
        m_context.beliefChecker.violated(released.error().text());
}

// A holder whom a fault has met stays, so that it lives to see that it has lost the lock, or that it has not.
zk::Awaitable<void> Worker::linger(std::size_t lock)
{
    const MonotonicTime until = m_context.hub.now() + m_session->timeout() + kLongestLinger;
    while (m_context.beliefChecker.believes(m_id, lock) && m_contact.excuse() &&
           m_context.hub.now() < until && !m_context.enough())
        co_await sleepFor(&m_context.hub, kLingerTurn);
}

zk::Awaitable<void> Worker::releaseLock(std::size_t lock, Zxid token)
{
    m_doing = fmt::format("releasing lock {}", lock);
    m_since = m_context.hub.now();
    m_context.beliefChecker.released(m_id, lock, m_since);
    const Result<void> released = co_await m_mutexes[lock]->release(kOwner).asResult();
    // With a session that was lost meanwhile the node goes when the server gives that up.
    if (released && !sessionOver())
        m_context.released.add(token);
    if (released)
        co_return;
    const bool expected = m_lossReported
                              ? released.error().code == ErrorCode::notOwner
                              : co_await reportsLoss(m_context.hub, m_session, m_contact, released.error());
    if (!expected)
        m_context.beliefChecker.violated(fmt::format("Client {}: {}", m_id.value, released.error().text()));
}

void Worker::refused(const Error& error, Style style, std::size_t lock)
{
    Outcomes& outcomes = m_context.outcomes;
    if (error.code == ErrorCode::sessionLost && sessionOver())
        ++outcomes.sessionLost;
    else if (error.code == ErrorCode::timedOut && (style == Style::limited || style == Style::tried))
        ++outcomes.timedOut;
    else if (error.code == ErrorCode::cancelled && style == Style::cancelled)
        ++outcomes.cancelled;
    else
        m_context.beliefChecker.violated(
            fmt::format("Client {} was refused lock {}: {}", m_id.value, lock, error.text()));
}

Worker::Style Worker::pickStyle()
{
    const std::int64_t dice = m_random.uniform(0, 19);
    if (dice < 3)
        return Style::limited;
    if (dice < 4)
        return Style::tried;
    if (dice < 6)
        return Style::cancelled;
    return dice < 8 ? Style::reentrant : Style::plain;
}

Duration Worker::pick(Duration longest) { return Duration{m_random.uniform(0, longest.count())}; }

// ---- what happens to it
// ----------------------------------------------------------------------------------------

void Worker::onPhase(zk::SessionPhase phase)
{
    if (phase == zk::SessionPhase::connected)
        proveContact();
    m_wake.notify();
}

void Worker::onLost(std::size_t lock)
{
    m_context.beliefChecker.lost(m_id, lock, m_session->timeout(), m_context.hub.now());
}

void Worker::endFault(FaultExposure::FaultId fault)
{
    m_contact.end(fault, m_context.hub.now());
    proveContact();
}

void Worker::proveContact()
{
    if (!m_contact.excuse() || m_contact.inForce() || !connected())
        return;
    m_session->sync(
        "/", [weak = weak_from_this(), session = m_session.get(), epoch = m_contact.epoch()](zk::Code code) {
            const auto self = weak.lock();
            if (self && self->m_session.get() == session && code == zk::Code::ok)
                self->m_contact.confirmContact(epoch);
        });
}

void Worker::freeze() { m_session->freeze(); }

void Worker::thaw()
{
    m_session->thaw();
    m_wake.notify();
}

// A frozen client's own time stands still too.
zk::Awaitable<void> Worker::whileFrozen()
{
    while (frozen())
        co_await m_wake.wait();
}

} // namespace lockscope::tests
