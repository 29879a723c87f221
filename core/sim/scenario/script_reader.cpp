#include "core/sim/scenario/script_reader.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/sim/script/script_text.h"

#include <set>

namespace lockscope::sim {

namespace {

using Node = const toml::node&;
using Names = std::set<std::string>;

// The clients that start with the run, and those of "add a client", which take the next free names.
Names knownClientNames(const TomlReader& in, Node script, const Scenario& scenario)
{
    Names known;
    for (const Participant& one : participants(scenario))
        known.insert(one.name);
    std::size_t added = 0;
    for (Node entry : in.list(script, message("a list of lines, such as [\"when bo waits: kill ada\"]")))
        added += in.text(entry).ends_with(": add a client") ? 1 : 0;
    for (std::uint32_t n = 0; added > 0; ++n)
        added -= known.insert(clientName(n)).second ? 1 : 0;
    return known;
}

void checkName(const TomlReader& in, Node node, const std::string& name, const Names& known)
{
    if (name.empty() || known.contains(name))
        return;
    std::string all;
    for (const std::string& one : known) {
        if (all.size() > 200)
            break;
        all += (all.empty() ? "" : ", ") + one;
    }
    in.wrong(node, message("a client of this scenario instead of \"%1\": %2", name, all));
}

void checkServer(const TomlReader& in, Node node, const Action& action, const Scenario& scenario)
{
    using Kind = Action::Kind;
    const bool ofServers = action.kind == Kind::stopServer || action.kind == Kind::killServer ||
                           action.kind == Kind::restartServer;
    if (!ofServers)
        return;
    const std::uint32_t all = scenario.servers;
    if (action.member == Action::Member::numbered && action.number > scenario.servers)
        in.wrong(node, message("a server from 1 to %1, as many as \"servers\" says", all));
    if (action.member == Action::Member::leader && scenario.servers == 1)
        in.wrong(node, message("\"the server\": a single server has no leader"));
    if (action.member == Action::Member::single && scenario.servers > 1 && action.kind != Kind::restartServer)
        in.wrong(node, message("which of the %1 servers: \"server 2\" or \"the leader\"", all));
}

void readScript(const TomlReader& in, Node node, const Names& known, Scenario& scenario)
{
    for (Node entry : *node.as_array()) {
        const std::string line = in.text(entry);
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            in.wrong(entry, message("a moment, a colon and an action, such as \"when bo waits: kill ada\""));
        const std::optional<Trigger> when = parseTrigger(std::string_view(line).substr(0, colon));
        if (!when)
            in.wrong(entry, message("before the colon %1", triggerForms()));
        const std::optional<Action> action = parseAction(std::string_view(line).substr(colon + 2));
        if (!action)
            in.wrong(entry, message("after the colon %1", actionForms()));
        checkName(in, entry, when->client, known);
        checkName(in, entry, action->client, known);
        checkServer(in, entry, *action, scenario);
        scenario.script.push_back({*when, *action, line});
    }
}

void readSteps(const TomlReader& in, Node node, const Names& known, Scenario& scenario)
{
    for (Node entry : in.list(node, message("a list of steps, such as [\"ada create\", \"bo create\"]"))) {
        const std::optional<TakenStep> step = parseTakenStep(in.text(entry));
        if (!step)
            in.wrong(entry,
                     message("a client and a step, such as \"ada create\"; steps are %1", stepNames()));
        checkName(in, entry, step->client, known);
        scenario.steps.push_back(*step);
    }
}

} // namespace

void readScriptAndSteps(const TomlReader& in, ScriptNodes nodes, Scenario& scenario)
{
    const toml::array none;
    const Names known = knownClientNames(in, nodes.script ? *nodes.script : none, scenario);
    if (nodes.script)
        readScript(in, *nodes.script, known, scenario);
    if (nodes.steps)
        readSteps(in, *nodes.steps, known, scenario);
}

void readExpectations(const TomlReader& in, Node node, Scenario& scenario)
{
    for (Node entry : in.list(node, message("a list such as [\"one_holder holds\", \"no_herd violated\"]"))) {
        const std::optional<Expectation> expectation = parseExpectation(in.text(entry));
        if (!expectation)
            in.wrong(entry, message("a finding and \"holds\", \"violated\" or \"either\"; findings are %1",
                                    findingNames()));
        scenario.expect.push_back(*expectation);
    }
}

void readViolated(const TomlReader& in, Node node, Scenario& scenario)
{
    for (Node entry : in.list(node, message("a list of findings, such as [\"no_herd\"]"))) {
        const std::optional<Expectation> expectation = parseExpectation(in.text(entry) + " violated");
        if (!expectation)
            in.wrong(entry, message("one of %1", findingNames()));
        scenario.expect.push_back(*expectation);
    }
}

} // namespace lockscope::sim
