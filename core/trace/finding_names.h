// The names of a run's findings in reports, scenarios and lessons, in the order of replay::FindingKind.
#pragma once

#include <array>
#include <string_view>

namespace lockscope::trace {

inline constexpr auto kFindingNames = std::to_array<std::string_view>(
    {"one_holder", "order_kept", "no_herd", "no_orphan_node", "no_lost_wakeup", "tokens_increase",
     "belief_matches_server", "no_deadlock", "no_stray_watch"});

} // namespace lockscope::trace
