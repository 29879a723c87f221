// The scene of a herd: in the middle the one node that everybody watches, or the parent whose list of children they
// watch, around it everybody who waits (or every node). Each client keeps its place while others come and go.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_places.h"

namespace lockscope::ui::chain {

bool isStar(const replay::LockRow& lock);
void addStar(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock, const ChainAreas& rooms);

} // namespace lockscope::ui::chain
