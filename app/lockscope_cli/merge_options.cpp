// The command merge: which traces, and which logs.
#include "app/lockscope_cli/commands.h"

#include "core/trace/trace_input.h"

namespace lockscope::app {

ArgumentsReader declareMerge(CLI::App& command)
{
    struct Given
    {
        MergeArguments merge;
        std::vector<std::string> logs;
        SessionNaming naming;
    };
    const auto given = std::make_shared<Given>();
    command.add_option("OUT", given->merge.file, "The trace to write; - is standard output")
        ->type_name("OUT.jsonl|-")
        ->required();
    command
        .add_option("TRACES", given->merge.traces,
                    "The traces of the machines: of lockscope-cli run, or of lockscope-cli history")
        ->type_name("TRACE.jsonl...")
        ->required();
    addEach(
        command, "--history", given->logs,
        "A data directory of one of the servers, or some of its files log.* and snapshot.*; repeat it for "
        "several. Needs the key of the traces, or their real session ids")
        ->type_name("DIR|FILE");
    addSessionNaming(command, given->naming);
    command.add_flag("--quiet", given->merge.quiet, "No table of the clocks");
    return [given]() -> Result<Arguments> {
        MergeArguments merge = given->merge;
        const bool named = !given->naming.keyFile.empty() || given->naming.realIds;
        if (given->logs.empty() == named)
            return named ? Error{ErrorCode::badUsage,
                                 "--key-file and --real-session-ids have no effect without --history.", ""}
                         : Error{ErrorCode::badUsage, "--history: the sessions of the logs need names.",
                                 "Use --key-file with the key that the traces were written with."};
        std::vector<std::string> read = merge.traces;
        for (const std::string& trace : merge.traces) {
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(trace, ignored))
                return Error{ErrorCode::badUsage, trace::noTraceFile(trace), ""};
        }
        if (merge.traces.size() < 2 && given->logs.empty())
            return Error{ErrorCode::badUsage, "merge needs two traces, or a trace and --history.", ""};
        merge.logs.assign(given->logs.begin(), given->logs.end());
        merge.realSessionIds = given->naming.realIds;
        Result<std::string> key = keyFrom(given->naming);
        if (!key)
            return key.error();
        merge.sessionKey = std::move(*key);
        if (!merge.logs.empty())
            addHistoryFiles(merge.logs, read);
        if (const Result<void> apart = checkOutputs({{"OUT", merge.file}}, read); !apart)
            return apart.error();
        return merge;
    };
}

} // namespace lockscope::app
