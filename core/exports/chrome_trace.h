// A trace in the trace event format of Chrome, which ui.perfetto.dev opens: one process, a named thread for
// each client, complete events for its waits, holds and other states, flow arrows for the handoffs, instants
// for the actions on the run and for the watches that fired. The same trace gives the same bytes. Any thread.
// Invariant: two events of a thread are nested or disjoint, as the format requires: a stale, suspended or
// frozen span is split where a span under it begins or ends.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

bool chromeTrace(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
