// What a faulty link does to the bytes that pass, and which reply it loses. Plain values, any thread.
#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace lockscope::server {

struct LinkRules
{
    Duration latency{};               // each way
    Duration jitter{};                // the latency varies by up to so much either way; order is kept
    std::uint64_t bytesPerSecond = 0; // each way and connection; 0 = no limit
    bool dropToServer = false;        // what the client sends vanishes, and the connection stays
    bool dropToClient = false;        // what the server sends vanishes
    bool cut = false;                 // open connections are reset, and new ones too

    friend bool operator==(const LinkRules&, const LinkRules&) = default;
};

// `any` is every request of these and of the other kinds, but no heartbeat and no close.
enum class RequestKind { any, create, remove, getChildren, getData, setData, exists, sync };

} // namespace lockscope::server
