// What the small picture of a scenario shows, read from the scenario itself: a queue, a star, leases or a
// ring, and who is struck by what. Plain values, any thread.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <vector>

namespace lockscope::ui {

struct PicturePlan
{
    enum class Shape { chain, star, readers, leases, ring, lockSet, unlocked };
    enum class Fence { hidden, closed, open }; // what becomes of a token that is too old
    enum class Effect { none, bolt, frozen, lostReply, deleted, link };
    struct Node
    {
        std::uint16_t colour = 0; // of the client
        Effect effect = Effect::none;
        bool writes = false; // readers
        bool sharedSession = false;  // several workers behind one session
        bool reenters = false; // again, what it holds already
        bool operator==(const Node&) const = default;
    };
    Shape shape = Shape::chain;
    std::vector<Node> nodes; // the first ones hold; at most kMaxNodes
    std::uint32_t more = 0;  // that are not drawn
    std::uint32_t holders = 1;
    std::uint32_t servers = 0; // drawn when there are three, or when something happens to one
    Effect server = Effect::none;
    std::uint32_t locks = 1;
    Fence fence =
        Fence::hidden; // seen where a holder freezes for longer than its session: the next one holds too
    bool operator==(const PicturePlan&) const = default;
};

inline constexpr std::size_t kMaxNodes = 5;
inline constexpr std::size_t kMaxStarNodes = 14;

PicturePlan planOf(const sim::Scenario& scenario);

} // namespace lockscope::ui
