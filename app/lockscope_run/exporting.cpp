#include "app/lockscope_run/exporting.h"

#include "core/exports/chrome_trace.h"
#include "core/exports/html_report.h"
#include "core/exports/tables.h"
#include "core/trace/trace_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace lockscope::app {

namespace {

bool write(ExportKind kind, const exports::Source& source, const exports::Out& out)
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
    const std::filesystem::path beside(asked.file + ".part");
    errno = 0;
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    const exports::Out out{[&](std::string_view text) {
        return static_cast<bool>(file.write(text.data(), static_cast<std::streamsize>(text.size())));
    }};
    const bool whole = file && write(asked.kind, {*loaded->store, loaded->store->count()}, out);
    file.close();
    const int why = errno;
    std::error_code renamed, ignored;
    if (whole && file)
        std::filesystem::rename(beside, asked.file, renamed);
    if (whole && file && !renamed)
        return {};
    std::filesystem::remove(beside, ignored);
    return Error{ErrorCode::ioFailed,
                 "The export cannot be written to " + asked.file + ": " +
                     (renamed ? renamed.message() : std::strerror(why)) + ".",
                 "Check the folder and the space on the disk."};
}

} // namespace lockscope::app
