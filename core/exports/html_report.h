// A run as one HTML page that needs nothing else: what was run, the findings, the numbers, drawings of the
// timeline and of the handoffs' times, and pictures that are given along. No script, no link to anywhere;
// text from outside is escaped. The same trace and pictures give the same bytes. Any thread.
#pragma once

#include "core/exports/folded_trace.h"

#include <string>
#include <vector>

namespace lockscope::exports {

struct Picture
{
    std::string title;
    std::string mime; // "image/png"
    std::string bytes;
};

bool htmlReport(const ExportSource& source, const std::vector<Picture>& pictures, const ExportSink& out);

} // namespace lockscope::exports
