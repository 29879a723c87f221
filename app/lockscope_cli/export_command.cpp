#include "app/lockscope_cli/export_command.h"

#include "core/base/output_file.h"
#include "core/trace/trace_file.h"

namespace lockscope::app {

Result<void> exportTrace(const ExportArguments& asked)
{
    const Result<trace::LoadedTrace> loaded = trace::loadTrace(asked.trace);
    if (!loaded)
        return loaded.error();
    OutputFile file;
    std::error_code error = file.open(asked.file, {.waitForReader = true});
    if (!error) {
        const exports::ExportSink out{[&](std::string_view text) { return !(error = file.write(text)); }};
        if (exports::rowOf(asked.kind).write({*loaded->store, loaded->store->count()}, out))
            error = file.commit();
    }
    if (error)
        return outputError("The export cannot be written to", asked.file, error);
    return {};
}

} // namespace lockscope::app
