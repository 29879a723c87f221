// The options of an ObserverSession.
#pragma once

#include "core/base/time.h"
#include "core/tls/tls.h"
#include "core/zk/wire/sasl.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lockscope::zk::wire {

struct WireCredential
{
    std::string scheme; // "digest"
    std::string text;   // "user:password"
};

struct ObserverOptions
{
    std::string hosts; // as ConnectOptions::hosts
    Duration timeout = std::chrono::seconds(10);
    Duration connectTimeout = std::chrono::seconds(15);
    std::vector<WireCredential> credentials{};
    // The size limit for replies, in bytes; servers do not limit them. A list of a million names takes about
    // 50 MB.
    std::size_t maxFrameSize = std::size_t{64} * 1024 * 1024;
    tls::Security security{}; // its names are also those of the hosts for SASL
    SaslOptions sasl{};
};

} // namespace lockscope::zk::wire
