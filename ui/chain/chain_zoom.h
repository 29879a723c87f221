// How large the nodes of the watch chain are drawn. Pure, no window, no font.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

// How much larger than usual the cards of this run have room to be. By the clients of the run, not by the
// nodes of the moment, so that nothing changes its size while they come and go.
double zoomFor(const ChainQuery& query);

} // namespace lockscope::ui::chain
