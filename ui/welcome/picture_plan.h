// The content of a scenario's small picture, read from the scenario: a queue, a star, leases or a ring, and
// the faults. Plain values, any thread.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <vector>

namespace lockscope::ui {

struct PicturePlan
{
    enum class Shape { chain, star, readers, leases, ring, lockSet, unlocked };
    enum class Fence { hidden, closed, open }; // whether the resource accepts a stale token
    enum class Effect { none, bolt, frozen, lostReply, deleted, link };
    struct Node
    {
        std::uint16_t colour = 0; // of the client
        Effect effect = Effect::none;
        bool writes = false;        // in the shape `readers`
        bool sharedSession = false; // several workers behind one session
        bool reenters = false;      // acquires the lock again
        bool operator==(const Node&) const = default;
    };
    Shape shape = Shape::chain;
    std::vector<Node> nodes; // the holders come first; at most kMaxNodes, or kMaxStarNodes in a star
    std::uint32_t more = 0;  // clients that are not drawn
    std::uint32_t holders = 1;
    std::uint32_t servers = 0; // drawn when there are three, or when a fault hits one
    Effect server = Effect::none;
    std::uint32_t locks = 1;
    Fence fence =
        Fence::hidden; // shown when a frozen holder outlasts its session, so that the next client holds too
    bool operator==(const PicturePlan&) const = default;
};

inline constexpr std::size_t kMaxNodes = 5;
inline constexpr std::size_t kMaxStarNodes = 14;

PicturePlan planOf(const sim::Scenario& scenario);

} // namespace lockscope::ui
