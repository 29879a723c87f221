#include "core/replay/protocol/protocol.h"

#include "core/replay/protocol/protocol_maker.h"

#include <algorithm>
#include <unordered_set>

namespace lockscope::replay {

using trace::Event;

bool isProtocolEvent(const Event& event)
{
    if (!event.client.valid())
        return false;
    if (const auto* state = std::get_if<trace::SessionState>(&event.what))
        return state->phase == trace::SessionPhase::suspended || state->phase == trace::SessionPhase::lost;
    return std::holds_alternative<trace::Request>(event.what) ||
           std::holds_alternative<trace::Reply>(event.what) ||
           std::holds_alternative<trace::WatchFired>(event.what) ||
           std::holds_alternative<trace::Decided>(event.what) ||
           std::holds_alternative<trace::Acquired>(event.what) ||
           std::holds_alternative<trace::AcquireFailed>(event.what) ||
           std::holds_alternative<trace::StartedOver>(event.what) ||
           std::holds_alternative<trace::HoldLost>(event.what) ||
           std::holds_alternative<trace::SessionGone>(event.what);
}

Protocol buildProtocol(const trace::TraceStore& store, const ProtocolQuery& query)
{
    return ProtocolMaker(store, query).make();
}

EventIndex findProtocolNeighbour(const trace::TraceStore& store, const ProtocolQuery& query, std::size_t from,
                                 int step, std::size_t most)
{
    const std::size_t limit = std::min(query.limit, store.count());
    std::size_t at = std::min(from, limit);
    for (std::size_t i = 0; i < most; ++i) {
        if (step < 0 ? at == 0 : at + 1 >= limit)
            return EventIndex::none();
        at = step < 0 ? at - 1 : at + 1;
        if (passes(store, at, query))
            return EventIndex{static_cast<std::uint32_t>(at)};
    }
    return EventIndex::none();
}

std::vector<ClientId> recentProtocolClients(const trace::TraceStore& store, std::size_t limit, LockId lock,
                                            std::size_t most)
{
    std::vector<ClientId> found;
    std::unordered_set<std::uint32_t> seen;
    std::size_t at = std::min(limit, store.count());
    for (std::size_t i = 0; i < most && at > 0; ++i) {
        const Event& event = store.at(--at);
        if (!isProtocolEvent(event) || (lock.valid() && event.lock.valid() && event.lock != lock))
            continue;
        if (seen.insert(event.client.value).second)
            found.push_back(event.client);
    }
    return found;
}

} // namespace lockscope::replay
