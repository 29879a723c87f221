// A trace in the trace event format of Chrome, which ui.perfetto.dev opens: one process, a thread for each
// client with its name, complete events for what it does, flow arrows for the handoffs, instants for what was
// done to the run and for the watches that fired. The same trace gives the same bytes. Any thread.
// Invariant: the events of a thread are nested or apart, never half over each other, as the format demands:
// a stale, suspended or frozen time is cut where the span under it ends.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

bool chromeTrace(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
