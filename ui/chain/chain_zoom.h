// The zoom of the watch chain. Pure.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

// The factor by which nodes can be larger than by default. Depends on the clients of the run, not on the
// current nodes, so that sizes stay the same while clients come and go.
double zoomFor(const ChainQuery& query);

} // namespace lockscope::ui::chain
