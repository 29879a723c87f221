#include "app/lockscope_cli/counterexample_scenario.h"

#include "core/sim/run/step_graph.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/finding_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace lockscope::app {

namespace {

using explore::StepKind;
using trace::FindingKind;

constexpr Duration kGivesUp = std::chrono::seconds(5); // a client behind a node that nobody deletes

Error noEquivalent(const std::string& what)
{
    return {ErrorCode::unsupported, "The counterexample cannot become a scenario: " + what,
            "--trace writes it as a trace."};
}

// The recipe of scenarios that has this mistake and no other.
std::optional<Recipe> recipeOf(const ExploreArguments& arguments)
{
    if (!arguments.runnable) {
        if (arguments.workload.recipe->name() != "mutex")
            return std::nullopt;
        return arguments.mistake == "existsInsteadOfGet" ? std::optional(Recipe::existsMutex)
               : arguments.mistake == "noGuidSearch"     ? std::optional(Recipe::unprotectedMutex)
                                                         : std::nullopt;
    }
    explore::BuiltRecipe withExists, unprotected;
    withExists[explore::Choice::watch] = static_cast<std::uint8_t>(explore::Watched::beforeByExists);
    unprotected[explore::Choice::protection] = 1;
    return arguments.built.options == withExists.options    ? std::optional(Recipe::existsMutex)
           : arguments.built.options == unprotected.options ? std::optional(Recipe::unprotectedMutex)
                                                            : std::nullopt;
}

// The operation whose reply the lost connection takes with it: the server has sent it, or sends it before
// the session connects again. None: the server does not execute the request, or nothing is under way.
std::optional<Operation> lostReply(explore::SteppedWorld& world, std::uint32_t client,
                                   std::span<const explore::Step> later)
{
    const auto& ensemble = world.world().ensemble;
    const std::uint32_t session = world.world().clients[client]->session()->index();
    if (const auto* message = ensemble.nextMessage(session))
        return message->id != 0 ? operationOf(message->op) : std::nullopt;
    const auto next = std::ranges::find_if(later, [&](const explore::Step& step) {
        return step.subject == session && (step.kind == StepKind::serve || step.kind == StepKind::connect);
    });
    return next != later.end() && next->kind == StepKind::serve && ensemble.requestsUnderWay(session) > 0
               ? operationOf(ensemble.requestsOf(session).front().op)
               : std::nullopt;
}

// A script has no place between two steps for a fault: only a reply can be lost, the first of its kind.
Result<std::vector<sim::ScriptLine>> scriptOf(const explore::Workload& workload, const explore::Steps& steps)
{
    std::vector<sim::ScriptLine> script;
    std::map<std::pair<std::uint32_t, Operation>, int> replies; // so far, by client
    explore::SteppedWorld world(workload, false);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const explore::Step& step = steps[i];
        if (isFault(step.kind)) {
            const std::optional<Operation> lost =
                step.kind == StepKind::connectionLost
                    ? lostReply(world, step.subject, std::span(steps).subspan(i + 1))
                    : std::nullopt;
            if (!lost || replies[{step.subject, *lost}] > 0)
                return noEquivalent("\"" + world.describe(step) +
                                    "\" has no place in a script, which has no words for \"between these two "
                                    "steps\".");
            sim::Action action = sim::Action::of(sim::Action::Kind::loseReply, sim::Action::Target::named);
            action.client = workload.names[step.subject];
            action.op = lost;
            script.push_back({{},
                              action,
                              fmt::format("at 0s: lose the next {} reply to {}", nameOf(*lost),
                                          workload.names[step.subject])});
        } else if (const std::optional<std::uint32_t> client = world.actorOf(step);
                   step.kind == StepKind::deliver && client) {
            if (const auto* message = world.world().ensemble.nextMessage(step.subject);
                message && message->id != 0)
                if (const std::optional<Operation> op = operationOf(message->op))
                    ++replies[{*client, *op}];
        }
        world.take(step);
    }
    return script;
}

// The client creates again after the reply to its first create was lost. Until then it may look for its node,
// which is no step.
void repeatCreate(std::vector<sim::TakenStep>& steps, const std::string& client)
{
    const auto isOwn = [&](const sim::TakenStep& step) { return step.client == client; };
    const auto isCreate = [&](const sim::TakenStep& step) {
        return isOwn(step) && step.step == GateStep::create;
    };
    const auto lost = std::ranges::find_if(steps, isCreate);
    if (lost == steps.end())
        return;
    const auto next = std::find_if(lost + 1, steps.end(), isCreate);
    const bool searches =
        next != steps.end() && std::none_of(lost + 1, next, [&](const sim::TakenStep& step) {
            return isOwn(step) && step.step == GateStep::decide;
        });
    if (searches)
        steps.erase(std::remove_if(lost + 1, next, isOwn), next);
    else
        steps.insert(lost + 1, *lost);
}

// The findings of a run that say what the rule says: violated; and those that may be violated with it.
std::vector<sim::Expectation> expected(const std::string& rule)
{
    const auto finding = [](FindingKind kind, sim::ExpectedOutcome outcome) {
        return sim::Expectation{std::string(trace::findingRule(kind).name()), outcome};
    };
    using sim::ExpectedOutcome;
    if (rule == "S8")
        return {finding(FindingKind::noStrayWatch, ExpectedOutcome::violated)};
    if (rule == "S5")
        return {finding(FindingKind::noOrphanNode, ExpectedOutcome::violated),
                finding(FindingKind::orderKept, ExpectedOutcome::either),
                finding(FindingKind::noDeadlock, ExpectedOutcome::either)};
    return {};
}

} // namespace

Result<std::string> scenarioOf(const ExploreArguments& arguments, const explore::Counterexample& found)
{
    const std::optional<Recipe> recipe = recipeOf(arguments);
    if (!recipe)
        return noEquivalent("no recipe of scenarios has this mistake. Those that have one are exists-mutex "
                            "(existsInsteadOfGet) and unprotected-mutex (noGuidSearch).");
    explore::Workload workload = arguments.workload;
    if (workload.handoff != HandoffPolicy::curator || workload.servers > 1)
        return noEquivalent("its steps are known only with one server and handoff curator.");
    workload.names.clear();
    for (std::uint32_t i = 0; i < workload.clients; ++i)
        workload.names.push_back(sim::clientName(i));
    sim::Scenario scenario;
    scenario.expect = expected(found.violation.invariant);
    if (scenario.expect.empty())
        return noEquivalent("no finding of a run is the rule " + found.violation.invariant + ".");
    Result<std::vector<sim::ScriptLine>> script = scriptOf(workload, found.steps);
    if (!script)
        return script.error();
    const explore::ScheduleTrace run = explore::traceOf(workload, found);
    scenario.title = explore::ruleNamed(found.violation.invariant).title.english();
    scenario.text = found.violation.what.english();
    scenario.clients = workload.clients;
    scenario.work.cycles = workload.rounds;
    if (found.violation.invariant == "S5")
        scenario.work.acquireTimeout = kGivesUp;
    scenario.recipe = *recipe;
    scenario.script = std::move(*script);
    scenario.steps = sim::StepGraph(*run.events, run.afterSteps.value + 1).inOrder();
    for (const sim::ScriptLine& line : scenario.script)
        if (line.action.op == Operation::create)
            repeatCreate(scenario.steps, line.action.client);
    return toToml(scenario);
}

} // namespace lockscope::app
