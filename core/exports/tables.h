// Tables as CSV, one line of titles first, times in microseconds since the trace's time zero. The same trace
// gives the same bytes. Any thread.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

// A row for each handoff, in order: who gave the lock to whom, and when each of its steps was.
bool handoffsCsv(const ExportSource& source, const ExportSink& out);
// A row for each client: what it did until the last event.
bool clientsCsv(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
