#include "core/replay/state/watch_table.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <tuple>

namespace lockscope::replay {

namespace {

auto orderOf(const BelievedWatch& watch) { return std::tie(watch.key, watch.client); }

auto placeOf(std::vector<BelievedWatch>& all, const BelievedWatch& watch)
{
    return std::ranges::lower_bound(all, orderOf(watch), {}, orderOf);
}

auto placeOf(std::vector<ServerWatch>& all, const WatchKey& key)
{
    return std::ranges::lower_bound(all, key, {}, &ServerWatch::key);
}

// Compares a watch on which a client relies.
WatchVerdict compareWatch(BelievedWatch& watch, bool served, const WatchReading& reading)
{
    if (served)
        watch.missedBy = EventIndex::none();
    else if (reading.whole() && !watch.missedBy.valid() && watch.asked < reading.at - reading.took)
        watch.missedBy = reading.event;
    watch.missing = reading.whole() && watch.missedBy.valid() && watch.missedBy != reading.event;
    if (served)
        return WatchVerdict::agrees;
    return !reading.whole() ? WatchVerdict::unknown
           : watch.missing  ? WatchVerdict::missing
                            : WatchVerdict::underWay;
}

// Compares a watch that only the server has.
WatchVerdict compareWatch(ServerWatch& watch, EventIndex reading, bool ours, bool ownNode)
{
    if (!ours || ownNode) {
        watch.unclaimedBy = EventIndex::none();
        watch.stray = false;
        return ours ? WatchVerdict::ownNode : WatchVerdict::foreign;
    }
    if (!watch.unclaimedBy.valid())
        watch.unclaimedBy = reading;
    watch.stray = watch.unclaimedBy != reading;
    return watch.stray ? WatchVerdict::stray : WatchVerdict::underWay;
}

} // namespace

WatchKey watchKey(Text node, SessionId session) { return {node_queue::sequenceOf(node), node, session}; }

void WatchTable::addBelieved(const BelievedWatch& watch)
{
    const auto place = placeOf(believed, watch);
    if (place != believed.end() && orderOf(*place) == orderOf(watch))
        *place = watch;
    else
        believed.insert(place, watch);
    if (const auto known = placeOf(served, watch.key); known != served.end() && known->key == watch.key) {
        known->unclaimedBy = EventIndex::none();
        known->stray = false;
    }
}

void WatchTable::removeBelieved(const WatchKey& key, ClientId client, EventIndex request)
{
    const auto place = placeOf(believed, BelievedWatch{key, client});
    if (place == believed.end() || place->key != key || place->client != client)
        return;
    if (!request.valid() || place->request == request)
        believed.erase(place);
}

void WatchTable::removeAllBelieved(ClientId client)
{
    std::erase_if(believed, [client](const BelievedWatch& watch) { return watch.client == client; });
}

void WatchTable::addServed(const WatchKey& key)
{
    const auto place = placeOf(served, key);
    if (place == served.end() || place->key != key)
        served.insert(place, ServerWatch{key});
}

void WatchTable::removeServed(const WatchKey& key)
{
    const auto place = placeOf(served, key);
    if (place != served.end() && place->key == key)
        served.erase(place);
}

void compareWatches(WatchTable& table, const WatchReading& reading, const LockRow& lock,
                    const std::function<bool(SessionId)>& isOurs)
{
    const auto nodeOf = [&](const WatchKey& key) {
        const std::size_t place = node_queue::find(lock, key.node);
        return place == node_queue::kNotFound ? nullptr : &lock.queue[place];
    };
    table.compared.clear();
    table.compared.reserve(std::max(table.believed.size(), table.served.size()));
    auto believed = table.believed.begin();
    auto served = table.served.begin();
    while (believed != table.believed.end() || served != table.served.end()) {
        const bool only =
            believed == table.believed.end() || (served != table.served.end() && served->key < believed->key);
        if (only) {
            const NodeRow* node = nodeOf(served->key);
            const bool own = node && node->session == served->key.session;
            const WatchVerdict verdict =
                compareWatch(*served, reading.event, isOurs(served->key.session), own);
            table.compared.push_back({served->key, ClientId::none(), true, own, verdict});
            ++served;
            continue;
        }
        // Clients that share a session share its watch.
        const WatchKey key = believed->key;
        const bool has = served != table.served.end() && served->key == key;
        const NodeRow* node = nodeOf(key);
        for (; believed != table.believed.end() && believed->key == key; ++believed) {
            const bool own = node && node->owner == believed->client && node->phase != NodePhase::orphan;
            table.compared.push_back(
                {key, believed->client, has, own, compareWatch(*believed, has, reading)});
        }
        if (has) {
            served->unclaimedBy = EventIndex::none();
            served->stray = false;
            ++served;
        }
    }
}

} // namespace lockscope::replay
