// The options of a watch of foreign locks, and the listener for losses of contact.
#pragma once

#include "core/base/time.h"
#include "core/tls/tls.h"
#include "core/zk/wire/observer_options.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockscope::field {

// ZooKeeper looks for empty containers every minute.
inline constexpr Duration kCleanedAfter = std::chrono::seconds(90);

struct WatchOptions
{
    std::string hosts; // numeric; each of them is sent the four-letter words
    std::string chroot;
    tls::Security security{};       // with the names of the hosts
    std::vector<std::string> paths; // of locks, or of folders with locks below them
    std::vector<zk::wire::WireCredential> credentials{};
    zk::wire::SaslOptions sasl{};
    Duration sessionTimeout = std::chrono::seconds(10);
    Duration connectTimeout = std::chrono::seconds(15); // until the first contact
    bool persistentWatches = true;                      // false: as if the server had none
    bool everyDetail = false;                           // snapshots have the participants of every lock
    bool everyNode = false;                             // PathStatus has mayBeLocks
    Duration cleanedAfter = kCleanedAfter; // a parent that has been empty for this long is left over
};

// Reports a loss of contact that is over; in ms since the Unix epoch by the server's clock.
using GapListener = std::function<void(std::int64_t fromMs, std::int64_t toMs)>;

} // namespace lockscope::field
