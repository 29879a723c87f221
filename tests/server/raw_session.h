// A session over a plain socket that can make a node and look for one: enough to see whether data survived.
// Ends with its connection; nodes are persistent.
#pragma once

#include "core/server/deadline.h"
#include "core/server/probe/tcp_stream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockscope::server::testing {

class RawSession
{
public:
    explicit RawSession(const std::string& address)
    {
        auto stream = TcpStream::connect(address, limit());
        if (!stream)
            return;
        m_stream.emplace(std::move(*stream));
        // ConnectRequest: version, last zxid, timeout of 10 s, session id, password, read-only.
        exchange(number(0) + number(0) + number(0) + number(10'000) + number(0) + number(0) + number(16) +
                 std::string(16, '\0') + std::string(1, '\0'));
    }

    bool createNode(const std::string& path)
    {
        // Path, data, one entry of access control (all rights, world:anyone), flags.
        return call(1, text(path) + text("") + number(1) + number(31) + text("world") + text("anyone") +
                           number(0));
    }
    bool hasNode(const std::string& path) { return call(3, text(path) + std::string(1, '\0')); }

private:
    static MonotonicTime limit() { return deadlineIn(std::chrono::seconds(10)); }
    static std::string number(std::uint32_t value)
    {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes.push_back(static_cast<char>(value >> shift & 0xff));
        return bytes;
    }
    static std::string text(const std::string& value)
    {
        return number(static_cast<std::uint32_t>(value.size())) + value;
    }
    static std::uint32_t numberAt(const std::string& bytes, std::size_t at)
    {
        std::uint32_t value = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes.at(i));
        return value;
    }

    std::string exchange(const std::string& body)
    {
        if (!m_stream || !m_stream->send(number(static_cast<std::uint32_t>(body.size())) + body, limit()))
            return {};
        const auto head = m_stream->receiveExactly(4, limit());
        if (!head)
            return {};
        const auto answer = m_stream->receiveExactly(numberAt(*head, 0), limit());
        return answer ? *answer : std::string();
    }
    // True when the operation's reply (xid, zxid, error, ...) has error 0.
    bool call(std::uint32_t operation, const std::string& body)
    {
        const auto reply = exchange(number(++m_xid) + number(operation) + body);
        return reply.size() >= 16 && numberAt(reply, 12) == 0;
    }

    std::optional<TcpStream> m_stream;
    std::uint32_t m_xid = 0;
};

} // namespace lockscope::server::testing
