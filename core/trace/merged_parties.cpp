#include "core/trace/merged_parties.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::trace {

namespace {

constexpr std::size_t kFreeIds = 1'000; // may be used before there are as many events

} // namespace

void MergedParties::join(std::vector<ReadInput>& inputs, bool namesTraces)
{
    joinLocks(inputs);
    joinClients(inputs);
    nameClients(inputs, namesTraces);
}

void MergedParties::joinLocks(std::vector<ReadInput>& inputs)
{
    std::map<std::string, LockId> byPath;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (InputLock& each : inputs[i].locks) {
            if (each.path.empty() || locks.size() >= LockId::kNone)
                continue;
            const auto [at, isNew] =
                byPath.emplace(each.path, LockId{static_cast<LockId::Value>(locks.size())});
            each.merged = at->second;
            if (isNew)
                locks.push_back({each.path, each.recipe, each.handoff, i, 0, false, 0, EventIndex::none()});
            Lock& lock = locks[at->second.value];
            if (lock.isWatched() && recipeOf(each.recipe) != Recipe::watched) {
                lock.recipe = each.recipe;
                lock.handoff = each.handoff;
            }
            const bool log = inputs[i].source.isLog, was = inputs[lock.observer].source.isLog;
            if (isNew || std::pair(log, each.lists) > std::pair(was, lock.lists)) {
                lock.observer = i;
                lock.lists = each.lists;
            }
        }
        if (inputs[i].tables > inputs[tables].tables)
            tables = i;
    }
}

// One client has one of the sessions in both traces; several that share a session are told apart by their
// names.
void MergedParties::joinClients(std::vector<ReadInput>& inputs)
{
    std::vector<std::pair<std::size_t, std::size_t>> all; // input, client
    std::vector<std::size_t> parents;
    std::map<SessionId, std::vector<std::size_t>> bySession;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t c = 0; c < inputs[i].clients.size(); ++c) {
            for (const SessionId session : inputs[i].clients[c].sessions)
                bySession[session].push_back(all.size());
            parents.push_back(all.size());
            all.emplace_back(i, c);
        }
    const auto root = [&](std::size_t at) {
        while (parents[at] != at)
            at = parents[at];
        return at;
    };
    const auto client = [&](std::size_t at) -> InputClient& {
        return inputs[all[at].first].clients[all[at].second];
    };
    const auto unite = [&](std::size_t a, std::size_t b) {
        parents[std::max(root(a), root(b))] = std::min(root(a), root(b));
    };
    for (const auto& [session, having] : bySession) {
        std::map<std::size_t, std::size_t> clients; // of each input
        for (const std::size_t at : having)
            ++clients[all[at].first];
        std::optional<std::size_t> alone;
        std::map<std::string, std::size_t> named;
        for (const std::size_t at : having) {
            if (clients[all[at].first] == 1)
                unite(alone ? *alone : *(alone = at), at);
            const auto [same, isNew] = named.emplace(client(at).name, at);
            if (!isNew && all[same->second].first != all[at].first)
                unite(same->second, at);
        }
    }
    std::map<std::size_t, std::size_t> groupOf;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const auto [found, isNew] = groupOf.emplace(root(at), groups.size());
        if (isNew)
            groups.emplace_back();
        MergedSource& source = inputs[all[at].first].source;
        ++source.clients;
        source.joined += isNew ? 0 : 1;
        client(at).group = found->second;
        Group& group = groups[found->second];
        group.isOfRun = group.isOfRun || !source.isLog;
        if (!source.isLog)
            sessions.insert(client(at).sessions.begin(), client(at).sessions.end());
    }
}

// A client keeps its name if no other has it; otherwise all are named by their traces too.
void MergedParties::nameClients(const std::vector<ReadInput>& inputs, bool namesTraces)
{
    std::vector<std::size_t> of(groups.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (const InputClient& client : inputs[i].clients) {
            std::size_t& input = of[client.group];
            const bool better =
                input == inputs.size() || (inputs[input].source.isLog && !inputs[i].source.isLog);
            if (!better)
                continue;
            input = i;
            groups[client.group].name = client.name;
            groups[client.group].trace = inputs[i].source.name;
        }
    std::set<std::pair<std::string, std::size_t>> names;
    std::set<std::string> known;
    bool clash = namesTraces;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].isOfRun && names.emplace(groups[g].name, of[g]).second)
            clash = !known.insert(groups[g].name).second || clash;
    for (std::size_t g = 0; clash && g < groups.size(); ++g)
        groups[g].name = groups[g].trace + '/' + groups[g].name;
    const bool idsByAppearance = groups.size() > kFreeIds;
    for (std::size_t g = 0; !idsByAppearance && g < groups.size(); ++g)
        groups[g].id = ClientId{nextId++};
}

} // namespace lockscope::trace
