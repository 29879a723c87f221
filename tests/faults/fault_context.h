// What all workers of a fault run share: the hub, the locks, the belief checker, and how much is done. I/O
// thread.
#pragma once

#include "tests/faults/released_tokens.h"
#include "tests/faults/shared_beliefs.h"

#include "core/base/random.h"
#include "core/explore/flawed_session.h"
#include "core/lock/mutex.h"
#include "core/zk/hub.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

inline constexpr OwnerId kOwner{0}; // the only one of each client
inline constexpr Duration kLongestHold = std::chrono::milliseconds(3);

class ServerFaults;

enum class Handoff { curator, announced, mixed };

struct FaultRunOptions
{
    std::uint64_t acquisitions = 2000;
    Duration shortestRun{}; // it goes on at least as long, whatever the number of acquisitions
    Duration longestRun = std::chrono::hours(12); // and no longer
    std::uint32_t clients = 50;
    std::uint32_t locks = 5;
    std::size_t members = 1; // of the ensemble; set by the run
    std::uint64_t seed = 1;
    Handoff handoff = Handoff::mixed;
    explore::Flaws flaws;                               // none: the real recipe
    Duration shortestTimeout = std::chrono::seconds(1); // of the sessions
    Duration longestTimeout = std::chrono::seconds(2);
    Duration minServerFaultGap = std::chrono::milliseconds(800); // between two faults of the server, at least
    Duration pause = std::chrono::milliseconds(60); // between two faults of clients, on the average
    Duration drainLimit = std::chrono::seconds(60); // for all clients to finish once the faults are over
    bool reducesRate =
        true;              // rarer faults of clients once all kinds have come: a busy machine gets there too
    bool progress = false; // lines on standard output
    std::shared_ptr<ServerFaults>
        serverFaults{}; // of the servers; none: their disks and clocks are left alone
};

struct Outcomes
{
    std::uint64_t acquired = 0;
    std::uint64_t reentered = 0;
    std::uint64_t timedOut = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t sessionLost = 0; // while they waited
    std::uint64_t sessions = 0;
    std::uint64_t mixed = 0;          // acquisitions of the recipes beside the mutex
    std::uint64_t revocations = 0;    // asked for
    std::uint64_t revoked = 0;        // holders that heard of it
    std::uint64_t blocking = 0;       // acquisitions of the blocking API
    std::uint64_t blockingShared = 0; // holds of threads that share a node
    std::uint64_t leaderships = 0;
    std::uint64_t blockingLost = 0;
    Duration longestWait{};
};

struct FaultContext
{
    FaultContext(const FaultRunOptions& given, zk::Hub& theHub, std::string host)
        : options(given)
        , hub(theHub)
        , address(std::move(host))
        , beliefChecker(given.locks, given.longestTimeout / 2 + std::chrono::seconds(5))
        , sharedBeliefs(beliefChecker)
    {}
    std::string lockPath(std::size_t lock) const { return "/locks/" + std::to_string(lock); }
    std::string guardPath(std::size_t lock) const { return "/guards/" + std::to_string(lock); }
    bool enough() const { return stopping; }

    const FaultRunOptions& options;
    zk::Hub& hub;
    std::string address;             // of the server, or of all members
    std::vector<std::string> queues; // all paths whose children are contenders
    BeliefChecker beliefChecker;
    SharedBeliefs sharedBeliefs; // of the recipes beside the mutex
    Outcomes outcomes;
    ReleasedTokens released;
    bool stopping = false; // no client begins a new cycle
};

} // namespace lockscope::tests
