#include "app/options/ways_out.h"

#include <fmt/core.h>

namespace lockscope::app {

Error withWaysOut(Error error, const std::string& hosts, std::size_t clients)
{
    error.hint =
        fmt::format("Nothing was changed. To watch it: lockscope-cli watch {} --lock {}, or lockscope watch "
                    "with the same. To take part "
                    "all the same: --join-foreign; {} of LockScope then queue with these programs and hold "
                    "the lock in their turn.",
                    hosts, error.path, clients == 1 ? "1 client" : fmt::format("{} clients", clients));
    return error;
}

} // namespace lockscope::app
