#include "core/zk/c_client/c_session.h"

#include "core/zk/c_client/calls.h"
#include "core/zk/c_client/hub_impl.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

namespace lockscope::zk::c_client {

namespace {

constexpr int kPacketsPerTurn = 16; // one packet per zookeeper_process; then the others get their turn
constexpr Duration kRetryAfterError = std::chrono::milliseconds(20);

} // namespace

CSession::CSession(HubImpl& hub, ConnectOptions options, std::optional<clientid_t> identity)
    : m_hub(hub)
    , m_options(std::move(options))
    , m_identity(identity)
    , m_lastReceive(hub.now())
{}

CSession::~CSession()
{
    if (m_hubGone)
        return;
    m_hub.cancel(m_lossTimer);
    m_hub.remove(*this, m_connectTurn);
    endHandle(Code::closed, nullptr);
}

Scheduler& CSession::scheduler() { return m_hub; }

std::string CSession::server() const
{
    if (m_phase != SessionPhase::connected || !m_handle || !m_handle->zh)
        return {};
    const char* server = zoo_get_current_server(m_handle->zh);
    return server ? server : "";
}

// ---- connecting ------------------------------------------------------------------------------------------

void CSession::beginConnecting()
{
    m_connectTurn = true;
    if (m_phase != SessionPhase::connecting)
        return;
    m_handle = std::make_unique<Handle>();
    m_handle->session = this;
    const auto milliseconds =
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(m_options.timeout).count());
    m_handle->zh =
        zookeeper_init2(m_options.hosts.c_str(), &onSessionEvent, milliseconds,
                        m_identity ? &*m_identity : nullptr, m_handle.get(), ZOO_NO_LOG_CLIENTENV, nullptr);
    if (!m_handle->zh) {
        lose(LossReason::connectTimedOut);
        return;
    }
    // Without this the library resolves the host names at every zookeeper_interest, blocking
    // (ZOOKEEPER-1998).
    zoo_set_servers_resolution_delay(m_handle->zh, -1);
    m_lossTimer = m_hub.after(m_options.connectLimit, [weak = weak_from_this()] {
        if (const auto self = weak.lock(); self && self->m_phase == SessionPhase::connecting)
            self->lose(LossReason::connectTimedOut);
    });
    m_hub.touch(*this);
}

void CSession::endConnectTurn()
{
    if (std::exchange(m_connectTurn, false))
        m_hub.connectTurnOver();
}

// ---- the event loop's side
// -----------------------------------------------------------------------------------

void CSession::onIo(std::uint32_t epollEvents)
{
    const auto self = shared_from_this(); // what runs in between may let go of us
    int events = 0;
    if (epollEvents & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP))
        events |= ZOOKEEPER_READ;
    if (epollEvents & EPOLLOUT)
        events |= ZOOKEEPER_WRITE;
    for (int packet = 0; packet < kPacketsPerTurn && isServed(); ++packet) {
        const int rc = zookeeper_process(m_handle->zh, events);
        if (rc != ZOK && rc != ZNOTHING)
            forgetFd(); // errors closed the socket; updateInterest() goes on from there
        if (rc != ZOK)
            break; // ZNOTHING: read all there was
        if (events & ZOOKEEPER_READ)
            m_lastReceive = m_hub.now();
        events = ZOOKEEPER_READ;
        m_hub.runReady(); // what one packet brought about goes before the next packet
    }
    m_hub.touch(*this);
}

void CSession::updateInterest()
{
    letPacketsGo();
    const bool due = m_hub.now() >= m_deadline;
    if (due)
        uncork(); // a heartbeat may go out
    if (!isServed() || m_phase == SessionPhase::lost || m_phase == SessionPhase::closed)
        return;
    noteSilentDisconnect();
    if (!isShakingHands())
        m_handshake.over(); // only the next call opens another socket
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
    }
    // The library answers 0 in some states (ZOOKEEPER-1756): never spin.
    m_deadline = m_hub.now() + std::max<Duration>(pause, std::chrono::milliseconds(1));
    m_hub.wantDeadline(*this);
    registerFd(fd, interest, wasConnected && zoo_state(m_handle->zh) == ZOO_CONNECTED_STATE);
    watchHandshake();
    // Ready for the next request. Whatever the library may send by itself is let go above; and what should
    // ever be forgotten the system sends after 200 ms.
    if (!due && onlyReads())
        cork();
}

bool CSession::isShakingHands() const { return zoo_state(m_handle->zh) == ZOO_ASSOCIATING_STATE; }

// Shut down, the socket is readable and at its end: the library closes it and goes to the next server.
void CSession::watchHandshake()
{
    if (!isShakingHands() || m_handle->fd < 0)
        return;
    m_handshake.begin(m_hub.now());
    if (m_handshake.overdue(m_hub.now())) {
        ::shutdown(m_handle->fd, SHUT_RDWR);
        return;
    }
    m_deadline = std::min(m_deadline, m_handshake.deadline());
    m_hub.wantDeadline(*this);
}

// The library closes and reopens sockets behind our back and the new one usually has the same number, so a
// changed number says nothing. Closing took the old one out of the epoll set: MOD, and when it is not there,
// ADD. Nothing to do when the library was connected at the last registration and is so now: sockets are
// opened in zookeeper_interest only, and the new one is not connected before a later turn, which registers
// it.
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
    m_hub.registerFd(fd, events, *this);
}

bool CSession::onlyReads() const
{
    return m_registered.connected && m_registered.events == (EPOLLIN | EPOLLRDHUP) && isServed();
}

// A write that finds the connection dead makes the library close it and say nothing (ZOOKEEPER-4210).
void CSession::noteSilentDisconnect()
{
    if (m_phase != SessionPhase::connected)
        return;
    const int state = zoo_state(m_handle->zh);
    if (state != ZOO_CONNECTED_STATE && state != ZOO_READONLY_STATE) {
        forgetFd();
        becameSuspended();
    }
}

// The library has closed its socket: the number may be anybody's by now, and taking it out of the epoll set
// would take out another session's.
void CSession::forgetFd()
{
    if (m_handle)
        m_handle->fd = -1;
    m_registered = {};
    m_corkedFd = -1;
    m_packetsHeld = false;
}

} // namespace lockscope::zk::c_client
