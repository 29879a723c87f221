#include "ui/welcome/picture_plan.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

using Blow = PicturePlan::Blow;
using Shape = PicturePlan::Shape;

bool deadlocks(const sim::Scenario& scenario)
{
    return std::any_of(scenario.expect.begin(), scenario.expect.end(), [](const sim::Expectation& one) {
        return one.finding == "no_deadlock" && one.verdict == sim::Verdict::violated;
    });
}

Shape shapeOf(const sim::Scenario& scenario)
{
    if (deadlocks(scenario)) {
        return Shape::ring;
    }
    switch (scenario.recipe) {
    case sim::Recipe::herd:
    case sim::Recipe::herdReadWrite:
        return Shape::star;
    case sim::Recipe::readWrite:
    case sim::Recipe::oldReadWrite:
        return Shape::readers;
    case sim::Recipe::semaphore:
        return Shape::leases;
    case sim::Recipe::multiLock:
        return Shape::bundle;
    case sim::Recipe::none:
        return Shape::unlocked;
    default:
        return Shape::chain;
    }
}

Blow blowOf(const sim::Deed& deed)
{
    using Kind = sim::Deed::Kind;
    switch (deed.kind) {
    case Kind::kill:
    case Kind::close:
    case Kind::stopServer:
    case Kind::killServer:
        return Blow::bolt;
    case Kind::freeze:
        return Blow::frozen;
    case Kind::loseReply:
        return Blow::ghost;
    case Kind::deleteNode:
    case Kind::reap:
        return Blow::deleted;
    default:
        return sim::concernsLinks(deed) ? Blow::link : Blow::none;
    }
}

bool onServer(const sim::Deed& deed)
{
    using Kind = sim::Deed::Kind;
    return deed.kind == Kind::stopServer || deed.kind == Kind::killServer || deed.kind == Kind::reap;
}

// Where in the queue somebody stands whom a deed is meant for.
std::size_t placeOf(const sim::Deed& deed, const std::vector<sim::Participant>& all)
{
    if (deed.target == sim::Deed::Target::firstWaiter) {
        return 1;
    }
    if (deed.target != sim::Deed::Target::named) {
        return 0;
    }
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const sim::Participant& one) { return one.name == deed.client; });
    return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

void strike(PicturePlan& plan, const sim::Scenario& scenario, const std::vector<sim::Participant>& all)
{
    for (const sim::ScriptLine& line : scenario.script) {
        const Blow blow = blowOf(line.deed);
        if (blow == Blow::none) {
            continue;
        }
        if (onServer(line.deed)) {
            plan.servers = scenario.servers;
            plan.server = plan.server == Blow::none ? blow : plan.server;
            continue;
        }
        const std::size_t place = placeOf(line.deed, all);
        if (!plan.nodes.empty()) {
            auto& node = plan.nodes[std::min(place, plan.nodes.size() - 1)];
            node.blow = node.blow == Blow::none ? blow : node.blow;
        }
    }
}

bool outlastsItsSession(const sim::Scenario& scenario)
{
    return std::any_of(scenario.script.begin(), scenario.script.end(), [&](const sim::ScriptLine& line) {
        return line.deed.kind == sim::Deed::Kind::freeze &&
               line.deed.span.value_or(Duration::max()) > scenario.sessionTimeout;
    });
}

bool writes(const sim::Work& work, std::size_t place)
{
    if (!work.takes.empty()) {
        return work.takes.front().side == sim::Side::write;
    }
    return work.writePercent >= 50 || place == 2; // one in some cycles: the third, to be seen at all
}

} // namespace

PicturePlan planOf(const sim::Scenario& scenario)
{
    PicturePlan plan;
    plan.shape = shapeOf(scenario);
    plan.locks = static_cast<std::uint32_t>(scenario.locks.size());
    const std::vector<sim::Participant> all = sim::participants(scenario);
    const std::size_t sessions = scenario.workers > 1 ? all.size() / scenario.workers : all.size();
    const std::size_t most = plan.shape == Shape::star ? kMostInStar : kMostNodes;
    // The last place says how many more there are.
    const std::size_t drawn = sessions > most ? most - 1 : sessions;
    for (std::size_t i = 0; i < drawn; ++i) {
        const sim::Work& work = all[std::min(i * scenario.workers, all.size() - 1)].work;
        plan.nodes.push_back({.colour = static_cast<std::uint16_t>(i),
                              .blow = Blow::none,
                              .writes = plan.shape == Shape::readers && writes(work, i),
                              .crowd = scenario.workers > 1,
                              .enters = i == 0 && work.reenterMax > 0});
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
    strike(plan, scenario, all);
    if (plan.shape == Shape::chain && !plan.nodes.empty() && plan.nodes.front().blow == Blow::frozen &&
        outlastsItsSession(scenario)) {
        plan.holders = 2;
        plan.fence = scenario.fencedResource ? PicturePlan::Fence::closed : PicturePlan::Fence::open;
    }
    return plan;
}

} // namespace lockscope::ui
