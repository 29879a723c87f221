// lockscope-run --watch and --who: watches the locks of other programs on a live ensemble, without changing anything.
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
    std::optional<Duration> duration{}; // none: until interrupted
    std::vector<std::pair<std::string, std::string>> credentials{}; // scheme and proof
    std::string reportFile, traceFile;
    std::string sessionKey{};    // for the names of sessions in files; empty: a random key
    bool realSessionIds = false; // in written files
    std::vector<std::string> logs{}; // of one of the servers: show how holds ended and when they began
    bool quiet = false;
};

// Returns the exit code; reports errors on standard error.
int runField(const FieldArguments& arguments);

} // namespace lockscope::app
