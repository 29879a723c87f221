#include "ui/compare/chain_moment.h"

#include "ui/models/style/format.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kMaxNameLength = 24;
} // namespace

ChainMoment chainMoment(std::shared_ptr<const trace::TraceStore> store, const replay::RunState& state,
                        LockId id, const std::set<ClientId>& woken, ClientId next)
{
    ChainMoment moment;
    moment.store = std::move(store);
    moment.state = state;
    moment.lock = id;
    const replay::LockRow* lock = moment.state.lock(id);
    if (!lock)
        return moment;
    moment.star = isHerd(lock->kind());
    std::size_t first = lock->queue.size(); // the position of the first holder
    for (const replay::ClientRow& client : moment.state.clients)
        client.forEach([&](const replay::LockUse& use) {
            if (use.lock != id)
                return;
            if (use.holds()) {
                const auto node =
                    std::find_if(lock->queue.begin(), lock->queue.end(),
                                 [&](const replay::NodeRow& row) { return row.name == use.node; });
                const auto place = static_cast<std::size_t>(node - lock->queue.begin());
                if (moment.holderName.isEmpty() || place < first) {
                    moment.holderName = format::plain(client.name, kMaxNameLength);
                    first = place;
                }
                return;
            }
            if (!use.waits()) // it no longer needs its node, which still exists
                return;
            ++moment.waiting;
            moment.watching += use.asleep() ? 1 : 0;
            if (woken.contains(client.id))
                moment.woken.insert(client.id);
            if (next.valid() && client.id == next) {
                moment.next = next;
                moment.nextName = format::plain(client.name, kMaxNameLength);
            }
        });
    return moment;
}

} // namespace lockscope::ui
