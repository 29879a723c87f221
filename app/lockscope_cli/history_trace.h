// Writes a trace that was made from a log, or recorded by a watch, to a file.
#pragma once

#include "core/history/history_trace_builder.h"

#include <cstdint>
#include <string>

namespace lockscope::app {

// Ends the trace that the builder has made in the store; `endMs` as in HistoryTraceBuilder::finish(). If the
// trace lacks locks or participants, standard error says so. Error: ioFailed.
Result<void> writeTrace(const std::string& file, history::HistoryTraceBuilder& events,
                        const trace::TraceStore& store, std::int64_t endMs);

} // namespace lockscope::app
