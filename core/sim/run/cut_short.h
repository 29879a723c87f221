// Why a run ended before its scenario did: the codes in traces and reports.
#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::sim::cut_short {

inline constexpr std::string_view kInterrupted = "interrupted"; // by a signal
inline constexpr std::string_view kRefused = "refused"; // a client lacked a right that it needs, and left
inline constexpr std::string_view kNoContact = "no_contact"; // no client was connected for too long
inline constexpr std::string_view kMostlyNoContact = "mostly_no_contact"; // for more than half of the run
inline constexpr std::string_view kStalled = "stalled";          // no client could continue on its own
inline constexpr std::string_view kOverdue = "overdue";          // it ran on for too long after its duration
inline constexpr std::string_view kAlone = "coordinator_lost";   // of a worker: its result is not asked for
inline constexpr std::string_view kWorkerLost = "worker_lost";   // of a run of several workers: one died
inline constexpr std::string_view kTraceFailed = "trace_failed"; // the trace could not be written

// How long no client continues before a run is called stalled: until pending requests have ended, and, unless
// all are held, until the session of a client that is stopped can have expired, which lets others continue.
inline Duration stallPatience(Duration sessionTimeout, bool allHeld = false)
{
    const Duration requests = std::chrono::seconds(1);
    return allHeld ? requests : requests + 2 * sessionTimeout;
}

// How long a run has stood still, by looks at it. More than a second between two looks does not count: the
// process did not run meanwhile, and has not read yet what it was sent.
class StandStill
{
public:
    Duration after(bool isStill, MonotonicTime now)
    {
        const Duration most = std::chrono::seconds(1);
        const Duration since = std::min(most, now - std::exchange(m_looked, now));
        return m_length = isStill ? m_length + since : Duration::zero();
    }

private:
    MonotonicTime m_looked{};
    Duration m_length{};
};

// `who`: the clients and their states.
inline Message stalledText(const Message& who)
{
    return message("No client can continue by itself, and the run is cut short: %1.", who);
}

} // namespace lockscope::sim::cut_short
