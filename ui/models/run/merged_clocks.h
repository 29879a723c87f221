// What a merged run says in its first events of the clocks of its traces, and where one of them ends before
// its run. Pure; any thread.
#pragma once

#include "core/trace/store.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockscope::ui {

struct MergedClocks
{
    struct Trace
    {
        QString name;
        TraceTime shift{}, within{};       // of its clock against that of the first one
        std::optional<TraceTime> endsAt{}; // from there on nothing is known of its clients
    };
    std::vector<Trace> traces{}; // empty: the run was not merged
    TraceTime certainAfter{};    // events of different traces that are closer are in no certain order

    int traceOf(const trace::ClientAdded& client) const; // -1: not known
    bool operator==(const MergedClocks&) const = default;
};

MergedClocks mergedClocks(const trace::TraceStore& store);

} // namespace lockscope::ui
