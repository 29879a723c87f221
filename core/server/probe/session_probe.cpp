#include "core/server/probe/session_probe.h"

#include "core/server/probe/tcp_stream.h"

#include <cstdint>

namespace lockscope::server {

namespace {

// Jute, ZooKeeper's wire format: big-endian numbers, buffers with a leading 32-bit length.
template <class T>
void putNumber(std::string& bytes, T value)
{
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>((value >> shift) & 0xff));
}

std::uint32_t readUint32(const std::string& bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::string framed(const std::string& body)
{
    std::string frame;
    putNumber(frame, static_cast<std::uint32_t>(body.size()));
    return frame + body;
}

constexpr std::uint32_t kShortestTimeoutMs = 1; // the server raises it to its minimum
constexpr std::uint32_t kPasswordBytes = 16;

// ConnectRequest: protocol version, last zxid seen, timeout, session id, password, read-only.
std::string connectRequest()
{
    std::string body;
    putNumber(body, std::uint32_t{0});
    putNumber(body, std::uint64_t{0});
    putNumber(body, kShortestTimeoutMs);
    putNumber(body, std::uint64_t{0});
    putNumber(body, kPasswordBytes);
    body.append(kPasswordBytes, '\0');
    putNumber(body, std::uint8_t{0});
    return framed(body);
}

// RequestHeader: xid, operation.
std::string closeRequest()
{
    constexpr std::int32_t closeSession = -11;
    std::string body;
    putNumber(body, std::uint32_t{1});
    putNumber(body, static_cast<std::uint32_t>(closeSession));
    return framed(body);
}

Result<std::string> readFrame(TcpStream& stream, MonotonicTime deadline)
{
    const auto head = stream.receiveExactly(4, deadline);
    if (!head)
        return head.error();
    constexpr std::uint32_t cap = 4096; // both answers are shorter than 50 bytes
    const auto size = readUint32(*head, 0);
    if (size > cap)
        return Error{ErrorCode::noServer, message("The answer is not one of a ZooKeeper server."), {}};
    return stream.receiveExactly(size, deadline);
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
    if (answer->size() < shortest || readUint32(*answer, 4) == 0)
        return Error{ErrorCode::noServer, message("The server at %1 refused a session.", address), {}};

    // Wait for the answer to the close too: the server has then forgotten the session.
    if (const auto sent = stream->send(closeRequest(), deadline); !sent)
        return sent.error();
    const auto closed = readFrame(*stream, deadline);
    if (!closed)
        return closed.error();
    return {};
}

} // namespace lockscope::server
