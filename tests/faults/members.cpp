#include "tests/faults/members.h"

#include "tests/faults/sleep.h"

#include "core/zk/pending.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <optional>

namespace lockscope::tests {

namespace {

constexpr Duration kAnswerLimit = std::chrono::seconds(30);
constexpr Duration kPause = std::chrono::milliseconds(100);

using Nodes = std::set<std::string>;

zk::Awaitable<std::optional<Nodes>> nodesOf(zk::SessionPtr session, const std::vector<std::string>& paths)
{
    Nodes nodes;
    const zk::Pending<zk::Code> synced;
    session->sync("/", synced.handler());
    if (co_await synced.get() != zk::Code::ok)
        co_return std::nullopt;
    for (const std::string& path : paths) {
        const zk::Pending<zk::Code> listed;
        session->getChildren(path, [&nodes, &path, done = listed.handler()](
                                       zk::Code code, zk::ChildNames names, const zk::Stat&) {
            for (const auto& name : names)
                nodes.insert(path + "/" + std::string(name));
            done(code);
        });
        if (const zk::Code code = co_await listed.get(); code != zk::Code::ok && code != zk::Code::noNode)
            co_return std::nullopt;
    }
    co_return nodes;
}

std::string numbers(const std::set<std::size_t>& members)
{
    std::vector<std::size_t> fromOne;
    for (const std::size_t member : members)
        fromOne.push_back(member + 1);
    return fmt::format("{}", fmt::join(fromOne, " and "));
}

} // namespace

std::vector<Divergence> divergences(const MemberNodes& first, const MemberNodes& second)
{
    std::map<std::string, std::set<std::size_t>> shows, lacks;
    for (std::size_t member = 0; member < first.size(); ++member)
        for (const std::string& node : first[member]) {
            if (!second[member].contains(node))
                continue; // deleted meanwhile
            shows[node].insert(member);
            for (std::size_t other = 0; other < first.size(); ++other)
                // Between the two looks at this member:
                if (!(other > member ? first : second)[other].contains(node))
                    lacks[node].insert(other);
        }
    std::vector<Divergence> found;
    for (const auto& [node, without] : lacks) {
        const std::set<std::size_t>& with = shows[node];
        const bool isLeftOver = with.size() < without.size();
        for (const std::size_t member : isLeftOver ? with : without)
            found.push_back({member, isLeftOver ? fmt::format("member {} shows {}, which {} do not show",
                                                              member + 1, node, numbers(without))
                                                : fmt::format("member {} does not show {}, which {} show",
                                                              member + 1, node, numbers(with))});
    }
    return found;
}

zk::Awaitable<std::vector<Divergence>> compareMembers(zk::Hub& hub, std::vector<std::string> addresses,
                                                      std::vector<std::string> paths)
{
    std::vector<zk::SessionPtr> sessions;
    for (const std::string& address : addresses)
        sessions.push_back(hub.connect({address, kAnswerLimit, kAnswerLimit}));
    std::array<MemberNodes, 2> rounds;
    bool complete = true;
    for (MemberNodes& round : rounds)
        for (const zk::SessionPtr& session : sessions) {
            std::optional<Nodes> nodes;
            const MonotonicTime deadline = hub.now() + kAnswerLimit;
            while (complete && !nodes && hub.now() < deadline) {
                nodes = co_await nodesOf(session, paths);
                if (!nodes)
                    co_await sleepFor(&hub, kPause);
            }
            complete = nodes.has_value();
            round.push_back(nodes ? std::move(*nodes) : Nodes{});
        }
    for (const zk::SessionPtr& session : sessions)
        session->close();
    if (!complete)
        co_return std::vector<Divergence>{};
    co_return divergences(rounds[0], rounds[1]);
}

} // namespace lockscope::tests
