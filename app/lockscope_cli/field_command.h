// lockscope-cli watch and who: watch the locks of other programs on a live ensemble, without changing
// anything.
#pragma once

#include "core/base/time.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::app {

struct FieldTarget
{
    std::string connect;                                            // addresses, names, a chroot
    std::vector<std::string> paths;                                 // of locks or of trees
    std::vector<std::pair<std::string, std::string>> credentials{}; // scheme and proof
    std::vector<std::string> logs{}; // of one of the servers: show how holds ended and when they began
};

struct WatchArguments : FieldTarget
{
    std::optional<Duration> duration{}; // none: until interrupted
    std::string reportFile, traceFile;
    std::string sessionKey{};    // for the names of sessions in files; empty: a random key
    bool realSessionIds = false; // in written files
    bool quiet = false;
};

struct WhoArguments : FieldTarget // of one lock
{
    bool json = false;
};

// Return the exit code; report errors on standard error.
int runWatch(const WatchArguments& arguments);
int runWho(const WhoArguments& arguments);

} // namespace lockscope::app
