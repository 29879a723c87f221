// One step of a schedule, so that a list of them is a schedule. Plain values; any thread.
#pragma once

#include "core/base/vocabulary.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::explore {

enum class StepKind : std::uint8_t {
    serve,   // a server executes the next request of a session
    apply,   // a server that lags applies the next transaction
    deliver, // the next message reaches its client
    connect, // a session without a connection tries a server
    expire,  // the leader expires a session that was silent for its timeout
    proceed, // a holder releases
    time,    // the clock goes on to the next timer
    write,   // what a holder has written reaches the resource
    // The faults:
    connectionLost, // what is under way to the client is lost, what is under way to the server may arrive
    sessionLost,    // the server ends the session
    away,           // like connectionLost, and no connection until the session has expired
    paused,         // the process stands still until its session has expired
    pausedBriefly,
    nodeDeleted, // another client deletes a node of the queue
    refused,     // the server is too busy for the next request of a session
};
constexpr bool isFault(StepKind kind) { return kind >= StepKind::connectionLost; }

struct Step
{
    StepKind kind{};
    std::uint8_t subject = 0; // serve, deliver, connect, expire, refused: the session; apply: the server;
                              // proceed, write and the other faults: the client; nodeDeleted: the queue
    std::uint8_t which = 0;   // connect: the server; nodeDeleted: which of the nodes that were ever in it

    friend bool operator==(const Step&, const Step&) = default;
};
using Steps = std::vector<Step>;

constexpr auto enumNames(StepKind)
{
    return std::to_array<std::string_view>({"serve", "apply", "deliver", "connect", "expire", "proceed",
                                            "time", "write", "connection-lost", "session-lost", "away",
                                            "paused", "paused-briefly", "node-deleted", "refused"});
}

} // namespace lockscope::explore
