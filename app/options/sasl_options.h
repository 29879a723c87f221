// --sasl, --sasl-file and --sasl-service, of the commands of both programs that only watch. Main thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/wire/sasl.h"

#include <CLI/CLI.hpp>

namespace lockscope::app {

void addSasl(CLI::App& command, zk::wire::SaslOptions& out);
// What is wrong with them. Errors: badUsage, badInput.
Result<void> checkSasl(const CLI::App& command, const zk::wire::SaslOptions& given);
// For commands whose clients cannot: `argument` as it was given.
Error noSasl(const std::string& argument);

} // namespace lockscope::app
