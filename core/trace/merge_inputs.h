// What the first reading of the traces and logs of a merge finds, and whether they can be one run.
#pragma once

#include "core/trace/clock_alignment.h"
#include "core/trace/trace_merger.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::trace {

struct InputLock
{
    std::string path, recipe, handoff;
    std::uint64_t lists = 0; // of the observer
    LockId merged;
};

struct InputClient
{
    std::string name;
    std::set<SessionId> sessions;
    std::size_t group = 0;
    bool isThere = false; // added and neither finished nor removed
};

struct ReadInput
{
    std::filesystem::path path;
    std::string label; // in messages
    MergedSource source;
    Header header;
    std::vector<InputLock> locks;
    std::vector<InputClient> clients;
    std::uint64_t tables = 0; // readings of the server's watch table
    TraceTime first{}, last{};
    std::optional<RunPhase> ended{};
    std::string cutShort{}, detail{};
    CausalPoints points{false};

    TraceTime shift() const { return source.isLog ? CausalPoints::kLogTick : TraceTime{}; }
};

Error mergeError(Message text, Message hint);
// Reads a whole file once. Errors: those of loadTrace().
Result<ReadInput> readMergeInput(const TraceMerger::Input& input, LoadProgress* progress);
// Refuses what is empty or given twice, and clients that cannot be told apart.
Result<void> checkMergeInputs(const std::vector<ReadInput>& inputs);
// The clocks of all inputs, which are set in them too; takes their points.
Result<AlignedClocks> clocksOf(std::vector<ReadInput>& inputs);

} // namespace lockscope::trace
