// The next step of a stopped client and its reason, by the recipe of its lock. Pure; any thread.
#pragma once

#include "ui/chain/event_explainer.h"

namespace lockscope::ui {

// "lists the children": continues a sentence that begins with the client's name.
QString stepClause(const replay::RunState& state, const replay::ClientRow& client, trace::GateStep step);
// "bo is stopped: next it lists the children." / "Its node is created, and it must learn its place."
Explanation explainNextStep(const replay::RunState& state, const replay::ClientRow& client,
                            trace::GateStep step);

} // namespace lockscope::ui
