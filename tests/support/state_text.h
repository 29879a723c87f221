// A state as text, for tests to compare and to show. One thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <string>

namespace lockscope::tests {

// One line per node, in order: "7 ada holds x2 token 0x107", "8 bo waits ->7", "9 ? foreign". A node without
// a number has its name.
std::string queueText(const replay::RunState& state, LockId lock = LockId{0});
// One line per client: "ada holding hold 7 x2", "bo waiting sleep 8 ->7 frozen"; what else it holds or waits
// for behind it: "ada waiting sleep 4 ->3 +holding 1@0", node 1 of lock 0. "->list": it watches the whole
// list.
std::string clientsText(const replay::RunState& state);
std::string othersText(const replay::ClientRow& row);
// One line per finding: "one_holder ok 12: 12 grants checked: ...".
std::string findingsText(const replay::RunState& state);
// All of it, statistics too.
std::string stateText(const replay::RunState& state);

std::string_view name(replay::ClientPhase phase);
std::string_view name(replay::NodePhase phase);
std::string_view name(replay::Step step);

} // namespace lockscope::tests
