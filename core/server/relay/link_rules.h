// The faults of a link. Plain values, any thread.
#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace lockscope::server {

struct LinkRules
{
    Duration latency{};               // each way
    Duration jitter{};                // the latency varies by up to this much; order is kept
    std::uint64_t bytesPerSecond = 0; // each way and connection; 0 = no limit
    bool dropToServer = false;        // drops what the client sends; the connection stays
    bool dropToClient = false;        // drops what the server sends
    bool cut = false;                 // open connections are reset, and new ones too

    friend bool operator==(const LinkRules&, const LinkRules&) = default;
};

} // namespace lockscope::server
