// The trace of what a log or a watch told, into a file.
#pragma once

#include "core/history/history_trace_builder.h"

#include <cstdint>
#include <string>

namespace lockscope::app {

// Ends the trace that the builder has made in the store; `endMs` as in HistoryTraceBuilder::finish(). What a
// trace cannot have is said on standard error. Error: ioFailed.
Result<void> writeTrace(const std::string& file, history::HistoryTraceBuilder& events,
                        const trace::TraceStore& store, std::int64_t endMs);

} // namespace lockscope::app
