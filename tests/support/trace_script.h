// Short traces written as text, for tests. Statements are separated by ';' or line ends:
//   [<time>] <who> <what> [arguments]        10ms ada joins n1; 12ms bo joins n2; bo waits n2 n1
// Without a time a statement happens 1 ms after the one before. <who> is a client's name (it is added and
// connected where it is first named) or '-' for the run and the observer. Node "n7" stands for a protected
// sequential name that ends in -lock-0000000007; any other word is taken as it is. Causes are set the way the
// recipes record them. What there is: see trace_script.cpp. Throws std::invalid_argument, naming the
// statement.
#pragma once

#include "core/trace/store.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::tests {

// The trace begins with a ready server and the lock "/locks/well", id 0.
std::shared_ptr<trace::TraceStore> traceScript(std::string_view text);

// The full name that "n7" stands for.
std::string scriptNode(std::string_view word);

} // namespace lockscope::tests
