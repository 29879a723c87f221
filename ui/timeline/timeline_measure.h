// What lies between two moments of a run: how much at once, the statistics of it in the time that its
// handoffs and holds take. Pure.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"
#include "ui/timeline/lock_holders.h"

#include <vector>

namespace lockscope::ui {

struct MeasuredStretch
{
    TraceTime from{}, to{}; // from <= to
    std::size_t handoffs = 0; // acquired in between, both ends included
    std::size_t events = 0;   // the same; of the first `drained`
    Duration length() const { return to - from; }
};

// How often and how long a client held in it, all locks together.
struct HeldShare
{
    ClientId client;
    std::size_t holds = 0; // that touch it
    Duration held{};       // within it
    bool operator==(const HeldShare&) const = default;
};

struct StretchStatistics
{
    std::size_t handoffs = 0; // that the figures are of: not those in which the run was paused
    Duration p50{}, p99{}, longest{};
    std::vector<HeldShare> holders; // who held longest comes first
    bool operator==(const StretchStatistics&) const = default;
};

// Both ends included. `now`: up to where a hold that lasts is counted.
StretchStatistics stretchStatistics(const replay::Timeline& timeline, const LockHolders& holders,
                                    TraceTime from, TraceTime to, TraceTime now);

// The ends may come in any order.
MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store, std::size_t drained,
                               TraceTime one, TraceTime other);

} // namespace lockscope::ui
