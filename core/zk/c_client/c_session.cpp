#include "core/zk/c_client/c_session.h"

#include "core/base/host_port.h"
#include "core/zk/c_client/callbacks.h"
#include "core/zk/c_client/hub_impl.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::zk::c_client {

namespace {

constexpr int kPacketsPerTurn = 16; // one packet per zookeeper_process; then other sessions get their turn
constexpr Duration kRetryAfterError = std::chrono::milliseconds(20);
constexpr Duration kReadDeferral = std::chrono::milliseconds(1); // for the rest of a packet's head to arrive
constexpr int kBackoffsPerTimeout = 60;                          // as in the library
// A handshake of TLS costs a server milliseconds: one that is given up while many wait is work for nothing.
constexpr int kSecuredHandshakes = 5;                      // of the limit for others
constexpr Duration kLookUpAgain = std::chrono::seconds(1); // after a name service did not help

} // namespace

CSession::CSession(std::shared_ptr<HubImpl> hub, ConnectOptions options, std::optional<clientid_t> identity)
    : m_hub(std::move(hub))
    , m_options(std::move(options))
    , m_acl(ZOO_OPEN_ACL_UNSAFE)
    , m_identity(identity)
    , m_lastReceive(m_hub->now())
{
    if (!m_options.security.isOn())
        m_options.security.context = m_hub->security().context;
    m_options.security.names.insert(m_hub->security().names.begin(), m_hub->security().names.end());
    nameWaysOfLinks();
    if (m_options.security.isOn())
        m_handshakeTimer = HandshakeTimer(kSecuredHandshakes * m_options.handshakeTimeout);
    if (m_options.acl.empty())
        return;
    m_aclEntries.reserve(m_options.acl.size());
    for (AclEntry& entry : m_options.acl)
        m_aclEntries.push_back(
            {static_cast<std::int32_t>(entry.permissions), {entry.scheme.data(), entry.id.data()}});
    m_acl = {static_cast<std::int32_t>(m_aclEntries.size()), m_aclEntries.data()};
}

CSession::~CSession()
{
    if (m_hub->isOver())
        return;
    m_hub->cancel(m_lossTimer);
    m_hub->remove(*this, m_holdsConnectSlot);
    endHandle(Code::closed, nullptr);
}

Scheduler& CSession::scheduler() { return *m_hub; }

std::string CSession::server() const
{
    if (m_phase != SessionPhase::connected || !m_handle || !m_handle->zh)
        return {};
    const char* server = zoo_get_current_server(m_handle->zh);
    return server ? server : "";
}

// What answers at the addresses of a relay must show the certificates of the servers behind it, in the same
// order.
void CSession::nameWaysOfLinks()
{
    const std::vector<std::string> servers = splitHosts(splitChroot(m_options.killHosts).servers);
    const std::vector<std::string> ways = splitHosts(splitChroot(m_options.hosts).servers);
    for (std::size_t i = 0; m_options.security.isOn() && i < std::min(servers.size(), ways.size()); ++i)
        m_options.security.names.emplace(ways[i], m_options.security.hostOf(servers[i]));
}

// ---- connecting ------------------------------------------------------------------------------------------

void CSession::beginConnecting()
{
    m_holdsConnectSlot = true;
    if (m_phase != SessionPhase::connecting)
        return;
    m_lossTimer = m_hub->after(m_options.connectTimeout, [weak = weak_from_this()] {
        if (const auto self = weak.lock(); self && self->m_phase == SessionPhase::connecting)
            self->lose(LossReason::connectTimedOut);
    });
    lookUpHosts();
}

// A name service that cannot be reached now is asked again, as long as the session may connect.
void CSession::lookUpHosts()
{
    const ConnectString hosts = splitChroot(m_options.hosts);
    if (hosts.tls && !m_options.security.isOn())
        return lose(LossReason::connectTimedOut); // never in plain text
    if (!haveNames(hosts.servers))
        return openHandle();
    m_hub->lookUp(hosts.servers, [weak = weak_from_this()](const Result<ResolvedHosts>& found) {
        const auto self = weak.lock();
        if (!self || self->m_phase != SessionPhase::connecting)
            return;
        if (found) {
            self->m_options.hosts = found->addresses + splitChroot(self->m_options.hosts).chroot;
            self->m_options.security.names.insert(found->names.begin(), found->names.end());
            self->openHandle();
            return;
        }
        self->m_hub->after(kLookUpAgain, [weak] {
            if (const auto alive = weak.lock(); alive && alive->m_phase == SessionPhase::connecting)
                alive->lookUpHosts();
        });
    });
}

void CSession::openHandle()
{
    m_handle = std::make_unique<Handle>();
    m_handle->session = this;
    const auto milliseconds =
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(m_options.timeout).count());
    m_handle->zh =
        zookeeper_init2(hostsInRandomOrder().c_str(), &onSessionEvent, milliseconds,
                        m_identity ? &*m_identity : nullptr, m_handle.get(), ZOO_NO_LOG_CLIENTENV, nullptr);
    if (!m_handle->zh) {
        lose(LossReason::connectTimedOut);
        return;
    }
    // Without this the library resolves the host names at every zookeeper_interest, blocking
    // (ZOOKEEPER-1998).
    zoo_set_servers_resolution_delay(m_handle->zh, -1);
    if (!addCredentials()) {
        lose(LossReason::authFailed);
        return;
    }
    m_hub->scheduleUpdate(*this);
}

// The library keeps copies and sends them first on each new connection. False when a proof is missing.
bool CSession::addCredentials()
{
    for (const Credential& credential : m_options.credentials) {
        Result<std::string> proof = Error{};
        m_hub->callGuarded([&] { proof = credential.proof(); });
        if (!proof)
            return false;
        const int rc = zoo_add_auth(m_handle->zh, credential.scheme.c_str(), proof->data(),
                                    static_cast<int>(proof->size()), nullptr, nullptr);
        overwriteSecret(*proof);
        if (rc != ZOK)
            return false;
    }
    return true;
}

// The list suits the library (3.8.0), which
// - skips IPv6 addresses in brackets silently;
// - advances in the list by one for each attempt at first, and by two after it was connected or at the end of
// the list:
//   with an even number of servers it would skip every other one forever. So each server is listed twice, in
//   an order that with either step tries all servers before one is repeated;
// - shuffles the list itself unless that is switched off for the whole process (Hub::create).
std::string CSession::hostsInRandomOrder()
{
    const ConnectString connectString = splitChroot(m_options.hosts);
    std::vector<std::string> servers = splitHosts(connectString.servers);
    for (std::string& server : servers)
        std::erase_if(server, [](char c) { return c == '[' || c == ']'; });
    for (std::size_t left = servers.size(); left > 1; --left) {
        const auto other = m_hub->random().uniform(0, static_cast<std::int64_t>(left) - 1);
        std::swap(servers[left - 1], servers[static_cast<std::size_t>(other)]);
    }
    m_servers = std::max<std::size_t>(servers.size(), 1);
    std::string hosts;
    for (std::size_t i = 0; i < 2 * servers.size(); ++i) {
        const std::size_t again = servers.size() % 2 == 0 ? (i - servers.size()) ^ 1U : i - servers.size();
        hosts += (i == 0 ? "" : ",") + servers[i < servers.size() ? i : again];
    }
    return hosts + connectString.chroot;
}

// Pauses after a failed attempt on every server. The library pauses only at the end of its list, which it may
// never reach.
void CSession::onConnectionFailed(bool whileHandshaking)
{
    forgetFd();
    m_handshakeExpired = false;
    m_turnedAway = m_turnedAway || whileHandshaking;
    if (++m_failures % m_servers == 0)
        m_nextAttempt = m_hub->now() + m_options.timeout / kBackoffsPerTimeout;
}

// Between two attempts to connect.
bool CSession::isBackingOff()
{
    const bool connected = zoo_state(m_handle->zh) == ZOO_CONNECTED_STATE;
    if (connected || isConnecting() || m_hub->now() >= m_nextAttempt)
        return false;
    m_deadline = m_nextAttempt;
    m_hub->scheduleDeadline(*this);
    return true;
}

void CSession::releaseConnectSlot()
{
    if (std::exchange(m_holdsConnectSlot, false))
        m_hub->freeConnectSlot();
}

// ---- the event loop --------------------------------------------------------------------------------------

void CSession::onIo(std::uint32_t epollEvents)
{
    const auto self = shared_from_this(); // handlers may drop the last reference
    int events = 0;
    if (epollEvents & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP))
        events |= ZOOKEEPER_READ;
    if (epollEvents & EPOLLOUT)
        events |= ZOOKEEPER_WRITE;
    for (int packet = 0; packet < kPacketsPerTurn && isIoActive(); ++packet) {
        if ((events & ZOOKEEPER_READ) && !mayRead())
            events &= ~ZOOKEEPER_READ;
        if (events == 0)
            break;
        const bool handshaking = zoo_state(m_handle->zh) == ZOO_ASSOCIATING_STATE;
        const int rc = zookeeper_process(m_handle->zh, events);
        if (events & ZOOKEEPER_READ)
            m_guard.noteRead(rc != ZNOTHING);
        if (rc != ZOK && rc != ZNOTHING)
            onConnectionFailed(handshaking && !m_handshakeExpired); // updateInterest() reconnects
        if (rc != ZOK)
            break; // ZNOTHING: nothing is left to read
        if (events & ZOOKEEPER_READ)
            m_lastReceive = m_hub->now();
        const bool readAll = (events & ZOOKEEPER_READ) && m_guard.hasSeenWholePacket();
        events = ZOOKEEPER_READ;
        m_hub->runReady(); // handle one packet before reading the next
        if (readAll)
            break;
    }
    m_hub->scheduleUpdate(*this);
}

// Whether the library may read. It must also read to notice that a connection has ended or was reset by
// replaceFd().
bool CSession::mayRead()
{
    const int state = zoo_state(m_handle->zh);
    const bool connected = state == ZOO_CONNECTED_STATE || state == ZOO_READONLY_STATE;
    if (!connected && state != ZOO_ASSOCIATING_STATE)
        return true;
    switch (connected ? m_guard.check(m_handle->fd, m_handle->calls, m_hub->now())
                      : m_guard.checkHandshake(m_handle->fd)) {
    case FrameGuard::Status::nothing:
        return false;
    case FrameGuard::Status::incomplete:
        m_readDeferred = true;
        return false;
    case FrameGuard::Status::broken:
        m_hub->replaceFd(m_handle->fd);
        return true;
    case FrameGuard::Status::pass:
        break;
    }
    return true;
}

void CSession::updateInterest()
{
    flushPackets();
    const bool due = m_hub->now() >= m_deadline;
    if (due)
        uncork(); // a heartbeat may be sent
    if (!isIoActive() || isOver(m_phase))
        return;
    detectSilentDisconnect();
    if (!isConnecting())
        m_handshakeTimer.stop(); // the next call may open another socket
    if (isBackingOff())
        return;
    const bool wasConnected = zoo_state(m_handle->zh) == ZOO_CONNECTED_STATE;
    // On some errors the library writes none of these.
    int fd = -1;
    int interest = 0;
    timeval wait{0, 0};
    const int rc = zookeeper_interest(m_handle->zh, &fd, &interest, &wait);
    if (!m_handle || !m_handle->zh || m_phase == SessionPhase::lost)
        return;
    Duration pause = std::chrono::seconds(wait.tv_sec) + std::chrono::microseconds(wait.tv_usec);
    if (rc != ZOK) {
        fd = -1; // after a timeout `fd` is a number that was just closed
        pause = kRetryAfterError;
        onConnectionFailed(false);
    }
    if (fd >= 0 && m_options.security.isOn()) {
        if (!Tunnels::isEnd(fd) && !secure(fd)) {
            m_hub->replaceFd(fd);
            zookeeper_process(m_handle->zh, ZOOKEEPER_READ); // it notices that, and closes it
            onConnectionFailed(false);
            fd = -1;
            pause = kRetryAfterError;
        } else if (!m_mayHandshake) {
            interest &= ~ZOOKEEPER_WRITE;
        }
    }
    if (std::exchange(m_readDeferred, false)) {
        interest &= ~ZOOKEEPER_READ;
        pause = kReadDeferral;
    }
    // In some states the library asks for a wait of 0 (ZOOKEEPER-1756): at least 1 ms keeps the thread from
    // spinning.
    m_deadline = m_hub->now() + std::max<Duration>(pause, std::chrono::milliseconds(1));
    m_hub->scheduleDeadline(*this);
    registerFd(fd, interest, wasConnected && zoo_state(m_handle->zh) == ZOO_CONNECTED_STATE);
    watchHandshake();
    // Cork for the next request. uncork() above lets heartbeats through, and the kernel sends corked bytes
    // after 200 ms at the latest.
    if (!due && hasReadInterestOnly())
        cork();
}

// The library has opened this socket in the zookeeper_interest() that has just returned. A TCP socket that
// does not block is never connected at once (Linux), so the library has not written to it yet; it would have
// in another state.
bool CSession::secure(int fd)
{
    m_mayHandshake = false;
    if (zoo_state(m_handle->zh) != ZOO_CONNECTING_STATE)
        return false;
    return m_hub->tunnels().takeOver(fd, {slot, generation}, m_options.security);
}

void CSession::onTunnelChanged(const std::string& server, const tls::Failure& failure)
{
    m_securedServer = server;
    if (failure.fault == tls::Fault::none)
        m_mayHandshake = true;
    else
        m_tlsFailure = failure; // and the library's end of the tunnel reads as closed
    m_hub->scheduleUpdate(*this);
}

std::optional<Error> CSession::notSecured() const
{
    if (m_tlsFailure.fault == tls::Fault::none)
        return std::nullopt;
    return tls::describe(m_tlsFailure, m_securedServer, m_options.security.hostOf(m_securedServer));
}

// The library writes an IPv6 address without brackets.
std::string CSession::currentServer() const
{
    const char* const server = zoo_get_current_server(m_handle->zh);
    const std::string all = server ? server : "";
    const std::size_t colon = all.rfind(':');
    const std::string host = all.substr(0, colon);
    return colon == std::string::npos || host.starts_with('[') || host.find(':') == std::string::npos
               ? all
               : "[" + host + "]" + all.substr(colon);
}

bool CSession::isConnecting() const
{
    const int state = zoo_state(m_handle->zh);
    return state == ZOO_CONNECTING_STATE || state == ZOO_ASSOCIATING_STATE;
}

// After shutdown() the socket reads as ended, so the library closes it and tries the next server.
void CSession::watchHandshake()
{
    if (!isConnecting() || m_handle->fd < 0)
        return;
    m_handshakeTimer.begin(m_hub->now());
    if (m_handshakeTimer.checkExpired(m_hub->now())) {
        m_handshakeExpired = true;
        ::shutdown(m_handle->fd, SHUT_RDWR);
        return;
    }
    m_deadline = std::min(m_deadline, m_handshakeTimer.deadline());
    m_hub->scheduleDeadline(*this);
}

// The library closes and reopens sockets without notice, and the new one usually has the same number, so the
// number proves nothing. Closing removed the old socket from the epoll set: hence MOD, and ADD if that fails.
// There is nothing to do when the library was connected at the last registration and still is: only
// zookeeper_interest opens sockets, and a new one is not connected before a later turn, which registers it.
void CSession::registerFd(int fd, int interest, bool connected)
{
    const bool settled = std::exchange(m_registered.connected, connected && fd >= 0) && connected;
    m_handle->fd = fd;
    if (fd < 0)
        return;
    std::uint32_t events = 0;
    if (interest & ZOOKEEPER_READ)
        events |= EPOLLIN | EPOLLRDHUP;
    if (interest & ZOOKEEPER_WRITE)
        events |= EPOLLOUT;
    if (settled && m_registered.fd == fd && m_registered.events == events)
        return;
    m_registered.fd = fd;
    m_registered.events = events;
    m_hub->registerFd(fd, events, *this);
}

bool CSession::hasReadInterestOnly() const
{
    return m_registered.connected && m_registered.events == (EPOLLIN | EPOLLRDHUP) && isIoActive();
}

// When a write finds the connection dead, the library closes it without a notification (ZOOKEEPER-4210).
void CSession::detectSilentDisconnect()
{
    if (m_phase != SessionPhase::connected)
        return;
    const int state = zoo_state(m_handle->zh);
    if (state != ZOO_CONNECTED_STATE && state != ZOO_READONLY_STATE) {
        forgetFd();
        onSuspended();
    }
}

// The library has closed its socket: the number may belong to another session by now, whose socket must not
// be removed from the epoll set.
void CSession::forgetFd()
{
    if (m_handle)
        m_handle->fd = -1;
    m_registered = {};
    m_guard.reset();
    m_readDeferred = false;
    m_corkedFd = -1;
    m_packetsDelayed = false;
}

void CSession::onStateEvent(int state)
{
    if (isOver(m_phase))
        return;
    const bool connected = state == ZOO_CONNECTED_STATE || state == ZOO_READONLY_STATE;
    if (!connected && state != ZOO_ASSOCIATING_STATE)
        forgetFd(); // the library has closed the socket before this call
    if (connected)
        onConnected();
    else if (state == ZOO_EXPIRED_SESSION_STATE)
        lose(LossReason::expired);
    else if (state == ZOO_AUTH_FAILED_STATE)
        lose(LossReason::authFailed);
    else if (state == ZOO_CONNECTING_STATE)
        onSuspended();
}

void CSession::onConnected()
{
    releaseConnectSlot();
    m_handshakeTimer.onAnswered();
    m_failures = 0;
    m_turnedAway = false;
    m_tlsFailure = {};
    if (m_phase == SessionPhase::connected)
        onSuspended(); // the disconnect was silent
    const clientid_t* identity = zoo_client_id(m_handle->zh);
    m_identity = *identity;
    m_id = SessionId{identity->client_id};
    m_timeout = std::chrono::milliseconds(zoo_recv_timeout(m_handle->zh));
    m_lastReceive = m_hub->now();
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    setPhase(SessionPhase::connected);
}

void CSession::onSuspended()
{
    if (m_phase != SessionPhase::connected)
        return;
    setPhase(SessionPhase::suspended);
    armLossTimer();
}

// The library learns of an expiry only from a server and would otherwise wait forever. We declare the session
// lost when the negotiated timeout has passed since the last packet, like LOST in Curator.
void CSession::armLossTimer()
{
    m_hub->cancel(m_lossTimer);
    const Duration left = m_lastReceive + m_timeout - m_hub->now();
    m_lossTimer = m_hub->after(std::max<Duration>(left, Duration{}), [weak = weak_from_this()] {
        if (const auto self = weak.lock();
            self && self->m_phase == SessionPhase::suspended && !self->m_frozen)
            self->lose(LossReason::timedOut);
    });
}

void CSession::lose(LossReason reason)
{
    m_loss = reason;
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    releaseConnectSlot();
    setPhase(SessionPhase::lost);
    // We may be inside the library: end the handle after it has returned.
    m_hub->post([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->endHandle(Code::sessionLost, nullptr);
    });
}

void CSession::setPhase(SessionPhase phase)
{
    m_phase = phase;
    m_hub->post([weak = weak_from_this(), phase] {
        if (const auto self = weak.lock())
            self->m_listeners.notify(phase);
    });
}

Session::ListenerId CSession::addListener(PhaseListener listener)
{
    return m_listeners.add(std::move(listener));
}

void CSession::removeListener(ListenerId listener) { m_listeners.remove(listener); }

void CSession::close()
{
    if (m_phase == SessionPhase::closed)
        return;
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    releaseConnectSlot();
    if (m_phase != SessionPhase::lost)
        setPhase(SessionPhase::closed);
    endHandle(Code::closed, nullptr);
}

// Answers all pending requests with `code` and passes the handle to the closer. `closed` then runs on our
// thread. Watches destroyed here may call the session, which has no handle any more.
void CSession::endHandle(Code code, UniqueFunction<void()> closed)
{
    if (!m_handle)
        return;
    uncork();
    std::unique_ptr<Handle> handle = std::move(m_handle);
    for (std::unique_ptr<Call>& call : handle->detach())
        answerLater(std::move(call), code);
    for (WaitingList& list : std::exchange(m_waitingLists, {}))
        m_hub->post([visitor = std::move(list.visitor), code]() mutable { visitor(code, {}, {}); });
    m_hub->closeHandle(std::move(handle), std::move(closed));
    returnListBudget();
}

// Lets other sessions send their lists.
void CSession::returnListBudget()
{
    for (std::size_t lists = std::exchange(m_listsUnderWay, 0); lists > 0; --lists)
        m_hub->lists().failed();
}

void CSession::onHubShutDown()
{
    m_phase = SessionPhase::closed;
    m_listeners.clear();
    endHandle(Code::closed, nullptr);
}

void CSession::freeze()
{
    m_frozen = true;
    returnListBudget(); // a frozen session must not delay other sessions
    if (m_handle && m_handle->fd >= 0)
        unregisterFd();
}

void CSession::unregisterFd()
{
    m_hub->unregisterFd(m_handle->fd);
    m_registered = {};
}

void CSession::thaw()
{
    if (!std::exchange(m_frozen, false) || m_hub->isOver())
        return;
    if (m_phase == SessionPhase::suspended)
        armLossTimer();
    m_hub->scheduleUpdate(*this);
}

void CSession::pauseIo()
{
    ++m_ioPauses;
    if (m_handle && m_handle->fd >= 0)
        unregisterFd();
}

void CSession::resumeIo()
{
    --m_ioPauses;
    if (!m_hub->isOver())
        m_hub->scheduleUpdate(*this);
}

void CSession::kill(UniqueFunction<void(Result<void>)> done)
{
    if (m_hub->isOver())
        return;
    if (!m_identity || isOver(m_phase)) {
        m_hub->post([done = std::move(done)]() mutable {
            done(Error{ErrorCode::sessionLost,
                       message("There is no session to kill: the client never connected, or its session has "
                               "ended."),
                       {}});
        });
        return;
    }
    ConnectOptions way = m_options;
    if (!way.killHosts.empty())
        way.hosts = way.killHosts;
    m_hub->startKill(shared_from_this(), std::move(way), *m_identity, std::move(done));
}

} // namespace lockscope::zk::c_client
