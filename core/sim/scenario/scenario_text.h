// Parsing and formatting of the texts in a scenario's fields. Pure.
#pragma once

#include "core/sim/scenario/scenario.h"

namespace lockscope::sim {

std::optional<ReleaseOrder> parseReleaseOrder(std::string_view text); // "last first", "first first"
std::string_view toString(ReleaseOrder releaseOrder);

std::optional<Arrival> parseArrival(std::string_view text); // "at once", "together by 100", "every 20ms", ...
std::string formatArrival(const Arrival& arrival);
std::string arrivalForms();

std::optional<ResourceContent>
parseResourceContent(std::string_view text); // "section", "stock 1000", "order numbers"
std::string formatResourceContent(const ResourceContent& resource);
std::string resourceContentForms();

// "left" or "book:write", with the names of these locks.
std::optional<Take> parseTake(std::string_view text, const std::vector<std::string>& locks);
std::string formatTake(const Take& take, const std::vector<std::string>& locks);
std::string takeForms(const std::vector<std::string>& locks);

std::optional<TakenStep> parseTakenStep(std::string_view text); // "ada create"
std::string_view stepName(GateStep step);
std::string stepNames();

std::optional<Expectation> parseExpectation(std::string_view text); // "one_holder holds"
std::string formatExpectation(const Expectation& expectation);
std::string findingNames();

} // namespace lockscope::sim
