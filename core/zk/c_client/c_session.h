// A session on a single-threaded C handle. Comments in the code state the rules that follow from the source
// of the library. I/O thread. Owned by its users; the hub refers to it by its slot.
#pragma once

#include "core/tls/failure.h"
#include "core/zk/c_client/frame_guard.h"
#include "core/zk/c_client/handle.h"
#include "core/zk/c_client/handshake_timer.h"
#include "core/zk/hub.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::zk::c_client {

class HubImpl;

class CSession final : public HubSession, public std::enable_shared_from_this<CSession>
{
public:
    // With `identity`, takes over the session with that id and password instead of creating a new one.
    CSession(std::shared_ptr<HubImpl> hub, ConnectOptions options, std::optional<clientid_t> identity);
    ~CSession() override;

    void create(const std::string& path, std::string_view data, CreateMode mode,
                UniqueFunction<void(Created)> handler) override;
    void remove(const std::string& path, UniqueFunction<void(Code)> handler) override;
    void getChildren(const std::string& path, ChildrenVisitor visitor) override;
    WatchPtr getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor) override;
    void getData(const std::string& path, UniqueFunction<void(Data)> handler) override;
    WatchPtr getData(const std::string& path, WatchHandler watch,
                     UniqueFunction<void(Data)> handler) override;
    WatchPtr exists(const std::string& path, WatchHandler watch,
                    UniqueFunction<void(StatReply)> handler) override;
    using Session::setData;
    void setData(const std::string& path, std::string_view data, std::int32_t version,
                 UniqueFunction<void(StatReply)> handler) override;
    void sync(const std::string& path, UniqueFunction<void(Code)> handler) override;
    void setDataWhile(const std::string& guard, const std::string& path, std::string_view data,
                      UniqueFunction<void(GuardedReply)> handler) override;
    void removeWhile(std::int32_t creations, const std::string& path,
                     UniqueFunction<void(GuardedReply)> handler); // see guarded_remove.h

    SessionPhase phase() const override { return m_phase; }
    LossReason lossReason() const override { return m_loss; }
    SessionId id() const override { return m_id; }
    Duration timeout() const override { return m_timeout; }
    std::string server() const override;
    ListenerId addListener(PhaseListener listener) override;
    void removeListener(ListenerId listener) override;
    void close() override;
    Scheduler& scheduler() override;

    void kill(UniqueFunction<void(Result<void>)> done) override;
    void freeze() override;
    void thaw() override;
    bool frozen() const override { return m_frozen; }
    bool wasTurnedAway() const override { return m_turnedAway; }
    std::optional<Error> notSecured() const override;

    // ---- for the hub ----
    void beginConnecting(); // a connect slot is free
    void onIo(std::uint32_t epollEvents);
    void updateInterest(); // after every library call that may touch the socket
    MonotonicTime deadline() const { return m_deadline; }
    bool isIoActive() const { return m_handle && m_handle->zh && !m_frozen && m_ioPauses == 0; }
    bool awaitsReply() const { return m_handle && !m_handle->calls.empty(); }
    bool hasReadInterestOnly() const; // the hub waits only for its socket to become readable
    void flushPackets();              // see delayPackets()
    void onTunnelChanged(const std::string& server, const tls::Failure& failure); // none: it may be used
    void onHubShutDown(); // the hub ends first: closes the session, which must not call the hub any more
    std::size_t slot = 0;
    std::uint32_t generation = 0;
    bool updateScheduled = false;
    MonotonicTime queuedDeadline = MonotonicTime::max(); // its earliest entry in the hub's queue

    // ---- for the callbacks ----
    void onStateEvent(int state);
    void onListArrived(std::optional<std::size_t> bytes); // none: it failed
    HubImpl& hub() { return *m_hub; }

private:
    friend class KillJob;
    template <class Slot, class Send>
    void submit(const std::string& path, Slot replySlot, WatchRecord* watch, Send send);
    void answerLater(std::unique_ptr<Call> call, Code code);
    void sendChildren(const std::string& path, WatchRecord* watch, ChildrenVisitor visitor,
                      bool usesListBudget);
    bool sendWaitingList();
    void returnListBudget();
    void nameWaysOfLinks();
    void lookUpHosts();
    void openHandle();
    std::string hostsInRandomOrder();
    bool addCredentials();
    void onConnectionFailed(bool whileHandshaking);
    bool isBackingOff();
    bool mayRead();
    void delayPackets();
    bool cork();
    void uncork();
    bool secure(int fd);
    std::string currentServer() const;
    void registerFd(int fd, int interest, bool connected);
    void unregisterFd();
    void forgetFd();
    void releaseConnectSlot();
    void setPhase(SessionPhase phase);
    void onConnected();
    void onSuspended();
    void lose(LossReason reason);
    void armLossTimer();
    void endHandle(Code code, UniqueFunction<void()> closed);
    void detectSilentDisconnect();
    bool isConnecting() const; // connecting, or waiting for the handshake reply
    void watchHandshake();
    void pauseIo(); // stops I/O until resumeIo() is called as often; timers run on
    void resumeIo();

    const std::shared_ptr<HubImpl> m_hub;
    ConnectOptions m_options;
    std::vector<ACL> m_aclEntries; // their strings are in m_options.acl
    ACL_vector m_acl;
    std::unique_ptr<Handle> m_handle;
    std::optional<clientid_t> m_identity;
    SessionPhase m_phase = SessionPhase::connecting;
    LossReason m_loss = LossReason::none;
    SessionId m_id = SessionId::none();
    Duration m_timeout{};
    bool m_frozen = false;
    int m_ioPauses = 0; // kills under way
    HandshakeTimer m_handshakeTimer{m_options.handshakeTimeout};
    bool m_handshakeExpired = false; // and the connection was broken therefore
    FrameGuard m_guard;
    bool m_readDeferred = false; // the head of a packet is incomplete: reading pauses for a moment
    std::size_t m_servers = 1;   // number of addresses
    std::size_t m_failures = 0;  // connections in a row that failed
    bool m_turnedAway = false;   // one of them was accepted, and closed before the handshake was answered
    MonotonicTime m_nextAttempt{};
    std::string m_securedServer; // where the last tunnel that has begun leads to
    bool m_mayHandshake = false; // that tunnel is ready
    tls::Failure m_tlsFailure;   // why the last one that failed could not be secured
    bool m_holdsConnectSlot = false;
    struct Registered // in the hub's epoll set
    {
        int fd = -1;
        std::uint32_t events = 0;
        bool connected = false; // the library was connected at that time
    } m_registered;
    int m_corkedFd = -1;           // see delayPackets()
    bool m_packetsDelayed = false; // until the hub flushes them
    MonotonicTime m_lastReceive{};
    MonotonicTime m_deadline = MonotonicTime::max();
    Scheduler::TimerId m_lossTimer = 0;
    struct WaitingList
    {
        std::string path;
        ChildrenVisitor visitor;
    };
    std::deque<WaitingList> m_waitingLists; // until the list budget has room for them
    std::size_t m_listsUnderWay = 0;        // lists that count in the list budget
    Listeners<SessionPhase> m_listeners;
};

} // namespace lockscope::zk::c_client
