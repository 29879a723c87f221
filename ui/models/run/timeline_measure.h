// Measures a time range of a run. The counts are found by binary search; the statistics read every handoff
// and hold in the range. Pure; any thread.
#pragma once

#include "core/replay/timeline/lock_holders.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"

#include <vector>

namespace lockscope::ui {

struct MeasuredStretch
{
    TraceTime from{}, to{};   // from <= to
    std::size_t handoffs = 0; // acquired in the range, both ends included
    std::size_t events = 0;   // of the first `drained`
    Duration running{};       // without the pauses of the run
    Duration length() const { return to - from; }
};

// How often and how long a client held in the range, all locks together.
struct HeldShare
{
    ClientId client;
    std::size_t holds = 0; // that touch the range
    Duration held{};       // within the range
    bool operator==(const HeldShare&) const = default;
};

struct StretchStatistics
{
    std::size_t handoffs = 0; // in the figures; excludes those during which the run was paused
    Duration p50{}, p99{}, longest{};
    std::vector<HeldShare> holders; // the longest first
    bool operator==(const StretchStatistics&) const = default;
};

// Both ends included. `now`: the end of holds that still last.
StretchStatistics stretchStatistics(const replay::Timeline& timeline, const replay::LockHolders& holders,
                                    TraceTime from, TraceTime to, TraceTime now);

// The ends may come in any order.
MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store,
                               std::size_t drained, TraceTime one, TraceTime other);

} // namespace lockscope::ui
