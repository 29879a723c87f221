// Asks a server of ours again and again how it is (srvr), a little with every poll(), and remembers the last
// answer. Never blocks. One thread at a time.
#pragma once

#include "core/base/time.h"
#include "core/base/unique_fd.h"
#include "core/server/probe/four_letter.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockscope::server {

class StatusProbe
{
public:
    explicit StatusProbe(std::uint16_t port)
        : m_port(port)
    {} // of 127.0.0.1

    // Goes on with the question under way; begins another one some time after the last. Microseconds.
    void poll();
    // The last answer of a server that serves; none when it refused, or has not answered in time.
    const std::optional<ServerStatus>& last() const { return m_last; }
    // What was learned does not count any more, and a question under way is given up.
    void forget();

private:
    enum class Step { idle, asking, listening };

    void begin();
    void ask();
    void listen();
    void end(std::optional<ServerStatus> answer);

    std::uint16_t m_port;
    Step m_step = Step::idle;
    UniqueFd m_socket;
    std::string m_answer;
    MonotonicTime m_due{}; // idle: the next question; else: when this one is given up
    std::optional<ServerStatus> m_last;
};

} // namespace lockscope::server
