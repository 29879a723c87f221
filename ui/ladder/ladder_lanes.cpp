#include "ui/ladder/ladder_lanes.h"

#include <algorithm>
#include <unordered_set>

namespace lockscope::ui {

namespace {

// Clients in the order in which they were added, each once and only those that exist.
class Ranking
{
public:
    explicit Ranking(const std::vector<ClientId>& all)
        : m_known(all.begin(), all.end())
    {}
    void add(ClientId client)
    {
        if (m_known.erase(client) > 0)
            m_order.push_back(client);
    }
    void add(const std::vector<ClientId>& clients)
    {
        for (const ClientId client : clients)
            add(client);
    }
    const std::vector<ClientId>& order() const { return m_order; }

private:
    std::unordered_set<ClientId> m_known;
    std::vector<ClientId> m_order;
};

} // namespace

LadderLanes chooseLadderLanes(const LadderLaneWish& wish)
{
    LadderLanes lanes;
    if (wish.all.size() <= wish.room) {
        lanes.shown = wish.all;
        return lanes;
    }
    Ranking ranking(wish.all);
    ranking.add(wish.first);
    const std::unordered_set<ClientId> active(wish.active.begin(), wish.active.end());
    for (const ClientId client : wish.shown)
        if (active.contains(client))
            ranking.add(client);
    ranking.add(wish.active);
    ranking.add(wish.shown);
    ranking.add(wish.all);

    // Those in front are in the clients' order, not in that of their importance: a lane does not jump when
    // the lock moves on.
    std::vector<ClientId> order = ranking.order();
    const std::size_t room = std::min(wish.room, order.size());
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(room));
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(room), order.end());
    lanes.skip = std::min(wish.skip, order.size() - room);
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(lanes.skip);
    lanes.shown.assign(begin, begin + static_cast<std::ptrdiff_t>(room));
    lanes.hidden = order.size() - room;
    return lanes;
}

} // namespace lockscope::ui
