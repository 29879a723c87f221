#include "core/zk/wire/observer_session_impl.h"

#include "core/base/host_port.h"
#include "core/base/node_path.h"
#include "core/base/numeric_endpoint.h"

#include <algorithm>
#include <random>
#include <utility>

namespace lockscope::zk::wire {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kHandshakeTimeout = seconds(1);  // connect and handshake; doubled each round
constexpr Duration kOnlyServerTimeout = seconds(5); // the same, where there is no other server to try
constexpr Duration kCloseTimeout = seconds(2), kHastyClose = milliseconds(100);
constexpr std::int32_t kSaslRequired = -124; // SESSIONCLOSEDREQUIRESASLAUTH
constexpr Duration kStableConnection = seconds(1);
constexpr std::size_t kReplyHeader = 16;
constexpr std::size_t kMaxDoublings = 5;
constexpr Duration kLookUpAgain = seconds(1); // after a name service did not help

std::vector<boost::asio::ip::tcp::endpoint> endpointsOf(std::string_view hosts)
{
    std::vector<boost::asio::ip::tcp::endpoint> all;
    for (const std::string& host : splitHosts(hosts))
        if (const auto one = parseNumericEndpoint(host))
            all.push_back(*one);
    std::shuffle(all.begin(), all.end(), std::mt19937(std::random_device()()));
    return all;
}

} // namespace

ObserverSession::Impl::Impl(IoScheduler& runsOn, ObserverOptions wanted)
    : scheduler(runsOn)
    , options(std::move(wanted))
    , m_hosts(splitAndTrimChroot(options.hosts))
    , m_servers(haveNames(m_hosts.servers) ? std::vector<boost::asio::ip::tcp::endpoint>{}
                                           : endpointsOf(m_hosts.servers))
{}

void ObserverSession::Impl::start()
{
    m_connectDeadline = deadlineAfter(now(), options.connectTimeout);
    m_retryAt = now();
    scheduleTick(m_retryAt);
}

std::string ObserverSession::Impl::serverPath(const std::string& path) const
{
    if (m_hosts.chroot.empty())
        return path;
    return path == "/" ? m_hosts.chroot : m_hosts.chroot + path;
}

std::string_view ObserverSession::Impl::clientPath(std::string_view path) const
{
    if (!path.starts_with(m_hosts.chroot))
        return {};
    const std::string_view below = path.substr(m_hosts.chroot.size());
    if (below.empty())
        return "/";
    return below.front() == '/' ? below : std::string_view();
}

// ---- connecting ----------------------------------------------------------------------------------------

void ObserverSession::Impl::attempt()
{
    m_retryAt = MonotonicTime::max();
    if (m_hosts.tls && !options.security.isOn())
        return lose(LossReason::connectTimedOut); // never in plain text
    if (m_servers.empty())
        return lookUpHosts();
    const boost::asio::ip::tcp::endpoint to = m_servers[m_nextServer++ % m_servers.size()];
    const std::size_t doublings = std::min(m_failedAttempts / m_servers.size(), kMaxDoublings);
    const Duration limit = kHandshakeTimeout * (std::int64_t{1} << doublings);
    m_attemptDeadline =
        deadlineAfter(now(), m_servers.size() == 1 ? std::max(limit, kOnlyServerTimeout) : limit);
    ++m_failedAttempts;
    if (m_sinceReadOnly)
        ++*m_sinceReadOnly;
    m_handshakeDone = false;
    server = formatHostPort(to.address().to_string(), to.port());
    const auto weak = weak_from_this();
    m_connection = std::make_shared<Connection>(scheduler.io(), options.security, options.maxFrameSize,
                                                Connection::Callbacks{[weak] {
                                                                          if (const auto self = weak.lock())
                                                                              self->onConnected();
                                                                      },
                                                                      [weak](std::string_view frame) {
                                                                          if (const auto self = weak.lock())
                                                                              self->onFrame(frame);
                                                                      },
                                                                      [weak] {
                                                                          if (const auto self = weak.lock())
                                                                              self->connectionEnded();
                                                                      }});
    m_connection->connect(to);
}

void ObserverSession::Impl::lookUpHosts()
{
    if (!haveNames(m_hosts.servers))
        return;
    m_lookups.start(m_hosts.servers, [weak = weak_from_this()](const Result<ResolvedHosts>& found) {
        const auto self = weak.lock();
        if (!self || self->phase != SessionPhase::connecting)
            return;
        if (found) {
            self->options.security.names.insert(found->names.begin(), found->names.end());
            self->m_servers = endpointsOf(found->addresses);
        }
        self->m_retryAt = found ? self->now() : deadlineAfter(self->now(), kLookUpAgain);
        self->scheduleTick(self->m_retryAt);
    });
}

void ObserverSession::Impl::onConnected() { options.sasl.mechanism ? beginSasl() : sendHello(); }

void ObserverSession::Impl::sendHello()
{
    const auto wanted = std::chrono::duration_cast<milliseconds>(options.timeout).count();
    m_connection->send(
        connectRequest(m_lastZxid, static_cast<std::int32_t>(std::clamp<std::int64_t>(wanted, 1, INT32_MAX)),
                       readOnly ? Identity{} : identity)); // no other server knows a read-only session
    for (const WireCredential& one : options.credentials)
        m_connection->send(authRequest(one.scheme, one.text));
}

void ObserverSession::Impl::onConnectReply(std::string_view frame)
{
    const std::optional<ConnectReply> reply = readConnectReply(frame);
    if (!reply)
        return breakConnection();
    if (reply->timeoutMs <= 0 || reply->identity.session == 0) {
        if (identity.session != 0 && !readOnly)
            return lose(LossReason::expired);
        return breakConnection(); // a new session must have an id and a timeout
    }
    if (reply->readOnly && (!m_sinceReadOnly || *m_sinceReadOnly < m_servers.size()) &&
        m_servers.size() > 1) {
        if (!m_sinceReadOnly)
            m_sinceReadOnly = 0;
        return breakConnection(); // another server may have a quorum
    }
    m_sinceReadOnly.reset();
    readOnly = reply->readOnly;
    m_handshakeDone = true;
    identity = reply->identity;
    timeout = milliseconds(reply->timeoutMs);
    m_lastReceive = m_lastAnswer = m_pinged = m_connectedAt = now();
    m_sasl ? sendSasl() : open();
}

void ObserverSession::Impl::open()
{
    m_sasl.reset();
    authTrouble.reset();
    m_attemptDeadline = MonotonicTime::max();
    m_connectDeadline = MonotonicTime::max();
    m_pinged = now();
    if (const Watches watches = m_watches.all(); !watches.empty())
        for (const std::string& request : setWatchesRequests(m_lastZxid, watches))
            m_connection->send(request);
    for (Request& request : std::exchange(m_waiting, {}))
        sendOne(std::move(request));
    setPhase(SessionPhase::connected);
    scheduleTick(m_lastReceive + patience() / 3);
}

void ObserverSession::Impl::breakConnection()
{
    if (!m_connection)
        return;
    m_connection->drop();
    connectionEnded();
}

void ObserverSession::Impl::connectionEnded()
{
    m_connection.reset();
    m_sasl.reset();
    if (!m_handshakeDone)
        authTrouble.reset(); // it is no longer SASL that is waited for
    server.clear();
    m_attemptDeadline = MonotonicTime::max();
    if (isOver(phase))
        return;
    if (m_handshakeDone && now() - m_connectedAt > kStableConnection)
        m_failedAttempts = 0;
    m_handshakeDone = false;
    answerAll(std::exchange(m_sent, {}), Code::unknown);
    if (phase == SessionPhase::connected)
        setPhase(SessionPhase::suspended);
    // Pause after each round of failed attempts.
    const Duration asked = timeout > Duration{} ? timeout : options.timeout;
    const bool round = m_failedAttempts > 0 && !m_servers.empty() && m_failedAttempts % m_servers.size() == 0;
    m_retryAt = now() + (round ? asked / 60 : Duration{});
    scheduleTick(m_retryAt);
}

// ---- time ----------------------------------------------------------------------------------------------

Duration ObserverSession::Impl::patience() const
{
    return std::min(timeout, std::max<Duration>(options.timeout, seconds(1)));
}

// Replies come in the order of the requests, so that one which is lost holds up all others: pings alone would
// hide it.
MonotonicTime ObserverSession::Impl::answerDue() const
{
    return m_sent.empty() ? MonotonicTime::max()
                          : std::max(m_sent.front().sent, m_lastAnswer) + patience() * 2 / 3;
}

void ObserverSession::Impl::scheduleTick(MonotonicTime moment)
{
    scheduler.cancel(m_timer);
    m_timer = scheduler.after(moment - now(), [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->tick();
    });
}

void ObserverSession::Impl::tick()
{
    if (isOver(phase))
        return;
    const MonotonicTime moment = now();
    if (phase == SessionPhase::connecting && moment >= m_connectDeadline)
        return lose(LossReason::connectTimedOut);
    // Measured by our own clock, because it may be that no server answers.
    if (phase == SessionPhase::suspended && moment >= m_lastReceive + timeout)
        return lose(LossReason::timedOut);
    if (phase == SessionPhase::connected &&
        moment >= std::min(m_lastReceive + patience() * 2 / 3, answerDue()))
        return breakConnection();
    if (moment >= m_attemptDeadline)
        return breakConnection();
    if (moment >= m_retryAt)
        attempt();
    if (phase == SessionPhase::connected && moment >= m_pinged + patience() / 3) {
        m_connection->send(emptyRequest(kPingXid, OpCode::ping));
        m_pinged = moment;
    }
    MonotonicTime next = std::min({m_connectDeadline, m_attemptDeadline, m_retryAt});
    if (phase == SessionPhase::suspended)
        next = std::min(next, m_lastReceive + timeout);
    if (phase == SessionPhase::connected)
        next = std::min({next, m_lastReceive + patience() * 2 / 3, answerDue(), m_pinged + patience() / 3});
    if (next != MonotonicTime::max())
        scheduleTick(std::max(next, moment + milliseconds(1)));
}

// ---- requests ------------------------------------------------------------------------------------------

void ObserverSession::Impl::submit(Request request)
{
    // The server treats some invalid paths as missing nodes.
    if (!isNodePath(request.path) || !std::ranges::all_of(request.paths, isNodePath))
        return answerLater(std::move(request), Code::badArguments);
    switch (phase) {
    case SessionPhase::connecting:
        return answerLater(std::move(request), Code::unknown);
    case SessionPhase::connected:
        return sendOne(std::move(request));
    case SessionPhase::suspended:
        m_waiting.push_back(std::move(request));
        return;
    case SessionPhase::lost:
        return answerLater(std::move(request), Code::sessionLost);
    case SessionPhase::closed:
        return answerLater(std::move(request), Code::closed);
    }
}

std::int32_t ObserverSession::Impl::nextXid()
{
    m_lastXid = m_lastXid == INT32_MAX ? 1 : m_lastXid + 1;
    return m_lastXid;
}

void ObserverSession::Impl::sendOne(Request request)
{
    request.xid = nextXid();
    switch (request.op) {
    case OpCode::addWatch:
        m_connection->send(addWatchRequest(request.xid, request.path, request.mode));
        break;
    case OpCode::multiRead:
        m_connection->send(multiReadRequest(request.xid, request.paths));
        break;
    case OpCode::sync:
        m_connection->send(pathRequest(request.xid, OpCode::sync, request.path));
        break;
    default:
        m_connection->send(readRequest(request.xid, request.op, request.path, request.watch != nullptr));
    }
    request.sent = now();
    m_sent.push_back(std::move(request));
}

// Answers from a posted function, never within the call that ends the request.
void ObserverSession::Impl::answerLater(Request request, Code code)
{
    scheduler.post([self = shared_from_this(), request = std::make_unique<Request>(std::move(request)),
                    code] { self->answer(*request, code); });
}

void ObserverSession::Impl::answerAll(std::deque<Request> requests, Code code)
{
    for (Request& request : requests)
        answerLater(std::move(request), code);
}

void ObserverSession::Impl::answer(Request& request, Code code)
{
    std::visit(
        [&](auto& handler) {
            using T = std::decay_t<decltype(handler)>;
            const Stat none{};
            if constexpr (std::is_same_v<T, UniqueFunction<void(Code)>>)
                invokeUserCallback(scheduler, handler, code);
            else if constexpr (std::is_same_v<T, UniqueFunction<void(Data)>>)
                invokeUserCallback(scheduler, handler, Data{code, {}, none});
            else if constexpr (std::is_same_v<T, UniqueFunction<void(NodeReply)>>)
                invokeUserCallback(scheduler, handler, NodeReply{code, {}, {}});
            else if constexpr (std::is_same_v<T, UniqueFunction<void(std::vector<NodeReply>)>>)
                invokeUserCallback(scheduler, handler,
                                   std::vector<NodeReply>(request.paths.size(), NodeReply{code, {}, {}}));
            else if constexpr (std::is_same_v<T, UniqueFunction<void(StatReply)>>)
                invokeUserCallback(scheduler, handler, StatReply{code, none});
            else
                invokeUserCallback(scheduler, handler, code, ChildNames{}, none);
        },
        request.handler);
}

// Returns false when the reply is malformed.
bool ObserverSession::Impl::answer(Request& request, jute::Reader& body)
{
    if (auto* visitor = std::get_if<ChildrenVisitor>(&request.handler))
        return answerList(*visitor, body);
    if (auto* handler = std::get_if<UniqueFunction<void(Code)>>(&request.handler)) {
        invokeUserCallback(scheduler, *handler, Code::ok);
        return true;
    }
    if (auto* handler = std::get_if<UniqueFunction<void(std::vector<NodeReply>)>>(&request.handler)) {
        auto replies = readMultiReply(body, request.paths.size());
        if (!replies)
            return false;
        invokeUserCallback(scheduler, *handler, std::move(*replies));
        return true;
    }
    std::string bytes;
    if (request.op == OpCode::getData)
        bytes = body.buffer();
    const NodeStat node = readStat(body);
    if (!body.ok())
        return false;
    if (auto* data = std::get_if<UniqueFunction<void(Data)>>(&request.handler))
        invokeUserCallback(scheduler, *data, Data{Code::ok, std::move(bytes), node.stat});
    else if (auto* whole = std::get_if<UniqueFunction<void(NodeReply)>>(&request.handler))
        invokeUserCallback(scheduler, *whole, NodeReply{Code::ok, std::move(bytes), node});
    else if (auto* stat = std::get_if<UniqueFunction<void(StatReply)>>(&request.handler))
        invokeUserCallback(scheduler, *stat, StatReply{Code::ok, node.stat});
    return true;
}

bool ObserverSession::Impl::answerList(ChildrenVisitor& visitor, jute::Reader& body)
{
    constexpr std::size_t kMinNameSize = 4;
    const std::size_t count = body.count(kMinNameSize);
    std::string names; // each terminated by a zero byte
    names.reserve(body.rest().size());
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < count && body.ok(); ++i) {
        at.push_back(names.size());
        names += body.buffer();
        names.push_back('\0');
    }
    const NodeStat parent = readStat(body);
    if (!body.ok())
        return false;
    std::vector<const char*> pointers;
    pointers.reserve(count);
    for (const std::size_t place : at)
        pointers.push_back(names.data() + place);
    invokeUserCallback(scheduler, visitor, Code::ok, ChildNames(pointers), parent.stat);
    return true;
}

// ---- received frames -----------------------------------------------------------------------------------

void ObserverSession::Impl::onFrame(std::string_view frame)
{
    const auto alive = shared_from_this(); // a handler may drop the session
    if (!m_handshakeDone)                  // before our own request, none is an answer to it
        return m_sasl && m_sasl->isAsked ? breakConnection() : onConnectReply(frame);
    if (frame.size() < kReplyHeader)
        return breakConnection();
    m_lastReceive = now();
    jute::Reader reader(frame);
    const ReplyHeader head = readReplyHeader(reader);
    if (head.zxid.value > 0 && head.xid != kEventXid)
        m_lastZxid = std::max(m_lastZxid, head.zxid);
    switch (head.xid) {
    case kPingXid:
    case kSetWatchesXid:
        return;
    case kAuthXid:
        if (head.error == 0)
            return;
        lastError = head.error;
        return lose(LossReason::authFailed);
    case kEventXid:
        return onWatcherEvent(head, reader);
    default:
        return m_sasl ? onSaslReply(head, reader) : onReply(head, reader);
    }
}

void ObserverSession::Impl::onReply(const ReplyHeader& head, jute::Reader& body)
{
    if (m_sent.empty() || m_sent.front().xid != head.xid)
        return breakConnection(); // an unexpected reply
    Request request = std::move(m_sent.front());
    m_sent.pop_front();
    m_lastAnswer = m_lastReceive;
    if (head.error != 0)
        lastError = head.error;
    if (head.error == kSaslRequired) {
        m_sent.push_front(std::move(request)); // answered with the other pending requests
        return lose(LossReason::authFailed);
    }
    const Code code = codeOf(head.error);
    if (request.watch && code == Code::ok)
        m_watches.add(request.op == OpCode::getChildren2 ? WatchManager::Table::child
                                                         : WatchManager::Table::data,
                      request.path, request.watch);
    else if (request.watch && code == Code::noNode && request.op == OpCode::exists)
        m_watches.add(WatchManager::Table::exist, request.path, request.watch);
    if (code != Code::ok)
        return answer(request, code);
    if (request.op == OpCode::addWatch)
        m_watches.addPersistent(request.path, request.mode);
    if (!answer(request, body)) {
        m_sent.push_front(std::move(request)); // answered with the other pending requests
        breakConnection();
    }
}

void ObserverSession::Impl::onWatcherEvent(const ReplyHeader& head, jute::Reader& body)
{
    const std::optional<WatcherEvent> event = readWatcherEvent(body);
    if (!event)
        return breakConnection();
    const std::optional<WatchKind> kind = watchKindOf(event->type);
    if (!kind)
        return; // unknown: from a newer server
    if (onEvent && m_watches.isPersistent(*kind, event->path))
        if (const std::string_view path = clientPath(event->path); !path.empty()) {
            const NodeEvent nodeEvent{*kind, path, head.zxid.value > 0 ? head.zxid : Zxid::none()};
            const auto listener = onEvent; // it may replace itself, or destroy the session, while it runs
            invokeUserCallback(scheduler, *listener, nodeEvent);
        }
    for (const WatchRecordPtr& record : m_watches.take(*kind, event->path))
        if (WatchHandler handler = std::move(record->handler))
            invokeUserCallback(scheduler, handler, *kind);
}

// ---- end of the session --------------------------------------------------------------------------------

void ObserverSession::Impl::setPhase(SessionPhase next)
{
    phase = next;
    scheduler.post([weak = weak_from_this(), next] {
        if (const auto self = weak.lock())
            self->listeners.notify(next);
    });
}

void ObserverSession::Impl::lose(LossReason reason)
{
    loss = reason;
    if (const auto connection = std::exchange(m_connection, nullptr))
        connection->drop();
    end(SessionPhase::lost, Code::sessionLost);
}

void ObserverSession::Impl::close()
{
    if (isOver(phase))
        return;
    if (const auto connection = std::exchange(m_connection, nullptr)) {
        if (m_handshakeDone)
            connection->sendAndClose(emptyRequest(nextXid(), OpCode::closeSession),
                                     m_sent.empty() ? kCloseTimeout : kHastyClose);
        else
            connection->drop();
    }
    end(SessionPhase::closed, Code::closed);
}

void ObserverSession::Impl::end(SessionPhase how, Code code)
{
    server.clear();
    m_sasl.reset();
    scheduler.cancel(m_timer);
    m_watches.clear();
    setPhase(how);
    answerAll(std::exchange(m_sent, {}), code);
    answerAll(std::exchange(m_waiting, {}), code);
}

} // namespace lockscope::zk::wire
