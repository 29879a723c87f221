#include "ui/compare/chain_moment.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <unordered_map>

namespace lockscope::ui {

namespace {

constexpr int kMaxNameLength = 24;

struct ChainMomentText // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ChainMoment)
};

ChainParticipant participantOf(const replay::ClientRow& client, const replay::LockUse& lockUse,
                               const std::set<ClientId>& woken)
{
    ChainParticipant participant;
    participant.client = client.id;
    participant.name = format::plain(client.name, kMaxNameLength);
    participant.colour = client.colour;
    participant.holds = lockUse.holds();
    participant.watches = lockUse.asleep();
    participant.woken = !participant.holds && woken.contains(client.id);
    return participant;
}

void linkPredecessors(std::vector<ChainParticipant>& participants,
                      const std::vector<const replay::LockUse*>& lockUses)
{
    std::unordered_map<std::string_view, int> byNode;
    for (std::size_t i = 0; i < participants.size(); ++i) {
        if (!lockUses[i]->node.empty()) {
            byNode.emplace(lockUses[i]->node, static_cast<int>(i));
        }
    }
    for (std::size_t i = 0; i < participants.size(); ++i) {
        const auto predecessor = byNode.find(lockUses[i]->watches);
        if (participants[i].watches && predecessor != byNode.end() &&
            predecessor->second != static_cast<int>(i)) {
            participants[i].predecessor = predecessor->second;
        }
    }
}

// The herd recipes have one thing that all clients watch: their only node, or the list of all nodes.
bool isStar(const replay::LockRow& lock) { return trace::isHerd(lock.kind()); }

} // namespace

ChainMoment chainMoment(const replay::RunState& state, LockId id, const std::set<ClientId>& woken,
                        ClientId next)
{
    ChainMoment moment;
    const replay::LockRow* lock = state.lock(id);
    if (!lock) {
        return moment;
    }
    struct Entry
    {
        std::size_t place; // in the queue; those without a node come last
        const replay::ClientRow* client;
        const replay::LockUse* lockUse;
    };
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < lock->queue.size(); ++i) {
        places.emplace(lock->queue[i].name, i);
    }
    std::vector<Entry> entries;
    for (const replay::ClientRow& client : state.clients) {
        client.forEach([&](const replay::LockUse& lockUse) {
            if (lockUse.lock == id) {
                const auto place = places.find(lockUse.node);
                entries.push_back({place == places.end() ? places.size() : place->second, &client, &lockUse});
            }
        });
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.place < b.place; });
    std::vector<const replay::LockUse*> lockUses;
    for (const Entry& entry : entries) {
        moment.participants.push_back(participantOf(*entry.client, *entry.lockUse, woken));
        lockUses.push_back(entry.lockUse);
        ChainParticipant& participant = moment.participants.back();
        participant.next = !participant.holds && next.valid() && participant.client == next;
        if (participant.next) {
            moment.next = participant.name;
        }
        moment.waiting += participant.holds ? 0 : 1;
        moment.woken += participant.woken ? 1 : 0;
        if (participant.holds && moment.holder.isEmpty()) {
            moment.holder = participant.name;
        }
    }
    moment.star = isStar(*lock);
    if (moment.star) {
        moment.watchedName =
            lock->kind() == trace::RecipeKind::herd ? ChainMomentText::tr("lock") : ChainMomentText::tr("children");
    } else {
        linkPredecessors(moment.participants, lockUses);
    }
    return moment;
}

} // namespace lockscope::ui
