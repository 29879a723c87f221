#include "core/exports/export.h"

#include "core/exports/chrome_trace.h"
#include "core/exports/tables.h"

namespace lockscope::exports {

bool write(Kind kind, const ExportSource& source, const std::vector<Picture>& pictures, const ExportSink& out)
{
    switch (kind) {
    case Kind::handoffs:
        return handoffsCsv(source, out);
    case Kind::clients:
        return clientsCsv(source, out);
    case Kind::chrome:
        return chromeTrace(source, out);
    case Kind::report:
        break;
    }
    return htmlReport(source, pictures, out);
}

} // namespace lockscope::exports
