// What the core and the window say of themselves in English, with %1 for what stands in it: the texts that can be
// said in another language. In the context "Core", those of the parser in "Parser". Constants; any thread.
#pragma once

#include <span>

namespace lockscope::ui::phrases {

using List = std::span<const char* const>;

List told();        // proofs of violations, notices, reasons of refusals, names
List partsOfTold(); // what stands in them where it is words and not a name
List modes();       // ZooKeeper's words for what a server is
List clauses();     // of a circle of waits

List errorsOfLocks(); // of servers, sessions and locks
List errorsOfFiles(); // of scenarios, traces, and what the window writes
List partsOfErrors();
List parser(); // of TOML

} // namespace lockscope::ui::phrases
