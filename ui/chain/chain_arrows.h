// Adds to a scene whose cards are placed: the arrow from each waiter to the node it watches, and the wake-up.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

void addArrows(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);
void addWake(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);

} // namespace lockscope::ui::chain
