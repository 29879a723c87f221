#include "core/server/probe/session_probe.h"

#include "core/base/jute.h"
#include "core/server/deadline.h"
#include "core/server/probe/tcp_stream.h"

#include <cstdint>

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

} // namespace lockscope::server
