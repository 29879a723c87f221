#include "ui/compare/chain_moment.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <unordered_map>

namespace lockscope::ui {

namespace {

constexpr int kLongestName = 24;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ChainMoment)
};

ChainPerson personOf(const replay::ClientRow& client, const replay::Engagement& engagement,
                     const std::set<ClientId>& woken)
{
    ChainPerson person;
    person.client = client.id;
    person.name = format::plain(client.name, kLongestName);
    person.colour = client.colour;
    person.holds = engagement.holds();
    person.watches = engagement.asleep();
    person.woken = !person.holds && woken.contains(client.id);
    return person;
}

void link(std::vector<ChainPerson>& people, const std::vector<const replay::Engagement*>& engagements)
{
    std::unordered_map<std::string_view, int> byNode;
    for (std::size_t i = 0; i < people.size(); ++i) {
        if (!engagements[i]->node.empty()) {
            byNode.emplace(engagements[i]->node, static_cast<int>(i));
        }
    }
    for (std::size_t i = 0; i < people.size(); ++i) {
        const auto ahead = byNode.find(engagements[i]->watches);
        if (people[i].watches && ahead != byNode.end() && ahead->second != static_cast<int>(i)) {
            people[i].ahead = ahead->second;
        }
    }
}

// The herd recipes have one thing that everybody watches: their only node, or the list of all nodes.
bool isStar(const replay::LockRow& lock) { return lock.recipe.starts_with("herd"); }

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
        const replay::Engagement* engagement;
    };
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < lock->queue.size(); ++i) {
        places.emplace(lock->queue[i].name, i);
    }
    std::vector<Entry> entries;
    for (const replay::ClientRow& client : state.clients) {
        client.forEach([&](const replay::Engagement& engagement) {
            if (engagement.lock == id) {
                const auto place = places.find(engagement.node);
                entries.push_back(
                    {place == places.end() ? places.size() : place->second, &client, &engagement});
            }
        });
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.place < b.place; });
    std::vector<const replay::Engagement*> engagements;
    for (const Entry& entry : entries) {
        moment.people.push_back(personOf(*entry.client, *entry.engagement, woken));
        engagements.push_back(entry.engagement);
        ChainPerson& person = moment.people.back();
        person.next = !person.holds && next.valid() && person.client == next;
        if (person.next) {
            moment.next = person.name;
        }
        moment.waiting += person.holds ? 0 : 1;
        moment.woken += person.woken ? 1 : 0;
        if (person.holds && moment.holder.isEmpty()) {
            moment.holder = person.name;
        }
    }
    moment.star = isStar(*lock);
    if (moment.star) {
        moment.thing = lock->recipe == "herd" ? Words::tr("lock") : Words::tr("children");
    } else {
        link(moment.people, engagements);
    }
    return moment;
}

} // namespace lockscope::ui
