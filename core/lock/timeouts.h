// How long calls wait for a server that does not answer. A value; any thread.
#pragma once

#include "core/base/time.h"

namespace lockscope::lock {

struct Timeouts
{
    // An acquire with a limit of zero (a single try).
    Duration singleTry = std::chrono::seconds(2);
    // A failed acquire, for the delete of its node. After that, or at once without a connection, it returns
    // and the delete continues in the background.
    Duration cleanUp = std::chrono::seconds(1);
    // unlock() and release() of the locks for threads; then the release continues in the background.
    Duration unlock = std::chrono::seconds(1);
};
inline constexpr Timeouts kDefaultTimeouts{};

} // namespace lockscope::lock
