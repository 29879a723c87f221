// A blocking TCP connection whose every step has a deadline: for the few bytes of a probe or a four-letter
// word, not for sessions. One thread at a time; blocks the caller until the deadline at the latest (resolving
// a host name that is not numeric may take longer).
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_fd.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lockscope::server {

class TcpStream
{
public:
    // "HOST:PORT" or "[IPV6]:PORT". Error: badUsage for a malformed address, noServer when nobody answers.
    static Result<TcpStream> connect(const std::string& address, MonotonicTime deadline);

    Result<void> send(std::string_view bytes, MonotonicTime deadline);
    // Error: noServer when the other side closes before `size` bytes came.
    Result<std::string> receiveExactly(std::size_t size, MonotonicTime deadline);
    // Everything until the other side closes. Error: limitExceeded beyond `cap` bytes.
    Result<std::string> receiveToEnd(std::size_t cap, MonotonicTime deadline);

private:
    TcpStream(UniqueFd fd, std::string address)
        : m_fd(std::move(fd))
        , m_address(std::move(address))
    {}
    Result<std::size_t> receiveSome(char* into, std::size_t size, MonotonicTime deadline);

    UniqueFd m_fd;
    std::string m_address;
};

} // namespace lockscope::server
