// Which clients get a lane when there is no room for all: those of the handoff that is told, the selected
// one, the holder, those that take part in what is shown, then the rest. Keeps lanes where they are as long
// as it can. Pure.
#pragma once

#include "core/base/ids.h"

#include <vector>

namespace lockscope::ui {

struct LadderLaneRequest
{
    std::vector<ClientId> all;    // every client, in order
    std::vector<ClientId> first;  // of the handoff, selected, holders: before all others
    std::vector<ClientId> active; // took part, the latest first
    std::vector<ClientId> shown;  // the lanes there were
    std::size_t room = 0;         // lanes that fit
    std::size_t skip = 0;         // lanes scrolled past, sideways
};

struct LadderLanes
{
    std::vector<ClientId> shown; // in order
    std::size_t hidden = 0;      // clients without a lane
    std::size_t skip = 0;        // bounded to what there is
};

LadderLanes chooseLadderLanes(const LadderLaneRequest& request);

} // namespace lockscope::ui
