// A trace folded for an export: the state at its end, and its timeline. Any thread.
#pragma once

#include "core/exports/export_sink.h"
#include "core/replay/compare/comparison.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"

#include <cstddef>
#include <optional>

namespace lockscope::exports {

// The first `count` events of a store, which may keep growing meanwhile.
struct ExportSource
{
    const trace::TraceStore& store;
    std::size_t count = 0;
};

struct FoldedTrace : replay::WholeRun
{
    replay::Timeline timeline;
};

// Reports progress from 0 to `upTo`. None when it was cancelled.
std::optional<FoldedTrace> foldTrace(const ExportSource& source, const ExportSink& out, double upTo);

} // namespace lockscope::exports
