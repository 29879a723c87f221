#include "ui/timeline/turn_order.h"

#include <algorithm>
#include <tuple>

namespace lockscope::ui {

namespace {

constexpr std::size_t kHoldsForEach = 4, kHoldsAtLeast = 1024; // looked at

struct Turn
{
    enum class When { holds, waits, unknown };
    When when = When::unknown;
    TraceTime at{};
    ClientId lane;
    bool operator<(const Turn& other) const
    {
        return std::tie(when, at, lane) < std::tie(other.when, other.at, other.lane);
    }
};

} // namespace

std::vector<ClientId> byTurn(const LockHolders& holders, const replay::Timeline& timeline, TraceTime from)
{
    std::vector<Turn> turns(timeline.laneCount());
    for (std::size_t lane = 0; lane < turns.size(); ++lane)
        turns[lane].lane = ClientId{static_cast<std::uint32_t>(lane)};
    std::size_t left = turns.size() * kHoldsForEach + kHoldsAtLeast;
    for (const LockHolders::Lock& lock : holders.locks())
        for (const LockHolders::Track& track : lock.tracks) {
            auto hold = std::partition_point(track.begin(), track.end(),
                                             [&](const LockHolders::Hold& each) { return each.end <= from; });
            if (hold != track.begin())
                --hold; // who handed the lock on to the first of them
            for (; hold != track.end() && left > 0; ++hold, --left) {
                if (hold->client.value >= turns.size())
                    continue;
                Turn& turn = turns[hold->client.value];
                if (turn.when != Turn::When::holds || hold->begin < turn.at)
                    turn = {Turn::When::holds, hold->begin, hold->client};
            }
        }
    for (Turn& turn : turns) {
        if (turn.when == Turn::When::holds)
            continue;
        const replay::Span now = timeline.spanAt(turn.lane, timeline.end());
        if (now.kind == replay::SpanKind::waiting)
            turn = {Turn::When::waits, now.begin, turn.lane};
    }
    std::sort(turns.begin(), turns.end());
    std::vector<ClientId> order;
    order.reserve(turns.size());
    for (const Turn& turn : turns)
        order.push_back(turn.lane);
    return order;
}

} // namespace lockscope::ui
