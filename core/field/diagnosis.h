// Why a lock is stuck: at most one diagnosis for each lock, with its evidence and a remedy. Data; the
// functions below make the sentences. Pure; any thread.
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
        deadlock,          // sessions that wait for each other across several locks
        persistentInFront, // a node that no session owns
        foreignInFront,    // a node without a lock's name that the waiters' library takes for a lock node
        entranceBlocked,   // of a semaphore: its first client has no lease, although none is taken
        namesDoNotExclude, // clients of two libraries on one path
        ownerUnknown,      // no server knows the session of the node in front
        forgottenNode,     // of a live session whose client no longer uses it
        holderSilent,
        nextWithoutWatch,
        holderWaits, // for another lock
        slowerThanUsual,
        emptyParents,
    };
    Kind kind{};
    std::string node{}, other{}; // names of nodes, or of libraries
    SessionId session{};
    std::string address{};
    Duration span{}, reference{}; // how long it lasts; the usual duration, or the timeout
    std::uint64_t count = 0;
    std::vector<std::string>
        paths{}; // of the locks in a deadlock, or for which the holder waits, one after the other
    std::vector<std::string> also{}; // paths of other locks that the session holds
    bool recipeKnown = true;         // what the nodes mean, and so what a delete would do, is known

    bool operator==(const Diagnosis&) const = default;
};

// A client pings after a third of its timeout. If it pauses for half of the timeout just before that ping, it
// is silent for five sixths; on a busy machine up to 87 % was measured.
constexpr Duration silentAfter(Duration timeout) { return timeout * 89 / 100; }

const char* name(Diagnosis::Kind kind); // "holder_silent"
Message sentence(const Diagnosis& diagnosis);
Message evidence(const Diagnosis& diagnosis);
Message remedy(const Diagnosis& diagnosis);

} // namespace lockscope::field
