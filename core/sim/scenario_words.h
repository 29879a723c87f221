// The words of a scenario's fields, both ways: from the text of a file to the value, and back. Pure.
#pragma once

#include "core/sim/scenario.h"

namespace lockscope::sim {

std::optional<GiveBack> giveBackFrom(std::string_view text); // "last first", "first first"
std::string_view toString(GiveBack giveBack);

std::optional<Arrival> arrivalFrom(std::string_view text); // "at once", "together by 100", "every 20ms", ...
std::string arrivalText(const Arrival& arrival);
std::string arrivalForms();

std::optional<Protected> protectedFrom(std::string_view text); // "section", "stock 1000", "order numbers"
std::string protectedText(const Protected& resource);
std::string protectedForms();

// "left" or "book:write", by the names of these locks.
std::optional<Take> takeFrom(std::string_view text, const std::vector<std::string>& locks);
std::string takeText(const Take& take, const std::vector<std::string>& locks);
std::string takeForms(const std::vector<std::string>& locks);

std::optional<TakenStep> takenStepFrom(std::string_view text); // "ada create"
std::optional<trace::GateStep> stepFrom(std::string_view text);
std::string_view stepName(trace::GateStep step);
std::string stepNames();

std::optional<Expectation> expectationFrom(std::string_view text); // "one_holder holds"
std::string expectationText(const Expectation& expectation);
std::string findingNames();

} // namespace lockscope::sim
