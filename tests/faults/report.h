// What a fault run found, and its JSON. Plain values.
#pragma once

#include "tests/faults/log_audit.h"
#include "tests/faults/nemesis.h"
#include "tests/faults/resource_sampler.h"

#include <string>
#include <utility>
#include <vector>

namespace lockscope::tests {

struct FaultReport
{
    FaultRunOptions options;
    std::vector<std::string> releases; // of ZooKeeper, by member
    double seconds = 0;
    double drainSeconds = 0; // from the last fault to the last client's end
    Outcomes outcomes;
    BeliefChecker::Counts beliefs;
    LogAudit::Counts server; // what its log says
    std::vector<std::pair<std::string, std::uint64_t>> faults;
    std::uint64_t sessionsKilled = 0;
    std::uint64_t packetsLost = 0;
    std::uint64_t quietTimes = 0;      // in which all clients made progress
    std::uint64_t membersReplaced = 0; // because ZooKeeper had lost changes on them
    std::vector<std::string> divergences;
    std::uint64_t stalls = 0; // of the machine
    double longestStall = 0;
    std::vector<std::string> violations; // the first ones, with evidence
    std::vector<std::string> orphans;
    std::vector<std::string> stuck;
    std::size_t watchesLeft = 0;
    std::vector<ResourceSample> resources; // one a minute
    std::string trouble;                   // why the run itself failed; empty when it did not

    std::uint64_t violated() const { return beliefs.violated + server.violated; }
    bool clean() const
    {
        return violated() == 0 && orphans.empty() && stuck.empty() && watchesLeft == 0 && trouble.empty();
    }
    std::string json() const;
};

std::string_view describe(Handoff handoff);

} // namespace lockscope::tests
