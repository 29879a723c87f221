#include "ui/shell/run/merge_traces.h"

#include "core/engine/session_key.h"
#include "core/history/log_trace.h"
#include "ui/models/style/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

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

// Files of the same name are told apart by their folders.
QStringList namesOf(const QStringList& traces)
{
    QStringList names;
    for (const QString& trace : traces)
        names << QFileInfo(trace).completeBaseName();
    for (qsizetype i = 0; i < traces.size(); ++i)
        for (qsizetype j = i + 1; j < traces.size(); ++j)
            if (QFileInfo(traces[i]).completeBaseName() == QFileInfo(traces[j]).completeBaseName())
                for (const qsizetype each : {i, j})
                    names[each] = QFileInfo(traces[each]).dir().dirName() + u'-' +
                                  QFileInfo(traces[each]).completeBaseName();
    return names;
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
    QStringList names = namesOf(traces);
    const auto more = names.size() - kNamedTraces;
    names = names.mid(0, kNamedTraces);
    for (QString& name : names)
        name = format::plain(name.toStdString(), 40);
    if (more > 0)
        names << MergeTexts::tr("%Ln more traces", nullptr, static_cast<int>(more));
    if (!logs.isEmpty())
        names << MergeTexts::tr("logs");
    return names.join(QStringLiteral(" + "));
}

Result<trace::LoadedTrace> mergeTraces(const MergeInputs& inputs, trace::LoadProgress& progress)
try {
    std::vector<trace::TraceMerger::Input> traces;
    const QStringList names = namesOf(inputs.traces);
    for (qsizetype i = 0; i < names.size(); ++i)
        traces.push_back({pathOf(inputs.traces[i]), names[i].toStdString()});
    std::vector<std::filesystem::path> logs;
    for (const QString& log : inputs.logs)
        logs.push_back(pathOf(log));
    history::LogTrace log(
        {.logs = logs,
         .sessions = inputs.sessionKey ? std::make_shared<engine::SessionKey>(*inputs.sessionKey) : nullptr,
         .cancelled = [&progress] { return progress.cancel.load(); }});
    trace::TraceMerger::LogTrace logTrace;
    if (!logs.empty())
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
