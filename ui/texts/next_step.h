// The next step of a client and its reason, by the recipe of its lock. Pure; any thread.
#pragma once

#include "ui/texts/event_text.h"

namespace lockscope::ui {

// "lists the children": continues a sentence that begins with the client's name.
QString stepClause(const replay::RunState& state, const replay::ClientRow& client, GateStep step);
// The first step of a client that asks for this lock: "It will create a numbered node and look who is in
// front."
QString firstStepText(const replay::RunState& state, LockId lock);
// "bo is stopped: next it lists the children." / "Its node is created, and it must learn its place."
Explanation explainNextStep(const replay::RunState& state, const replay::ClientRow& client, GateStep step);

} // namespace lockscope::ui
