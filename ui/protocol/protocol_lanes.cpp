#include "ui/protocol/protocol_lanes.h"

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

ProtocolLanes chooseProtocolLanes(const ProtocolLaneRequest& request)
{
    ProtocolLanes lanes;
    if (request.all.size() <= request.room) {
        lanes.shown = request.all;
        return lanes;
    }
    Ranking ranking(request.all);
    ranking.add(request.first);
    const std::unordered_set<ClientId> active(request.active.begin(), request.active.end());
    for (const ClientId client : request.shown)
        if (active.contains(client))
            ranking.add(client);
    ranking.add(request.active);
    ranking.add(request.shown);
    ranking.add(request.all);

    // The lanes are in the clients' order, not in the order of importance, so that a lane does not jump when
    // the lock is handed on.
    std::vector<ClientId> order = ranking.order();
    const std::size_t room = std::min(request.room, order.size());
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(room));
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(room), order.end());
    lanes.skip = std::min(request.skip, order.size() - room);
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(lanes.skip);
    lanes.shown.assign(begin, begin + static_cast<std::ptrdiff_t>(room));
    lanes.hidden = order.size() - room;
    return lanes;
}

} // namespace lockscope::ui
