// What a client that is stopped before a step does next, and why, by the recipe of its lock. Pure.
#pragma once

#include "ui/chain/explain.h"

namespace lockscope::ui {

// "lists the children": what the step does, in a sentence that begins with the client's name.
QString stepClause(const replay::RunState& state, const replay::ClientRow& client, trace::GateStep step);
// "bo is stopped: next it lists the children." / "Its node is created, and it must learn its place."
Explanation explainNextStep(const replay::RunState& state, const replay::ClientRow& client, trace::GateStep step);

} // namespace lockscope::ui
