// lockscope-run --history: reads ZooKeeper's own files and reports what happened to its locks.
#pragma once

#include "core/base/error.h"
#include "core/history/history.h"
#include "core/history/participant_names.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lockscope::app {

struct HistoryArguments
{
    std::vector<std::filesystem::path> paths;
    history::History::Options options;
    bool locksOnly = false;       // the table of the locks, without what happened on the chosen one
    bool realSessionIds = false;  // in what is written
    std::string reportFile;       // JSON, or CSV by its ending; empty: none
    std::string traceFile;
    std::string sessionKey;       // sessions are written under it; empty: under a random one
    history::ParticipantNames names; // of the participants
    bool quiet = false;
};

// Returns the exit code; reports errors on standard error.
int runHistory(const HistoryArguments& arguments);

} // namespace lockscope::app
