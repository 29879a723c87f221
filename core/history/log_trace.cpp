#include "core/history/log_trace.h"

#include "core/base/output_file.h"
#include "core/base/unique_fd.h"
#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/trace/trace_file.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace lockscope::history {

namespace {

constexpr std::uint64_t kReadAtOnce = 32 * 1024 * 1024;

Result<std::string> makeScratchFile()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "lockscope-merge-XXXXXX").string();
    const UniqueFd made(::mkstemp(name.data()));
    if (!made.valid())
        return outputError("The trace of the logs cannot be written to", name,
                           {errno, std::generic_category()});
    return name;
}

} // namespace

LogTrace::~LogTrace()
{
    std::error_code ignored;
    if (!m_file.empty())
        std::filesystem::remove(m_file, ignored);
}

Result<trace::TraceMerger::Input> LogTrace::make(const std::vector<std::string>& locks)
{
    History::Options options;
    options.locks = options.fixedNames = locks;
    const Result<std::unique_ptr<History>> opened = History::open(m_options.logs, options);
    if (!opened)
        return opened.error();
    trace::TraceStore store;
    if (m_options.sessions)
        store.setWrittenSessionNames(m_options.sessions);
    HistoryTraceBuilder events(
        store, {.sessionIds = m_options.sessions ? trace::SessionIds::pseudonyms : trace::SessionIds::real});
    History& log = **opened;
    log.listen([&](const LockEvent& event) { events.add(event); });
    log.listenToGaps([&](const Gap& gap) { events.addGap(gap); });
    while (log.read(kReadAtOnce) != HistoryReader::State::ended)
        if (m_options.cancelled && m_options.cancelled())
            return Error{ErrorCode::cancelled, message("Reading the logs was canceled."), {}};
    events.finish(log.lastMs());
    for (const Damage& damage : log.takeDamage()) {
        m_isWhole = m_isWhole && !isPartUnread(damage.kind);
        m_problems.push_back(damage.text());
    }
    m_isWhole = m_isWhole && log.gaps().empty();
    if (!events.isWhole())
        m_problems.push_back(
            message("There are too many locks or participants for a trace; some are left out."));
    Result<std::string> file = makeScratchFile();
    if (!file)
        return file.error();
    m_file = std::move(*file);
    if (const Result<void> written = trace::saveTrace(m_file, store, store.count()); !written)
        return written.error();
    return trace::TraceMerger::Input{m_file, "logs"};
}

} // namespace lockscope::history
