// The unit and the zoom of the watch chain and the algorithm.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/models/style/theme.h"

namespace lockscope::ui::chain {

// The unit of length; 1 with text of 16 px line height.
double unitOf(const Fonts& fonts);

// The factor by which nodes can be larger than by default. Depends on the clients of the run, not on the
// current nodes, so that sizes stay the same while clients come and go.
double zoomFor(const ChainQuery& query);

} // namespace lockscope::ui::chain
