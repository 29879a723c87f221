// The rule of the lock: from a list of children to "granted" or "watch that node". Pure; any thread.
#pragma once

#include "core/lock/naming.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::lock {

enum class Rule : std::uint8_t {
    allAhead,     // mutex, writer: waits for all nodes that sort before it, watches the nearest
    writersAhead, // reader: waits for the writers that sort before it, watches the first (Curator)
};

// All that a recipe keeps of a list of N names.
struct Decision
{
    bool found = false;         // the own node is in the list
    std::string own;            // its full name
    std::uint32_t position = 0; // how many nodes it waits for; 0: granted
    std::uint32_t count = 0;    // all children
    std::string predecessor;    // the node to watch; empty when position is 0
};

// `own` is the node's name, or its protection prefix when the name is not known yet. `children` are in the
// server's order: of two equal keys the earlier one comes first, as in Curator's stable sort. A reader does
// not wait for a writer with its own digits: that is the write lock from which it is downgraded. O(N), copies
// no names.
Decision decide(std::span<const char* const> children, std::string_view own, const NodeNaming& naming,
                Rule rule = Rule::allAhead);

// The same for a node with this name, whether it is still in the list or not, and with the first of the queue
// as `predecessor`, which holds the lock. Of a list without other nodes, or with none ahead, position is 0.
Decision decideFirst(std::span<const char* const> children, std::string_view own, const NodeNaming& naming,
                     Rule rule);

} // namespace lockscope::lock
