// Tables as CSV with a header line. Times are in microseconds; points in time count from the trace's time
// zero. The same trace gives the same bytes. Any thread.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

// A row for each handoff, in order: the old and the new holder, and the time of each step.
bool handoffsCsv(const ExportSource& source, const ExportSink& out);
// A row for each client: what it did until the last event.
bool clientsCsv(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
