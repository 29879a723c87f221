// The report of a run as JSON, and its summary for a person at a terminal.
#pragma once

#include "app/lockscope_cli/run_outcome.h"

#include <boost/json/object.hpp>

#include <string>

namespace lockscope::app {

boost::json::object report(const RunOutcome& run);
std::string summary(const RunOutcome& run);
// Formatted for a person: small values stay on one line.
std::string indented(const boost::json::value& value, const std::string& indent = "");

} // namespace lockscope::app
