// What lies between two moments of a run, found without walking through it. Pure.
#pragma once

#include "core/replay/timeline.h"
#include "core/trace/store.h"

namespace lockscope::ui {

struct MeasuredStretch
{
    TraceTime from{}, to{}; // from <= to
    std::size_t handoffs = 0; // acquired in between, both ends included
    std::size_t events = 0;   // the same; of the first `drained`
    Duration length() const { return to - from; }
};

// The ends may come in any order.
MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store, std::size_t drained,
                               TraceTime one, TraceTime other);

} // namespace lockscope::ui
