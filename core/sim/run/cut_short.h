// By what a run ended before its scenario was through: the codes in traces and reports.
#pragma once

#include <string_view>

namespace lockscope::sim::cut_short {

inline constexpr std::string_view kInterrupted = "interrupted"; // by a signal
inline constexpr std::string_view kRefused = "refused";         // a client was refused what it needs, and left
inline constexpr std::string_view kNoContact = "no_contact";    // with ZooKeeper, for too long
inline constexpr std::string_view kStalled = "stalled";         // everybody stood still for good
inline constexpr std::string_view kOverdue = "overdue";         // it went on for too long after its duration
inline constexpr std::string_view kTraceFailed = "trace_failed"; // the trace could not be written

} // namespace lockscope::sim::cut_short
