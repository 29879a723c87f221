// One run of the traces of several machines and of the logs of servers. Any thread; blocks.
#pragma once

#include "core/trace/trace_file.h"

#include <QStringList>

#include <optional>
#include <string>

namespace lockscope::ui {

struct MergeInputs
{
    QStringList traces{}, logs{};
    std::optional<std::string> sessionKey{}; // of the sessions in the traces; none: they have their real ids

    QString words() const; // "host1 + host2 + logs"
};

// `truncation` says what is missing. Errors: those of TraceMerger and of history::LogTrace.
Result<trace::LoadedTrace> mergeTraces(const MergeInputs& inputs, trace::LoadProgress& progress);

} // namespace lockscope::ui
