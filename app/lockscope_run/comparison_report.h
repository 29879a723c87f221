// Two runs side by side as JSON, and as a table for a person at a terminal.
#pragma once

#include "app/lockscope_run/run_outcome.h"

#include <boost/json/object.hpp>

#include <string>

namespace lockscope::app {

struct ComparedRuns
{
    const RunOutcome& a;
    const RunOutcome& b;
    replay::Comparison comparison;
};

boost::json::object report(const ComparedRuns& runs); // {"a": {...}, "b": {...}, "comparison": [...]}
std::string table(const ComparedRuns& runs);

} // namespace lockscope::app
