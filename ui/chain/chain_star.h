// The scene of a herd: one node in the middle, around it everybody who waits, without a node of his own. Each
// client keeps its place on the ring while others come and go.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_places.h"

namespace lockscope::ui::chain {

bool isStar(const replay::LockRow& lock);
void addStar(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock, const Rooms& rooms);

} // namespace lockscope::ui::chain
