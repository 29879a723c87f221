#include "app/lockscope_cli/history_trace.h"

#include "core/base/standard_streams.h"
#include "core/trace/trace_file.h"

namespace lockscope::app {

Result<void> writeTrace(const std::string& file, history::HistoryTraceBuilder& events,
                        const trace::TraceStore& store, std::int64_t endMs)
{
    events.finish(endMs);
    if (!events.isWhole())
        writeToStandardError(
            "lockscope-cli: There are too many locks or participants for a trace; some are left "
            "out. Choose fewer locks with --lock.\n");
    return trace::saveTrace(file, store, store.count());
}

} // namespace lockscope::app
