// Short traces written as text, for tests. Statements are separated by ';' or line ends:
//   [<time>] <who> <what> [arguments]        10ms ada joins n1; 12ms bo joins n2; bo waits n2 n1
// Without a time a statement happens 1 ms after the one before. <who> is a client's name (it is added and
// connected where it is first named) or '-' for the run and the observer. Node "n7" stands for a protected
// sequential name that ends in -lock-0000000007; so do "l7" (lease), "r7" and "w7" (the sides of a read/write
// lock); any other word is taken as it is. "ada@right" does it on the lock "right" ("- lock right" adds it)
// and "ada:2" as owner 2. Causes are set the way the recipes record them. What there is: see
// trace_script.cpp and script_protocol.cpp. Throws std::invalid_argument, naming the statement.
#pragma once

#include "core/trace/store.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::tests {

// The trace begins with a ready server and the lock "/locks/well", id 0: what is meant without "@".
std::shared_ptr<trace::TraceStore> traceScript(std::string_view text);

// The full name that "n7" stands for.
std::string scriptNode(std::string_view word);

} // namespace lockscope::tests
