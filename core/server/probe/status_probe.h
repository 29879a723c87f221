// Polls a server of our own for its status (srvr) and keeps the last answer. Never blocks. One thread at a
// time.
#pragma once

#include "core/base/time.h"
#include "core/server/probe/four_letter.h"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <optional>

namespace lockscope::server {

class StatusProbe
{
public:
    void setPort(std::uint16_t port); // of 127.0.0.1; forgets the answers from another port

    // Continues the current request, or sends another one some time after the last. Takes microseconds.
    void poll();
    // The last answer of a serving server; none if it refused or did not answer in time.
    const std::optional<ServerStatus>& last() const { return m_last; }
    // Drops the last answer and the current request.
    void forget();

private:
    void finish(std::optional<ServerStatus> status);

    boost::asio::io_context m_io{1};
    std::uint16_t m_port = 0;
    std::uint64_t m_request = 0; // an answer to an earlier one is dropped
    bool m_asking = false;
    MonotonicTime m_asked{}; // the current one
    MonotonicTime m_due{};   // of the next request
    Duration m_patience{};   // with an answer
    std::optional<ServerStatus> m_last;
};

} // namespace lockscope::server
