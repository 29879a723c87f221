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

// Of several times: how many, their sum and how they are distributed.
struct Spread
{
    std::size_t count = 0;
    Duration total{}, p50{}, p99{}, longest{};
    bool operator==(const Spread&) const = default;
};

// What a client did in the range, all locks together. What reaches beyond the range counts with its part in
// it.
struct StretchShare
{
    ClientId client = ClientId::none(); // none: all clients
    Spread holds, waits;
    Spread handoffs;                      // to the client; without those during which the run was paused
    double partOf(Duration running) const // of the time that it held
    {
        return running > Duration::zero()
                   ? static_cast<double>(holds.total.count()) / static_cast<double>(running.count())
                   : 0;
    }
    bool operator==(const StretchShare&) const = default;
};

struct StretchStatistics
{
    StretchShare all;
    std::vector<StretchShare> clients; // the one that held longest first
    bool operator==(const StretchStatistics&) const = default;
};

// Both ends included. `now`: the end of holds that still last.
StretchStatistics stretchStatistics(const replay::Timeline& timeline, const replay::LockHolders& holders,
                                    TraceTime from, TraceTime to, TraceTime now);

// The ends may come in any order.
MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store,
                               std::size_t drained, TraceTime one, TraceTime other);

} // namespace lockscope::ui
