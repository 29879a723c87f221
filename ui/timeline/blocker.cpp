#include "ui/timeline/blocker.h"

#include <set>

namespace lockscope::ui {

namespace {

// Of the lock that the client asks for, while its own node is not there yet.
ClientId holderFor(const replay::RunState& state, ClientId client)
{
    ClientId holder = ClientId::none();
    const replay::ClientRow* row = state.client(client);
    if (!row)
        return holder;
    row->forEach([&](const replay::LockUse& wanted) {
        if (!wanted.waits() || holder.valid())
            return;
        for (const replay::ClientRow& other : state.clients)
            other.forEach([&](const replay::LockUse& held) {
                if (other.id != client && held.lock == wanted.lock && held.holds())
                    holder = other.id;
            });
    });
    return holder;
}

} // namespace

ClientId blockerOf(const replay::RunState& state, ClientId client)
{
    using replay::NodePhase;
    for (const replay::LockRow& lock : state.locks)
        for (auto node = lock.queue.begin(); node != lock.queue.end(); ++node) {
            if (node->owner != client || !client.valid() ||
                (node->phase != NodePhase::waits && node->phase != NodePhase::joining))
                continue;
            if (const ClientId watched = state.ownerOf(lock.id, node->watches);
                watched.valid() && watched != client)
                return watched;
            for (auto ahead = node; ahead != lock.queue.begin();)
                if (--ahead; ahead->owner.valid() && ahead->owner != client)
                    return ahead->owner;
        }
    return holderFor(state, client);
}

ClientId rootBlockerOf(const replay::RunState& state, ClientId client)
{
    std::set<ClientId> met{client};
    ClientId root = ClientId::none();
    for (ClientId next = blockerOf(state, client); next.valid() && met.insert(next).second;
         next = blockerOf(state, next))
        root = next;
    return root;
}

} // namespace lockscope::ui
