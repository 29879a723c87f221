#include "ui/welcome/picture_plan.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

using Effect = PicturePlan::Effect;
using Shape = PicturePlan::Shape;

bool deadlocks(const sim::Scenario& scenario)
{
    return std::any_of(scenario.expect.begin(), scenario.expect.end(), [](const sim::Expectation& one) {
        return one.finding == "no_deadlock" && one.verdict == sim::ExpectedOutcome::violated;
    });
}

Shape shapeOf(const sim::Scenario& scenario)
{
    if (deadlocks(scenario)) {
        return Shape::ring;
    }
    switch (scenario.recipe) {
    case Recipe::herd:
    case Recipe::herdReadWrite:
        return Shape::star;
    case Recipe::readWrite:
    case Recipe::oldReadWrite:
        return Shape::readers;
    case Recipe::semaphore:
        return Shape::leases;
    case Recipe::multiLock:
        return Shape::lockSet;
    case Recipe::none:
        return Shape::unlocked;
    default:
        return Shape::chain;
    }
}

Effect effectOf(const sim::Action& action)
{
    using Kind = sim::Action::Kind;
    switch (action.kind) {
    case Kind::killSession:
    case Kind::closeSession:
    case Kind::stopServer:
    case Kind::killServer:
        return Effect::bolt;
    case Kind::freeze:
        return Effect::frozen;
    case Kind::loseReply:
        return Effect::lostReply;
    case Kind::deleteNode:
    case Kind::reap:
        return Effect::deleted;
    default:
        return sim::concernsLinks(action) ? Effect::link : Effect::none;
    }
}

bool onServer(const sim::Action& action)
{
    using Kind = sim::Action::Kind;
    return action.kind == Kind::stopServer || action.kind == Kind::killServer || action.kind == Kind::reap;
}

// The position in the queue of the client that an action targets.
std::size_t placeOf(const sim::Action& action, const std::vector<sim::Participant>& all)
{
    if (action.target == sim::Action::Target::firstWaiter) {
        return 1;
    }
    if (action.target != sim::Action::Target::named) {
        return 0;
    }
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const sim::Participant& one) { return one.name == action.client; });
    return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

void addEffects(PicturePlan& plan, const sim::Scenario& scenario, const std::vector<sim::Participant>& all)
{
    for (const sim::ScriptLine& line : scenario.script) {
        const Effect effect = effectOf(line.action);
        if (effect == Effect::none) {
            continue;
        }
        if (onServer(line.action)) {
            plan.servers = scenario.servers;
            plan.server = plan.server == Effect::none ? effect : plan.server;
            continue;
        }
        const std::size_t place = placeOf(line.action, all);
        if (!plan.nodes.empty()) {
            auto& node = plan.nodes[std::min(place, plan.nodes.size() - 1)];
            node.effect = node.effect == Effect::none ? effect : node.effect;
        }
    }
}

bool outlastsSession(const sim::Scenario& scenario)
{
    return std::any_of(scenario.script.begin(), scenario.script.end(), [&](const sim::ScriptLine& line) {
        return line.action.kind == sim::Action::Kind::freeze &&
               line.action.span.value_or(Duration::max()) > scenario.sessionTimeout;
    });
}

bool writes(const sim::Work& work, std::size_t place)
{
    if (!work.takes.empty()) {
        return work.takes.front().side == Side::exclusive;
    }
    return work.writePercent >= 50 || place == 2; // writes in some cycles: drawn for the third client
}

} // namespace

PicturePlan planOf(const sim::Scenario& scenario)
{
    PicturePlan plan;
    plan.shape = shapeOf(scenario);
    plan.locks = static_cast<std::uint32_t>(scenario.locks.size());
    const std::vector<sim::Participant> all = sim::participants(scenario);
    const std::size_t sessions = scenario.workers > 1 ? all.size() / scenario.workers : all.size();
    const std::size_t most = plan.shape == Shape::star ? kMaxStarNodes : kMaxNodes;
    // The last position shows the number of hidden clients.
    const std::size_t drawn = sessions > most ? most - 1 : sessions;
    for (std::size_t i = 0; i < drawn; ++i) {
        const sim::Work& work = all[std::min(i * scenario.workers, all.size() - 1)].work;
        plan.nodes.push_back({.colour = static_cast<std::uint16_t>(i),
                              .effect = Effect::none,
                              .writes = plan.shape == Shape::readers && writes(work, i),
                              .sharedSession = scenario.workers > 1,
                              .reenters = i == 0 && work.reenterMax > 0});
    }
    plan.more = static_cast<std::uint32_t>(sessions - plan.nodes.size());
    plan.servers = scenario.servers == 3 ? 3 : 0;
    if (plan.shape == Shape::leases) {
        plan.holders = std::min<std::uint32_t>(scenario.leases, 3);
    }
    if (plan.shape == Shape::readers) {
        plan.holders = 0;
        while (plan.holders < plan.nodes.size() && !plan.nodes[plan.holders].writes) {
            ++plan.holders;
        }
        plan.holders = std::max<std::uint32_t>(plan.holders, 1);
    }
    addEffects(plan, scenario, all);
    if (plan.shape == Shape::chain && !plan.nodes.empty() && plan.nodes.front().effect == Effect::frozen &&
        outlastsSession(scenario)) {
        plan.holders = 2;
        plan.fence = scenario.fencedResource ? PicturePlan::Fence::closed : PicturePlan::Fence::open;
    }
    return plan;
}

} // namespace lockscope::ui
