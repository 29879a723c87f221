#include "ui/shell/run/merge_traces.h"

#include "core/engine/session_key.h"
#include "core/history/log_trace.h"
#include "ui/models/style/format.h"

#include <QCoreApplication>
#include <QFile>

#include <new>

namespace lockscope::ui {

namespace {

constexpr int kNamedTraces = 3;

struct MergeTexts
{
    Q_DECLARE_TR_FUNCTIONS(MergeTraces)
};

std::filesystem::path pathOf(const QString& path)
{
    return std::filesystem::path(QFile::encodeName(path).toStdString());
}

std::vector<std::filesystem::path> pathsOf(const QStringList& files)
{
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.push_back(pathOf(file));
    return paths;
}

Result<trace::LoadedTrace> readMerged(trace::TraceMerger& merger)
{
    trace::LoadedTrace merged{std::make_shared<trace::TraceStore>(merger.header()), {}};
    while (true) {
        const Result<const trace::Event*> event = merger.next();
        if (!event)
            return event.error();
        if (!*event)
            return merged;
        merged.store->append(**event);
    }
}

} // namespace

QString MergeInputs::words() const
{
    QStringList names;
    for (const std::string& name : trace::TraceMerger::namesOf(pathsOf(traces)))
        names << format::plain(name, 40);
    const auto more = names.size() - kNamedTraces;
    names = names.mid(0, kNamedTraces);
    if (more > 0)
        names << MergeTexts::tr("%Ln more traces", nullptr, static_cast<int>(more));
    if (!logs.isEmpty())
        names << MergeTexts::tr("logs");
    return names.join(QStringLiteral(" + "));
}

Result<trace::LoadedTrace> mergeTraces(const MergeInputs& inputs, trace::LoadProgress& progress)
try {
    std::vector<trace::TraceMerger::Input> traces;
    for (const std::filesystem::path& path : pathsOf(inputs.traces))
        traces.push_back({path});
    history::LogTrace log(
        {.logs = pathsOf(inputs.logs),
         .sessions = inputs.sessionKey ? std::make_shared<engine::SessionKey>(*inputs.sessionKey) : nullptr,
         .cancelled = [&progress] { return progress.cancel.load(); }});
    trace::TraceMerger::LogTrace logTrace;
    if (!inputs.logs.isEmpty())
        logTrace = [&log](const std::vector<std::string>& locks) { return log.make(locks); };
    const auto merger =
        trace::TraceMerger::create(traces, logTrace, &progress, trace::TraceMerger::Names::withTraces);
    if (!merger) {
        Error error = merger.error();
        for (const Message& problem : log.problems())
            error.message = joined(error.message, problem);
        return error;
    }
    Result<trace::LoadedTrace> merged = readMerged(**merger);
    if (!merged)
        return merged;
    for (const Message& problem : log.problems())
        merged->truncation = joined(merged->truncation, problem);
    for (const trace::MergedSource& source : (*merger)->sources())
        merged->truncation = joined(merged->truncation, source.gap);
    return merged;
} catch (const std::bad_alloc&) {
    return Error{ErrorCode::limitExceeded, message("The merged run does not fit into memory."), {}};
}

} // namespace lockscope::ui
