// What a run does to the disk and the clock of a server: a file in the server's directory that the run and
// the preloaded library (server_preload.cpp) have mapped. Any thread of either process.
#pragma once

#include <atomic>
#include <cstdint>

namespace lockscope::tests {

inline constexpr const char* kControlsFile = "faults"; // in the working directory of the server

struct ServerControls
{
    std::atomic<std::int64_t> syncDelayNs{0};  // before each fsync
    std::atomic<std::int64_t> clockShiftNs{0}; // of the wall clock
    std::atomic<std::uint64_t> slowSyncs{0};   // that were delayed
    std::atomic<std::uint64_t> shiftedReads{0};
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

} // namespace lockscope::tests
