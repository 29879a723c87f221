// lockscope-cli merge: one trace of those of several machines, and of the logs of the servers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockscope::app {

struct MergeArguments
{
    std::string file; // written
    std::vector<std::string> traces;
    std::vector<std::filesystem::path> logs; // of the servers; empty: none
    std::string sessionKey;                  // for the sessions in the logs
    bool realSessionIds = false;             // in the logs too
    bool quiet = false;
};

// Returns the exit code: 4 also if a piece of the run is missing.
int runMerge(const MergeArguments& arguments);

} // namespace lockscope::app
