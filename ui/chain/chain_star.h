// The scene of a herd: in the middle the node that all waiters watch, or the parent whose children they
// watch; around it the waiting clients, or their nodes. Each client keeps its place while others come and go.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_places.h"

namespace lockscope::ui::chain {

bool isStar(const replay::LockRow& lock);
void addStar(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock,
             const ChainAreas& rooms);

} // namespace lockscope::ui::chain
