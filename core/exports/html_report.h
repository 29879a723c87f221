// A run as one self-contained HTML page: the scenario, the findings, the numbers, drawings of the timeline
// and of the handoff times, and the given pictures. It has no scripts and no links; all text from the trace
// is escaped. The same trace and pictures give the same bytes. Any thread.
#pragma once

#include "core/exports/folded_trace.h"

namespace lockscope::exports {

bool htmlReport(const ExportSource& source, const ExportSink& out);

} // namespace lockscope::exports
