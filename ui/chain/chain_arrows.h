// Adds to a scene with placed nodes: an arrow from each waiter to the node it watches, and the wake-up.
#pragma once

#include "ui/chain/chain_layout.h"

namespace lockscope::ui::chain {

// Room below a node for a watch on a deleted node: 18 units and half a label.
constexpr double kBelow = 26;
// `from`, `to`: as in Arrow.
Arrow straightArrow(int from, int to, ArrowKind kind, QPointF begin, QPointF end);
bool hasStray(const replay::LockRow& lock);
void addArrows(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);
void addWake(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock);

} // namespace lockscope::ui::chain
