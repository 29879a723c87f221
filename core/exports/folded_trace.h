// A trace folded for an export: the state at its end, and its timeline. Any thread.
#pragma once

#include "core/exports/export_sink.h"
#include "core/replay/compare/comparison.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::exports {

struct Picture
{
    std::string title;
    std::string mime; // "image/png"
    std::string bytes;
};

// The first `count` events of a store, which may keep growing meanwhile.
struct ExportSource
{
    const trace::TraceStore& store;
    std::size_t count = 0;
    std::vector<Picture> pictures = {}; // for the report
};

struct FoldedTrace : replay::WholeRun
{
    replay::Timeline timeline;
};

// Reports progress from 0 to `upTo`. None when it was cancelled.
std::optional<FoldedTrace> foldTrace(const ExportSource& source, const ExportSink& out, double upTo);

} // namespace lockscope::exports
