// The phrases of a scenario's script: "when ada waits", "freeze the holder for 4s". Pure, any thread.
#pragma once

#include "core/sim/scenario/scenario.h"

namespace lockscope::sim {

// "at 2s", "after 3 handoffs", "when ada waits", "when anybody holds", "when bo is lost". None for any other
// text.
std::optional<Trigger> parseTrigger(std::string_view text);
// "kill ada", "freeze the holder for 4s", "delete the node of the first waiter", "stop the server for 2s",
// ... None for any other text.
std::optional<Action> parseAction(std::string_view text);

bool isEventKind(std::string_view name); // whether traces have events of this kind

// Examples of all forms, for error messages.
std::string triggerForms();
std::string actionForms();
std::vector<std::string> actionExamples(); // "freeze @ for 4s": @ is a client

} // namespace lockscope::sim
