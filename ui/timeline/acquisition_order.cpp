#include "ui/timeline/acquisition_order.h"

#include <algorithm>
#include <compare>
#include <limits>

namespace lockscope::ui {

namespace {

constexpr std::size_t kHoldsForEach = 4, kHoldsAtLeast = 1024; // holds that are read
constexpr std::size_t kNoPlace = std::numeric_limits<std::size_t>::max();

struct Rank
{
    enum class When { holds, waits, unknown };
    When when = When::unknown;
    std::size_t place = kNoPlace; // in the queue
    TraceTime at{};
    ClientId lane;
    auto operator<=>(const Rank&) const = default;
};

// The best place of each client in any queue: the first to call acquire is not always first.
std::vector<std::size_t> placesIn(const replay::RunState& present, std::size_t lanes)
{
    std::vector<std::size_t> places(lanes, kNoPlace);
    for (const replay::LockRow& lock : present.locks)
        for (std::size_t place = 0; place < lock.queue.size(); ++place)
            if (const ClientId owner = lock.queue[place].owner; owner.valid() && owner.value < lanes)
                places[owner.value] = std::min(places[owner.value], place);
    return places;
}

} // namespace

std::vector<ClientId> byAcquisition(const replay::LockHolders& holders, const replay::Timeline& timeline,
                                    const replay::RunState& present, TraceTime from)
{
    std::vector<Rank> turns(timeline.laneCount());
    for (std::size_t lane = 0; lane < turns.size(); ++lane)
        turns[lane].lane = ClientId{static_cast<std::uint32_t>(lane)};
    std::size_t left = turns.size() * kHoldsForEach + kHoldsAtLeast;
    for (const replay::LockHolders::Lock& lock : holders.locks())
        for (const replay::LockHolders::Track& track : lock.tracks) {
            auto hold =
                std::partition_point(track.begin(), track.end(),
                                     [&](const replay::LockHolders::Hold& each) { return each.end <= from; });
            if (hold != track.begin())
                --hold; // the holder before the first of them
            for (; hold != track.end() && left > 0; ++hold, --left) {
                if (hold->client.value >= turns.size())
                    continue;
                Rank& turn = turns[hold->client.value];
                if (turn.when != Rank::When::holds || hold->begin < turn.at)
                    turn = {Rank::When::holds, kNoPlace, hold->begin, hold->client};
            }
        }
    const std::vector<std::size_t> places = placesIn(present, turns.size());
    for (Rank& turn : turns) {
        if (turn.when == Rank::When::holds)
            continue;
        const replay::Span now = timeline.spanAt(turn.lane, timeline.end());
        if (now.kind == replay::SpanKind::waiting)
            turn = {Rank::When::waits, places[turn.lane.value], now.begin, turn.lane};
    }
    std::ranges::sort(turns);
    std::vector<ClientId> order;
    order.reserve(turns.size());
    for (const Rank& turn : turns)
        order.push_back(turn.lane);
    return order;
}

} // namespace lockscope::ui
