// A blocking TCP connection for the few bytes of a probe, not for sessions. One thread at a time; each call
// blocks until its deadline at the latest.
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
    // `address`: a numeric HOST:PORT or [IPV6]:PORT. Errors: badUsage for any other, noServer when nothing
    // answers; here and below, closed when the other side closes the connection.
    static Result<TcpStream> connect(const std::string& address, MonotonicTime deadline);

    Result<void> send(std::string_view bytes, MonotonicTime deadline);
    Result<std::string> receiveExactly(std::size_t size, MonotonicTime deadline);

private:
    TcpStream(UniqueFd fd, std::string address)
        : m_fd(std::move(fd))
        , m_address(std::move(address))
    {}

    UniqueFd m_fd;
    std::string m_address;
};

} // namespace lockscope::server
