#include "core/server/probe/session_probe.h"

#include "core/base/jute.h"
#include "core/base/numeric_endpoint.h"
#include "core/server/deadline.h"
#include "core/server/probe/four_letter.h"
#include "core/server/probe/tcp_stream.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace lockscope::server {

namespace {

// ConnectRequest: protocol version, last zxid seen, timeout, session id, password, read-only.
std::string connectRequest()
{
    constexpr std::int32_t shortestTimeoutMs = 1; // the server raises it to its minimum
    constexpr std::size_t passwordBytes = 16;
    jute::Writer request;
    request.int32(0).int64(0).int32(shortestTimeoutMs).int64(0);
    request.buffer(std::string(passwordBytes, '\0')).boolean(false);
    return request.framed();
}

// RequestHeader: xid, operation.
std::string closeRequest()
{
    constexpr std::int32_t closeSession = -11;
    return jute::Writer().int32(1).int32(closeSession).framed();
}

Result<std::string> readFrame(TcpStream& stream, MonotonicTime deadline)
{
    const auto head = stream.receiveExactly(4, deadline);
    if (!head)
        return head.error();
    constexpr std::int32_t cap = 4096; // both answers are shorter than 50 bytes
    const std::int32_t size = jute::loadInt32(head->data());
    if (size < 0 || size > cap)
        return Error{ErrorCode::noServer, message("The answer does not come from a ZooKeeper server."), {}};
    return stream.receiveExactly(static_cast<std::size_t>(size), deadline);
}

using boost::system::error_code;
using namespace std::string_view_literals;

// A TLS 1.2 ClientHello with two common cipher suites and no extensions: any TLS server answers it, if only
// by an alert.
constexpr std::string_view kClientHello = "\x16\x03\x01\x00\x2f"
                                          "\x01\x00\x00\x2b\x03\x03"
                                          "LockScope asks: is this TLS here"
                                          "\x00\x00\x04\xc0\x2f\x00\x9c\x01\x00"sv;

// Sends the hello, and looks at the first bytes of the answer.
struct Hello : std::enable_shared_from_this<Hello>
{
    Hello(boost::asio::io_context& io, std::function<void(NoSession)> callback)
        : socket(io)
        , limit(io)
        , done(std::move(callback))
    {}

    void begin(const boost::asio::ip::tcp::endpoint& server, Duration patience)
    {
        limit.expires_after(patience);
        limit.async_wait([self = shared_from_this()](error_code stopped) {
            if (!stopped)
                self->end(self->connected ? NoSession::silent : NoSession::unreachable);
        });
        socket.async_connect(server, [self = shared_from_this()](error_code failure) {
            if (failure)
                return self->end(NoSession::unreachable);
            self->connected = true;
            boost::asio::async_write(self->socket, boost::asio::buffer(kClientHello),
                                     [self](error_code, std::size_t) {});
            self->socket.async_read_some(
                boost::asio::buffer(self->answer), [self](error_code error, std::size_t size) {
                    if (error || size == 0)
                        return self->end(NoSession::closes);
                    const bool isRecord = self->answer[0] == 0x15 || self->answer[0] == 0x16;
                    self->end(isRecord && (size < 2 || self->answer[1] == 0x03) ? NoSession::tls
                                                                                : NoSession::foreign);
                });
        });
    }
    void end(NoSession why)
    {
        if (!done)
            return;
        error_code ignored;
        socket.close(ignored);
        limit.cancel();
        std::exchange(done, nullptr)(why);
    }

    boost::asio::ip::tcp::socket socket;
    boost::asio::steady_timer limit;
    std::array<unsigned char, 16> answer{};
    bool connected = false;
    std::function<void(NoSession)> done;
};

} // namespace

Result<void> probeSession(const std::string& address, MonotonicTime deadline)
{
    auto stream = TcpStream::connect(address, deadline);
    if (!stream)
        return stream.error();
    if (const auto sent = stream->send(connectRequest(), deadline); !sent)
        return sent.error();
    const auto answer = readFrame(*stream, deadline);
    if (!answer)
        return answer.error();
    // ConnectResponse: protocol version, timeout, session id, password. A refused session has timeout 0.
    constexpr std::size_t shortest = 4 + 4 + 8 + 4;
    if (answer->size() < shortest || jute::loadInt32(answer->data() + 4) == 0)
        return Error{ErrorCode::noServer, message("The server at %1 refused a session.", address), {}};

    // Wait for the answer to the close too: the server has then forgotten the session.
    if (const auto sent = stream->send(closeRequest(), deadline); !sent)
        return sent.error();
    const auto closed = readFrame(*stream, deadline);
    if (!closed)
        return closed.error();
    return {};
}

bool closesConnectionsAtOnce(const std::string& address, Duration limit)
{
    const MonotonicTime deadline = deadlineIn(limit);
    auto stream = TcpStream::connect(address, deadline);
    if (!stream)
        return stream.error().code == ErrorCode::closed;
    const Result<std::string> got = stream->receiveExactly(1, deadline);
    return !got && got.error().code == ErrorCode::closed;
}

namespace {

// What an answer to srvr says, or its absence; none: nothing yet.
std::optional<NoSession> whyByWord(const Result<std::string>& answer)
{
    // A read-only server gives a new session only where local sessions are enabled.
    if (answer && answer->find("READ-ONLY mode") != std::string::npos)
        return NoSession::noQuorum;
    if (answer ? parseServerStatus(*answer).has_value() : answer.error().code == ErrorCode::unsupported)
        return NoSession::slow;
    if (!answer && answer.error().code == ErrorCode::busy)
        return NoSession::noQuorum;
    if (answer && !answer->empty())
        return NoSession::foreign;
    return std::nullopt;
}

using WhyKnown = std::function<void(const WhyNoSession&)>;

// A server that is spoken to in plain text and says nothing that is understood may expect TLS.
void askByHello(boost::asio::io_context& io, const std::string& address, Duration limit, bool closed,
                const WhyKnown& done)
{
    const auto endpoint = parseNumericEndpoint(address);
    if (!endpoint)
        return done({NoSession::unreachable});
    // A server that waits after the word and closes at the hello has understood that the hello is no request.
    const auto hello = std::make_shared<Hello>(io, [done, closed](NoSession why) {
        done({why == NoSession::closes && !closed ? NoSession::slow : why});
    });
    hello->begin(*endpoint, limit);
}

// A server that closes the connection at the handshake, or answers with something else, may speak plain text.
void askInPlainText(boost::asio::io_context& io, const std::string& address, Duration limit,
                    const tls::Failure& failure, const WhyKnown& done)
{
    asyncFourLetterWord(io, address, "srvr", limit, [failure, done](const Result<std::string>& answer) {
        const std::optional<NoSession> why = whyByWord(answer);
        if (why && *why != NoSession::foreign)
            return done({NoSession::plain});
        done({NoSession::unsecured, failure});
    });
}

} // namespace

void asyncWhyNoSession(boost::asio::io_context& io, const std::string& address, const tls::Security& security,
                       Duration limit, std::function<void(const WhyNoSession&)> done)
{
    asyncSecuredWord(
        io, address, "srvr", limit, security,
        [&io, address, limit, secured = security.isOn(),
         done = std::move(done)](const Result<std::string>& answer, const tls::Failure& failure) {
            if (failure.fault == tls::Fault::closed || failure.fault == tls::Fault::notTls)
                return askInPlainText(io, address, limit, failure, done);
            if (failure.fault != tls::Fault::none)
                return done({NoSession::unsecured, failure});
            if (const std::optional<NoSession> why = whyByWord(answer))
                return done({*why});
            if (!secured)
                return askByHello(io, address, limit, answer.has_value(), done);
            if (answer)
                return done({NoSession::closes});
            // No answer in time. Whether anybody is there shows at another connection.
            const auto endpoint = parseNumericEndpoint(address);
            if (!endpoint)
                return done({NoSession::unreachable});
            const auto hello = std::make_shared<Hello>(io, [done](NoSession why) {
                done({why == NoSession::unreachable || why == NoSession::silent ? why : NoSession::slow});
            });
            hello->begin(*endpoint, limit);
        });
}

Error noSession(const WhyNoSession& why, const std::string& address, const std::string& host)
{
    switch (why.what) {
    case NoSession::unreachable:
        break;
    case NoSession::silent:
        return {ErrorCode::noServer,
                message("The server at %1 accepts connections, but does not answer.", address),
                message("It may be paused or overloaded, or the network is stalled.")};
    case NoSession::closes:
        return {
            ErrorCode::noServer,
            message("The server at %1 closes each connection without an answer.", address),
            message("It may be starting, or its limit of connections from one computer (maxClientCnxns) or "
                    "of all "
                    "(maxCnxns) is reached: end some of the programs that are connected to it, or raise the "
                    "limit.")};
    case NoSession::foreign:
        return {ErrorCode::noServer,
                message("The server at %1 answers, but not as a ZooKeeper does.", address),
                message("Check the address and the port.")};
    case NoSession::tls:
        return {ErrorCode::noServer,
                message("The server at %1 expects TLS, and was spoken to without it.", address),
                message("Put tls:// in front of the addresses, or connect to the server's clientPort.")};
    case NoSession::plain:
        return {ErrorCode::noServer,
                message("The server at %1 is a ZooKeeper, but this port speaks no TLS.", address),
                message("Connect to its secureClientPort, or without TLS.")};
    case NoSession::unsecured:
        return tls::describe(why.failure, address, host);
    case NoSession::noQuorum:
        return {ErrorCode::noServer,
                message("The server at %1 answers, but its ensemble has no quorum: it serves no requests.",
                        address),
                message("Start the other servers of the ensemble, or check the network between them.")};
    case NoSession::slow:
        return {ErrorCode::noServer,
                message("The server at %1 is up, but answers too slowly for a session.", address),
                message("It may be overloaded, or the network is slow.")};
    }
    return {ErrorCode::noServer, message("No ZooKeeper answers at %1.", address),
            message("Check the addresses, and that a server is up.")};
}

} // namespace lockscope::server
