// Adds to a scene whose cards are placed: the arrow from each waiter to the node it watches, and the wake-up.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

// Below a card, for a watch that leads to no node any more: 18 units and the half of a word.
constexpr double kBelow = 26;
bool hasStray(const replay::LockRow& lock);
void addArrows(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);
void addWake(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);

} // namespace lockscope::ui::chain
