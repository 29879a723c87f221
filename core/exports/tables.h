// Tables as CSV with a header line. Times are in microseconds; points in time count from the trace's time
// zero. The same trace gives the same bytes. Any thread.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

// A row for each handoff, in order: the old and the new holder, and the time of each step.
bool handoffsCsv(const ExportSource& source, const ExportSink& out);
// A row for each wait, by client: where its time went, in the parts of queue/wait_parts.h. The time in which
// the run was paused is left out. An empty cell: not known, as the holders of a semaphore, of whom any may
// end the wait.
bool waitsCsv(const ExportSource& source, const ExportSink& out);
// A row for each client: what it did until the last event.
bool clientsCsv(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
