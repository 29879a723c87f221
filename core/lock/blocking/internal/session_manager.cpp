#include "core/lock/blocking/internal/session_manager.h"

#include <random>
#include <sstream>

namespace lockscope::lock {

namespace {

RetryPolicy reconnectPolicy()
{
    return RetryPolicy::forever(std::chrono::milliseconds(100), std::chrono::seconds(5));
}

} // namespace

SessionManager::SessionManager(std::shared_ptr<IoThread> io, zk::ConnectOptions options,
                               zk::ResolvedHosts resolved)
    : m_io(std::move(io))
    , m_options(std::move(options))
    , m_chroot(zk::splitChroot(m_options.hosts).chroot)
    , m_servers(zk::splitChroot(m_options.hosts).servers)
    , m_hosts(std::move(resolved))
    , m_retry(reconnectPolicy())
    , m_lookups(m_io->context())
    , m_phaseListeners(m_io)
{}

void SessionManager::begin()
{
    m_io->addCloser([self = shared_from_this()] { self->end(); });
    connect();
}

void SessionManager::connect()
{
    zk::ConnectOptions options = m_options;
    options.hosts = m_hosts.addresses + m_chroot;
    options.security.names.insert(m_hosts.names.begin(), m_hosts.names.end());
    m_session = m_io->hub().connect(std::move(options));
    m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && self->m_session.get() == session)
            self->phaseChanged(phase);
    });
    if (m_keepsSafeTime)
        m_safeTime->follow(m_session);
}

void SessionManager::keepSafeTime(SafetyRule rule)
{
    if (m_io->isClosing())
        return;
    m_keepsSafeTime = true;
    m_safeTime->rule = rule;
    m_safeTime->follow(m_session);
}

void SessionManager::phaseChanged(zk::SessionPhase phase)
{
    if (m_io->isClosing())
        return;
    if (phase == zk::SessionPhase::connected)
        m_retry = Retry(reconnectPolicy());
    m_turnedAway = phase != zk::SessionPhase::connected && m_session->wasTurnedAway();
    m_authFailed = phase == zk::SessionPhase::lost && m_session->lossReason() == zk::LossReason::authFailed;
    if (isOver(phase))
        connectLater();
    wakeAll();
    m_phaseListeners.notify(phase);
}

// The pause is short after a session that was connected; it grows while none connects.
void SessionManager::connectLater()
{
    m_io->hub().after(*m_retry.next(std::random_device{}()), [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->m_io->isClosing())
            return;
        if (self->m_hosts.addresses == self->m_servers)
            self->connect();
        else
            self->resolveAgain();
    });
}

// The addresses of the servers may have changed; otherwise the last known ones are kept.
void SessionManager::resolveAgain()
{
    m_lookups.start(m_servers, [weak = weak_from_this()](Result<zk::ResolvedHosts> resolved) {
        const auto self = weak.lock();
        if (!self || self->m_io->isClosing())
            return;
        if (resolved) {
            std::lock_guard lock(self->m_hostsMutex);
            self->m_hosts = std::move(*resolved);
        }
        self->connect();
    });
}

zk::Awaitable<Result<HubSessionPtr>> SessionManager::connected(std::optional<Duration> limit)
{
    if (!m_io->isClosing() && m_session->phase() == zk::SessionPhase::connected) {
        co_return m_session;
    }
    const auto self = shared_from_this();
    zk::Hub& hub = m_io->hub();
    const Duration timeout = limit.value_or(m_options.connectTimeout);
    const MonotonicTime deadline = zk::deadlineAfter(hub.now(), timeout);
    const auto place = m_waiting.emplace(m_waiting.end(), hub);
    const zk::Scheduler::TimerId timer = hub.after(timeout, place->notifier());
    while (!m_io->isClosing() && m_session->phase() != zk::SessionPhase::connected && !m_authFailed &&
           hub.now() < deadline)
        co_await place->wait();
    m_waiting.erase(place);
    hub.cancel(timer);
    if (m_io->isClosing()) {
        co_return closedError();
    }
    if (m_session->phase() == zk::SessionPhase::connected) {
        co_return m_session;
    }
    if (m_authFailed) {
        co_return Error{ErrorCode::noAuth,
                        message("ZooKeeper at %1 refuses the credentials.", m_options.hosts),
                        message("Check their scheme and format.")};
    }
    if (limit) {
        co_return Error{
            ErrorCode::timedOut, message("No connection to ZooKeeper was established in time."), {}};
    }
    co_return unreachableError();
}

std::vector<Error> SessionManager::unresolvedHosts() const
{
    std::lock_guard lock(m_hostsMutex);
    return m_hosts.unresolved;
}

Error SessionManager::unreachableError() const
{
    std::ostringstream seconds;
    seconds << std::chrono::duration<double>(m_options.connectTimeout).count();
    Message text = message("No ZooKeeper has answered at %1 for %2 s.", m_options.hosts, seconds.str());
    for (const Error& unresolved : m_hosts.unresolved)
        text = joined(text, unresolved.message);
    if (const std::optional<Error> insecure = m_session->notSecured())
        return Error{ErrorCode::noServer, joined(std::move(text), insecure->message), insecure->hint};
    if (m_turnedAway || m_session->wasTurnedAway())
        return Error{ErrorCode::noServer,
                     joined(std::move(text), message("A connection was accepted and closed at once.")),
                     message("The server may have as many connections from this machine as it allows "
                             "(maxClientCnxns), or it is no ZooKeeper, or it expects TLS.")};
    return Error{ErrorCode::noServer, std::move(text),
                 message("Check the address, and that the server runs and can be reached.")};
}

void SessionManager::wakeAll()
{
    for (const zk::Signal& waiting : m_waiting)
        waiting.notify();
}

void SessionManager::end()
{
    m_phaseListeners.clear();
    m_safeTime->end();
    m_safeTime->listeners.clear();
    m_session->close();
    wakeAll();
}

} // namespace lockscope::lock
