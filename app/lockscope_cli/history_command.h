// lockscope-cli history: reads ZooKeeper's own files and reports what happened to the locks.
#pragma once

#include "core/base/error.h"
#include "core/history/claims.h"
#include "core/history/history.h"
#include "core/history/participant_names.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::app {

struct HistoryArguments
{
    std::vector<std::filesystem::path> paths;
    history::History::Options options;
    bool locksOnly = false;      // only the table of locks, without the queue of the chosen one
    bool worth = false;          // say what the locks cost their clients
    bool realSessionIds = false; // in written files
    std::string reportFile;      // JSON, or CSV by its ending; empty: none
    std::string traceFile;
    std::string sessionKey;          // for the names of sessions in files; empty: a random key
    history::ParticipantNames names; // of the participants
    std::optional<std::vector<history::Claim>> claims{}; // what programs have logged
    bool quiet = false;
};

// Returns the exit code; reports errors on standard error.
int runHistory(const HistoryArguments& arguments);

} // namespace lockscope::app
