// lockscope-run --watch and --who: locks of other programs on a live ensemble, watched and left alone.
#pragma once

#include "core/base/time.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::app {

struct FieldArguments
{
    std::string connect;            // addresses, names, a chroot
    std::vector<std::string> paths; // of locks or of trees
    bool asksWho = false;           // one answer, instead of watching
    bool json = false;
    std::optional<Duration> duration{}; // none: until it is interrupted
    std::vector<std::pair<std::string, std::string>> credentials{}; // scheme and proof
    std::string reportFile, traceFile;
    std::string sessionKey{};    // sessions are written under names made with it; empty: with a random one
    bool realSessionIds = false; // in what is written
    std::vector<std::string> logs{}; // of one of the servers: how holds ended, since when one holds
    bool quiet = false;
};

// Returns the exit code; reports errors on standard error.
int runField(const FieldArguments& arguments);

} // namespace lockscope::app
