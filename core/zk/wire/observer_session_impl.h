// The implementation of ObserverSession; may outlive it briefly, to answer the pending requests.
#pragma once

#include "core/zk/background.h"
#include "core/zk/host_lookups.h"
#include "core/zk/wire/connection.h"
#include "core/zk/wire/observer_session.h"
#include "core/zk/wire/watch_manager.h"

#include <boost/asio/ip/tcp.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::zk::wire {

class ObserverSession::Impl : public std::enable_shared_from_this<Impl>
{
public:
    using Handler =
        std::variant<UniqueFunction<void(Code)>, UniqueFunction<void(Data)>, UniqueFunction<void(NodeReply)>,
                     UniqueFunction<void(std::vector<NodeReply>)>, UniqueFunction<void(StatReply)>,
                     ChildrenVisitor>;
    struct Request
    {
        OpCode op{};
        std::string path; // as the server sees it
        Handler handler;
        WatchRecordPtr watch{};
        WatchMode mode{};
        std::int32_t xid = 0;             // set when the request is sent
        std::vector<std::string> paths{}; // for multiRead, as the server sees them
        MonotonicTime sent{};
    };

    Impl(IoScheduler& scheduler, ObserverOptions options);
    void start();
    void submit(Request request);
    std::string serverPath(const std::string& path) const;
    void close();

    IoScheduler& scheduler;
    ObserverOptions options;
    SessionPhase phase = SessionPhase::connecting;
    LossReason loss = LossReason::none;
    Identity identity;
    Duration timeout{};
    std::string server;
    bool readOnly = false;
    std::int32_t lastError = 0;
    std::optional<Error> authTrouble;
    Listeners<SessionPhase> listeners;
    std::shared_ptr<UniqueFunction<void(const NodeEvent&)>>
        onEvent; // shared: it may be replaced while it runs

private:
    void attempt();
    void onConnected();
    void sendHello();
    void onFrame(std::string_view frame);
    void onConnectReply(std::string_view frame);
    void open();
    void onReply(const ReplyHeader& head, jute::Reader& body);
    void onWatcherEvent(const ReplyHeader& head, jute::Reader& body);
    void connectionEnded();
    void breakConnection();
    void lose(LossReason reason);
    void end(SessionPhase how, Code code);
    void setPhase(SessionPhase next);
    std::int32_t nextXid();
    void sendOne(Request request);
    void answerLater(Request request, Code code);
    void answerAll(std::deque<Request> requests, Code code);
    void answer(Request& request, Code code);
    bool answer(Request& request, jute::Reader& body);
    bool answerList(ChildrenVisitor& visitor, jute::Reader& body);
    void tick();
    void scheduleTick(MonotonicTime moment);
    std::string_view clientPath(std::string_view path) const; // empty if the path is not below the chroot
    Duration patience() const; // with the server, when it promises a timeout far above the wanted one, too
    MonotonicTime answerDue() const; // of the oldest request that is not answered
    MonotonicTime now() const { return scheduler.now(); }

    void lookUpHosts();

    // The authentication of one connection.
    struct Sasl
    {
        Sasl(const SaslOptions& options, const std::string& host)
            : exchange(options, host)
        {}
        SaslExchange exchange; // used by the thread that `isAsked` says is there
        SaslExchange::Step step{};
        bool isAsked = false;
        std::int32_t xid = 0; // of the request that is not answered
        int rounds = 0;
    };
    void beginSasl();
    void askSasl(std::string challenge);
    void onSaslStep(const Result<SaslExchange::Step>& step);
    void sendSasl();
    void onSaslReply(const ReplyHeader& head, jute::Reader& body);
    void failSasl(Error why);
    Error saslError(SaslFault fault) const;

    const ConnectString m_hosts;
    std::vector<boost::asio::ip::tcp::endpoint> m_servers; // empty until names have been looked up
    HostLookups m_lookups{scheduler.io()};
    Background m_background{scheduler.io()};
    std::shared_ptr<Sasl> m_sasl;                       // null when the session is open, or without SASL
    std::size_t m_nextServer = 0, m_failedAttempts = 0; // attempts since the last connection that lasted
    std::optional<std::size_t> m_sinceReadOnly;         // attempts since a read-only server was passed over
    std::shared_ptr<Connection> m_connection;
    bool m_handshakeDone = false;
    std::deque<Request> m_sent, m_waiting;
    std::int32_t m_lastXid = 0;
    Zxid m_lastZxid;
    WatchManager m_watches;
    MonotonicTime m_lastReceive{}, m_lastAnswer{}, m_pinged{}, m_connectedAt{};
    MonotonicTime m_connectDeadline = MonotonicTime::max(); // for the first connect
    MonotonicTime m_attemptDeadline = MonotonicTime::max(); // for this attempt
    MonotonicTime m_retryAt = MonotonicTime::max();
    Scheduler::TimerId m_timer = 0;
};

} // namespace lockscope::zk::wire
