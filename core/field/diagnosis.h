// Why a lock is stuck: at most one answer for each, with what shows it and what one can do. Data; the
// sentences are made last. Pure; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::field {

struct Diagnosis
{
    enum class Kind : std::uint8_t {
        persistentInFront, // a node that no session owns
        foreignInFront,    // a node of no lock's name that the waiters' library takes for one
        namesDoNotExclude, // clients of two libraries on one path
        forgottenNode,     // of a live session that no longer waits at it
        deadlock,          // sessions that wait for one another over several locks
        holderSilent,
        nextWithoutWatch,
        slowerThanUsual,
        emptyParents,
    };
    Kind kind{};
    std::string node{}, other{}; // names of nodes, or of libraries
    SessionId session{};
    std::string address{};
    Duration span{}, reference{}; // how long; the usual time, or the timeout
    std::uint64_t count = 0;
    std::vector<std::string> paths{}; // of a deadlock

    bool operator==(const Diagnosis&) const = default;
};

// A client pings after a third of its timeout; one that pauses for half of it just before that is silent for
// five sixths.
constexpr Duration silentAfter(Duration timeout) { return timeout * 89 / 100; }

const char* name(Diagnosis::Kind kind); // "holder_silent"
Message sentence(const Diagnosis& diagnosis);
Message evidence(const Diagnosis& diagnosis);
Message remedy(const Diagnosis& diagnosis);

} // namespace lockscope::field
