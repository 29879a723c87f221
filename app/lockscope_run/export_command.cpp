#include "app/lockscope_run/export_command.h"

#include "core/base/output_file.h"
#include "core/exports/chrome_trace.h"
#include "core/exports/html_report.h"
#include "core/exports/tables.h"
#include "core/trace/trace_file.h"

namespace lockscope::app {

namespace {

bool write(ExportKind kind, const exports::ExportSource& source, const exports::ExportSink& out)
{
    switch (kind) {
    case ExportKind::chrome:
        return exports::chromeTrace(source, out);
    case ExportKind::csv:
        return exports::handoffsCsv(source, out);
    case ExportKind::clients:
        return exports::clientsCsv(source, out);
    case ExportKind::html:
        break;
    }
    return exports::htmlReport(source, {}, out);
}

} // namespace

Result<void> exportTrace(const Export& asked, const std::string& trace)
{
    const Result<trace::LoadedTrace> loaded = trace::loadTrace(trace);
    if (!loaded)
        return loaded.error();
    OutputFile file;
    std::error_code error = file.open(asked.file, {.waitForReader = true});
    if (!error) {
        const exports::ExportSink out{[&](std::string_view text) { return !(error = file.write(text)); }};
        if (write(asked.kind, {*loaded->store, loaded->store->count()}, out))
            error = file.commit();
    }
    if (error)
        return outputError("The export cannot be written to", asked.file, error);
    return {};
}

} // namespace lockscope::app
