// Adds the cycle of waiting clients, over all locks of the run, in the line below the queue.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

void addCycle(ChainScene& scene, const ChainQuery& query);

} // namespace lockscope::ui::chain
