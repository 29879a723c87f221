// What a lock costs its clients, and what they would win by holding it for less time, or by splitting it: the
// requests of a history are played again with that change. Pure; any thread.
// Assumed, and to be said beside the figures:
// - a session comes back as long after its release as it did; the first request of a session, and one that it
//   makes while another of its own is in the queue, come when they came;
// - who is first in the queue holds, for as long as it was first; the time that a client needs to notice that
//   it is first is part of that;
// - who gave up would not have come;
// - a lock that is split has two halves of equal weight, and each request falls into one of them by chance.
#pragma once

#include "core/history/history.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lockscope::history {

struct QueueFigures
{
    double meanWaitMs = 0;
    double longWaitMs = 0; // 95 of 100 waits are not longer
    double perSecond = 0;  // holds, from the first request to the last end
};

struct LockWorth
{
    static constexpr std::size_t kLeastRequests = 20; // fewer tell nothing
    // How far the model without a change may be from what was recorded; otherwise it does not fit this lock.
    static constexpr double kFits = 0.15;

    std::size_t requests = 0;            // that were played
    std::size_t gaveUp = 0, leftOut = 0; // left out: not seen from their begin to their end
    std::size_t sessions = 0;
    QueueFigures recorded, model, halved, split; // `model`: without a change

    bool isEnough() const { return requests >= kLeastRequests; }
    bool fits() const; // the model gives what was recorded
};

// `entries`: History::queueEntries(); `lock`: of one client at a time.
LockWorth worthOf(const std::vector<QueueEntry>& entries, std::string_view lock);

} // namespace lockscope::history
