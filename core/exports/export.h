// Writes an export of a given kind.
#pragma once

#include "core/exports/export_sink.h"
#include "core/exports/html_report.h"

#include <vector>

namespace lockscope::exports {

enum class Kind { handoffs, clients, chrome, report };

// `pictures` are used only in the report.
bool write(Kind kind, const ExportSource& source, const std::vector<Picture>& pictures, const ExportSink& out);

} // namespace lockscope::exports
