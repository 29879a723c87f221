// The engine's command for each what-if, and the numbers it asks for.
#include "ui/models/format.h"
#include "ui/shell/command_map.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>

namespace lockscope::ui {

namespace {

using sim::Deed;
using Kind = sim::Deed::Kind;
using std::chrono::milliseconds;

struct Words // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CommandMap)
};

constexpr int kLongest = 600'000; // ms
constexpr int kBytes = 1000;      // of a kB

Parameter forTime(int usual)
{
    return {Words::tr("For"), Words::tr(" ms"), usual, 100, kLongest, 500};
}

// The number of the first server of which this is true; the first one when there is none.
template <class Is>
int memberNumber(const replay::RunState& state, Is is)
{
    const auto& members = state.server.members;
    const auto found = std::find_if(members.begin(), members.end(), is);
    return found == members.end() ? 1 : static_cast<int>(found - members.begin()) + 1;
}

Parameter whichServer(const Circumstances& now)
{
    Parameter which{Words::tr("Server"), {}, 1, 1, 3};
    if (now.state && !now.state->server.members.empty()) {
        which.most = static_cast<int>(now.state->server.members.size());
        which.value = memberNumber(*now.state, [](const replay::MemberRow& member) {
            return member.phase == trace::ServerPhase::ready && member.mode != "leader";
        });
    }
    return which;
}

int leasesOf(const Circumstances& now)
{
    if (now.state) {
        for (const replay::LockRow& lock : now.state->locks) {
            if (lock.recipe.starts_with("semaphore")) {
                return static_cast<int>(lock.permits);
            }
        }
    }
    return 1;
}

Kind kindOf(WhatIf what)
{
    switch (what) {
    case WhatIf::closeSelected:
        return Kind::close;
    case WhatIf::rejoin:
        return Kind::rejoin;
    case WhatIf::slowLink:
        return Kind::slowLink;
    case WhatIf::cutLink:
        return Kind::cutLink;
    case WhatIf::muteFromServer:
    case WhatIf::muteToServer:
        return Kind::muteLink;
    case WhatIf::limitLink:
        return Kind::limitLink;
    case WhatIf::resetLink:
        return Kind::resetLink;
    case WhatIf::halfOpenLink:
        return Kind::halfOpenLink;
    case WhatIf::loseReply:
    case WhatIf::loseCreateReply:
        return Kind::loseReply;
    case WhatIf::mendLink:
        return Kind::mendLink;
    case WhatIf::stopServer:
    case WhatIf::stopLeader:
    case WhatIf::stopMember:
        return Kind::stopServer;
    case WhatIf::killServer:
    case WhatIf::killLeader:
    case WhatIf::killMember:
        return Kind::killServer;
    case WhatIf::restartServer:
    case WhatIf::restartEmpty:
        return Kind::restartServer;
    case WhatIf::revoke:
        return Kind::revoke;
    case WhatIf::reap:
        return Kind::reap;
    case WhatIf::setLeases:
        return Kind::setLeases;
    default:
        return Kind::kill;
    }
}

Deed deedFor(WhatIf what, const std::vector<int>& values)
{
    const auto value = [&](std::size_t i) { return i < values.size() ? values[i] : 0; };
    Deed deed;
    deed.kind = kindOf(what);
    switch (what) {
    case WhatIf::slowLink:
        deed.delay = milliseconds(value(0));
        deed.jitter = milliseconds(value(1));
        break;
    case WhatIf::cutLink:
        if (value(0) > 0) {
            deed.span = milliseconds(value(0));
        }
        break;
    case WhatIf::limitLink:
        deed.amount = static_cast<std::uint64_t>(value(0)) * kBytes;
        break;
    case WhatIf::muteToServer:
        deed.direction = Deed::Direction::toServer;
        break;
    case WhatIf::loseCreateReply:
        deed.op = trace::Op::create;
        break;
    case WhatIf::stopServer:
    case WhatIf::stopLeader:
        deed.span = milliseconds(value(0));
        break;
    case WhatIf::stopMember:
        deed.span = milliseconds(value(1));
        break;
    case WhatIf::restartEmpty:
        deed.withData = false;
        break;
    case WhatIf::setLeases:
        deed.amount = static_cast<std::uint64_t>(value(0));
        break;
    default:
        break;
    }
    if (what == WhatIf::killLeader || what == WhatIf::stopLeader) {
        deed.member = Deed::Member::leader;
    } else if (what == WhatIf::killMember || what == WhatIf::stopMember) {
        deed.member = Deed::Member::numbered;
        deed.number = static_cast<std::uint32_t>(value(0));
    }
    return deed;
}

// Who left last comes back, or the selected one if it left: the name is what the roster knows it by.
std::string absentName(const Circumstances& now)
{
    const replay::ClientRow* found = nullptr;
    for (const replay::ClientRow& client : now.state->clients) {
        if (client.phase != replay::ClientPhase::removed) {
            continue;
        }
        if (client.id == now.selected) {
            return std::string(client.name);
        }
        found = !found || client.phaseSince >= found->phaseSince ? &client : found;
    }
    return found ? std::string(found->name) : std::string();
}

} // namespace

std::vector<Parameter> parameters(WhatIf what, const Circumstances& now)
{
    switch (what) {
    case WhatIf::slowLink:
        return {{Words::tr("Delay each way"), Words::tr(" ms"), 200, 1, 60'000, 50},
                {Words::tr("Give or take"), Words::tr(" ms"), 0, 0, 60'000, 50}};
    case WhatIf::cutLink:
        return {{Words::tr("For"), Words::tr(" ms"), 3000, 0, kLongest, 500,
                 Words::tr("until it is mended")}};
    case WhatIf::limitLink:
        return {{Words::tr("At most"), Words::tr(" kB/s"), 1, 1, 100'000}};
    case WhatIf::stopServer:
    case WhatIf::stopLeader:
        return {forTime(2000)};
    case WhatIf::killMember:
        return {whichServer(now)};
    case WhatIf::stopMember:
        return {whichServer(now), forTime(2000)};
    case WhatIf::setLeases:
        return {{Words::tr("Leases"), {}, leasesOf(now), 1, 10'000}};
    default:
        return {};
    }
}

// Long enough to be seen: whoever is killed believes for so long that nothing has happened, and meanwhile the next one
// is woken, lists, decides and holds. Not so long that its session would time out.
namespace {

Duration unseenFor(const Circumstances& now)
{
    constexpr Duration kLeast = std::chrono::milliseconds(500), kMost = std::chrono::seconds(6);
    constexpr int kSteps = 6;
    return std::clamp<Duration>(kSteps * now.state->pace, kLeast, kMost);
}

} // namespace

std::optional<engine::EngineCommand> command(WhatIf what, const Circumstances& now, std::vector<int> values)
{
    if (!offer(what, now).possible()) {
        return std::nullopt;
    }
    const auto asked = parameters(what, now);
    for (std::size_t i = values.size(); i < asked.size(); ++i) {
        values.push_back(asked[i].value);
    }
    switch (what) {
    case WhatIf::killHolder:
        return engine::KillHolder{unseenFor(now)};
    case WhatIf::killSelected:
        return engine::KillSession{now.selected, unseenFor(now)};
    case WhatIf::freezeSelected:
        return now.state->client(now.selected)->frozen ? engine::EngineCommand(engine::Thaw{now.selected})
                                                       : engine::EngineCommand(engine::Freeze{now.selected});
    case WhatIf::addClient:
        return engine::AddClient{};
    case WhatIf::removeClient:
        return engine::RemoveClient{};
    case WhatIf::removeSelected:
        return engine::RemoveClient{now.selected};
    case WhatIf::deleteNode:
        return engine::DeleteNode{now.selected};
    case WhatIf::writeNode:
        return engine::WriteNode{now.selected};
    default:
        break;
    }
    engine::Do all{deedFor(what, values)};
    if (what == WhatIf::rejoin) {
        all.deed.client = absentName(now);
    } else if (groupOf(what) == WhatIfGroup::server || what == WhatIf::reap || what == WhatIf::setLeases) {
        all.client = ClientId::none();
    } else {
        all.client = now.selected;
    }
    return all;
}

} // namespace lockscope::ui
