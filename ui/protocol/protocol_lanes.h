// Chooses the clients with a lane when not all fit: those of the measured handoff, the selected client, the
// holders, clients active in the range shown, then the others. Keeps lanes in their places where
// possible. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <vector>

namespace lockscope::ui {

struct ProtocolLaneRequest
{
    std::vector<ClientId> all;    // every client, in order
    std::vector<ClientId> first;  // in the handoff, selected or holding: before all others
    std::vector<ClientId> active; // took part in the range shown, the latest first
    std::vector<ClientId> shown;  // the current lanes
    std::size_t room = 0;         // lanes that fit
    std::size_t skip = 0;         // lanes scrolled past, sideways
};

struct ProtocolLanes
{
    std::vector<ClientId> shown; // in order
    std::size_t hidden = 0;      // clients without a lane
    std::size_t skip = 0;        // as requested, but bounded
};

ProtocolLanes chooseProtocolLanes(const ProtocolLaneRequest& request);

} // namespace lockscope::ui
