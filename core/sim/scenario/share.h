// The part of a run that one of several workers carries out. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/zk/access.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

struct Action;
struct Scenario;
struct Participant;

struct Share
{
    std::uint32_t rank = 0; // of this worker, from 0
    std::uint32_t of = 1;   // the number of workers
    std::string path;       // of the run's nodes on the ensemble, through which the workers share its script
    // Of the run before this worker took the place of one that died: what was due by then is left out.
    Duration missed{};
    std::vector<zk::Credential> credentials{}; // the run's nodes are for those who have them; empty: for all
};

// The nodes of a shared script below Share::path, each followed by the index of the line. "fired-3-1": worker
// 1 saw the trigger of line 3. "due-3": the line is due, for all workers; its data is the rank of the worker
// that took it, if its target moves. "count-1" (a rank): how often the clients of worker 1 have acquired.
inline constexpr std::string_view kFiredNode = "fired-";
inline constexpr std::string_view kDueNode = "due-";
inline constexpr std::string_view kCountNode = "count-";
// "still-1": no client of worker 1 can continue by itself; its data is the number of lines that this worker
// knows to be due, and names the clients. In front of the names stands kStopped when one is held or frozen:
// the others may wait for it, at any worker. Empty: they do continue.
inline constexpr std::string_view kStillNode = "still-";
inline constexpr std::string_view kStopped = "stopped ";

// The rank of the worker of each client: in turn, but clients of one process stay together.
std::vector<std::uint32_t> ranksOf(const std::vector<Participant>& all, std::uint32_t workers);
// Who is meant changes from moment to moment, and may be at any worker: the holder, the first waiter.
bool hasMovingTarget(const Action& action);
// Whether so many workers can carry it out. Error: badUsage, with what they cannot share.
Result<void> checkShares(const Scenario& scenario, std::uint32_t workers);

} // namespace lockscope::sim
