// A run taken apart into a trace for each machine, with a clock of its own.
#pragma once

#include "core/trace/store.h"

#include <cstddef>
#include <memory>

namespace lockscope::tests {

// What the machine `part` of `parts` records: its clients, which are every parts-th one, and what is said to
// all of them. The first one also has the observer.
std::shared_ptr<trace::TraceStore> partOf(const trace::TraceStore& whole, std::size_t part, std::size_t parts,
                                          TraceTime shift);

} // namespace lockscope::tests
