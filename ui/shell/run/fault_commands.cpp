// The engine's command for each what-if, and the numbers it asks for.
#include "ui/models/format.h"
#include "ui/shell/run/faults.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>

namespace lockscope::ui {

namespace {

using sim::Action;
using Kind = sim::Action::Kind;
using std::chrono::milliseconds;

struct Words // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CommandMap)
};

constexpr int kMaxMilliseconds = 600'000; // ms
constexpr int kBytes = 1000;      // of a kB

Parameter durationParameter(int usual)
{
    return {Words::tr("For"), Words::tr(" ms"), usual, 100, kMaxMilliseconds, 500};
}

// The number of the first server of which this is true; the first one when there is none.
template <class Is>
int memberNumber(const replay::RunState& state, Is is)
{
    const auto& members = state.server.members;
    const auto found = std::find_if(members.begin(), members.end(), is);
    return found == members.end() ? 1 : static_cast<int>(found - members.begin()) + 1;
}

Parameter serverParameter(const CommandContext& now)
{
    Parameter which{Words::tr("Server"), {}, 1, 1, 3};
    if (now.state && !now.state->server.members.empty()) {
        which.max = static_cast<int>(now.state->server.members.size());
        which.value = memberNumber(*now.state, [](const replay::MemberRow& member) {
            return member.phase == trace::ServerPhase::ready && member.mode != "leader";
        });
    }
    return which;
}

int leaseCount(const CommandContext& now)
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

Kind kindOf(Fault what)
{
    switch (what) {
    case Fault::closeSelected:
        return Kind::close;
    case Fault::rejoin:
        return Kind::rejoin;
    case Fault::slowLink:
        return Kind::slowLink;
    case Fault::cutLink:
        return Kind::cutLink;
    case Fault::muteFromServer:
    case Fault::muteToServer:
        return Kind::muteLink;
    case Fault::limitLink:
        return Kind::limitLink;
    case Fault::resetLink:
        return Kind::resetLink;
    case Fault::halfOpenLink:
        return Kind::halfOpenLink;
    case Fault::loseReply:
    case Fault::loseCreateReply:
        return Kind::loseReply;
    case Fault::healLink:
        return Kind::healLink;
    case Fault::stopServer:
    case Fault::stopLeader:
    case Fault::stopMember:
        return Kind::stopServer;
    case Fault::killServer:
    case Fault::killLeader:
    case Fault::killMember:
        return Kind::killServer;
    case Fault::restartServer:
    case Fault::restartEmpty:
        return Kind::restartServer;
    case Fault::revoke:
        return Kind::revoke;
    case Fault::reap:
        return Kind::reap;
    case Fault::setLeases:
        return Kind::setLeases;
    default:
        return Kind::kill;
    }
}

Action actionFor(Fault what, const std::vector<int>& values)
{
    const auto value = [&](std::size_t i) { return i < values.size() ? values[i] : 0; };
    Action action;
    action.kind = kindOf(what);
    switch (what) {
    case Fault::slowLink:
        action.delay = milliseconds(value(0));
        action.jitter = milliseconds(value(1));
        break;
    case Fault::cutLink:
        if (value(0) > 0) {
            action.span = milliseconds(value(0));
        }
        break;
    case Fault::limitLink:
        action.amount = static_cast<std::uint64_t>(value(0)) * kBytes;
        break;
    case Fault::muteToServer:
        action.direction = Action::Direction::toServer;
        break;
    case Fault::loseCreateReply:
        action.op = trace::Op::create;
        break;
    case Fault::stopServer:
    case Fault::stopLeader:
        action.span = milliseconds(value(0));
        break;
    case Fault::stopMember:
        action.span = milliseconds(value(1));
        break;
    case Fault::restartEmpty:
        action.withData = false;
        break;
    case Fault::setLeases:
        action.amount = static_cast<std::uint64_t>(value(0));
        break;
    default:
        break;
    }
    if (what == Fault::killLeader || what == Fault::stopLeader) {
        action.member = Action::Member::leader;
    } else if (what == Fault::killMember || what == Fault::stopMember) {
        action.member = Action::Member::numbered;
        action.number = static_cast<std::uint32_t>(value(0));
    }
    return action;
}

// Who left last comes back, or the selected one if it left: the name is what the roster knows it by.
std::string departedClientName(const CommandContext& now)
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

std::vector<Parameter> parameters(Fault what, const CommandContext& now)
{
    switch (what) {
    case Fault::slowLink:
        return {{Words::tr("Delay each way"), Words::tr(" ms"), 200, 1, 60'000, 50},
                {Words::tr("Give or take"), Words::tr(" ms"), 0, 0, 60'000, 50}};
    case Fault::cutLink:
        return {{Words::tr("For"), Words::tr(" ms"), 3000, 0, kMaxMilliseconds, 500,
                 Words::tr("until it is mended")}};
    case Fault::limitLink:
        return {{Words::tr("At most"), Words::tr(" kB/s"), 1, 1, 100'000}};
    case Fault::stopServer:
    case Fault::stopLeader:
        return {durationParameter(2000)};
    case Fault::killMember:
        return {serverParameter(now)};
    case Fault::stopMember:
        return {serverParameter(now), durationParameter(2000)};
    case Fault::setLeases:
        return {{Words::tr("Leases"), {}, leaseCount(now), 1, 10'000}};
    default:
        return {};
    }
}

// Long enough to be seen: whoever is killed believes for so long that nothing has happened, and meanwhile the next one
// is woken, lists, decides and holds. Not so long that its session would time out.
namespace {

Duration detectionDelay(const CommandContext& now)
{
    constexpr Duration kLeast = std::chrono::milliseconds(500), kMost = std::chrono::seconds(6);
    constexpr int kSteps = 6;
    return std::clamp<Duration>(kSteps * now.state->pace, kLeast, kMost);
}

} // namespace

std::optional<engine::EngineCommand> command(Fault what, const CommandContext& now, std::vector<int> values)
{
    if (!commandState(what, now).isEnabled()) {
        return std::nullopt;
    }
    const auto asked = parameters(what, now);
    for (std::size_t i = values.size(); i < asked.size(); ++i) {
        values.push_back(asked[i].value);
    }
    switch (what) {
    case Fault::killHolder:
        return engine::Execute{Action::of(Kind::kill, Action::Target::holder, detectionDelay(now))};
    case Fault::killSelected:
        return engine::Execute{Action::of(Kind::kill, Action::Target::unspecified, detectionDelay(now)), now.selected};
    case Fault::freezeSelected:
        return engine::Execute{now.state->client(now.selected)->frozen ? Kind::thaw : Kind::freeze, now.selected};
    case Fault::addClient:
        return engine::Execute{Kind::addClient};
    case Fault::removeClient:
        return engine::Execute{Kind::remove};
    case Fault::removeSelected:
        return engine::Execute{Kind::remove, now.selected};
    case Fault::deleteNode:
        return engine::Execute{Kind::deleteNode, now.selected};
    case Fault::writeNode:
        return engine::Execute{Kind::writeNode, now.selected};
    default:
        break;
    }
    engine::Execute all{actionFor(what, values)};
    if (what == Fault::rejoin) {
        all.action.client = departedClientName(now);
    } else if (groupOf(what) == FaultGroup::server || what == Fault::reap || what == Fault::setLeases) {
        all.client = ClientId::none();
    } else {
        all.client = now.selected;
    }
    return all;
}

} // namespace lockscope::ui
