#include "core/sim/course_toml.h"

#include "core/sim/scenario_words.h"
#include "core/sim/script_text.h"

#include <set>

namespace lockscope::sim {

namespace {

using Node = const toml::node&;
using Names = std::set<std::string>;

// Who takes part, or comes later by "add a client", which takes the next free name.
Names whoComes(const TomlReader& in, Node script, const Scenario& scenario)
{
    Names known;
    for (const Participant& one : participants(scenario))
        known.insert(one.name);
    std::size_t added = 0;
    for (Node entry : in.list(script, "a list of lines, such as [\"when bo waits: kill ada\"]"))
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
    in.wrong(node, "a client of this scenario instead of \"" + name + "\": " + all);
}

void checkServer(const TomlReader& in, Node node, const Deed& deed, const Scenario& scenario)
{
    using Kind = Deed::Kind;
    const bool ofServers = deed.kind == Kind::stopServer || deed.kind == Kind::killServer ||
                           deed.kind == Kind::restartServer;
    if (!ofServers)
        return;
    const std::string all = std::to_string(scenario.servers);
    if (deed.member == Deed::Member::numbered && deed.number > scenario.servers)
        in.wrong(node, "a server from 1 to " + all + ", as many as \"servers\" says");
    if (deed.member == Deed::Member::leader && scenario.servers == 1)
        in.wrong(node, "\"the server\": a single one has no leader");
    if (deed.member == Deed::Member::single && scenario.servers > 1 && deed.kind != Kind::restartServer)
        in.wrong(node, "which of the " + all + " servers: \"server 2\" or \"the leader\"");
}

void readScript(const TomlReader& in, Node node, const Names& known, Scenario& scenario)
{
    for (Node entry : *node.as_array()) {
        const std::string line = in.text(entry);
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            in.wrong(entry, "a moment, a colon and what happens then, such as \"when bo waits: kill ada\"");
        const std::optional<When> when = whenFrom(std::string_view(line).substr(0, colon));
        if (!when)
            in.wrong(entry, "before the colon " + whenForms());
        const std::optional<Deed> deed = deedFrom(std::string_view(line).substr(colon + 2));
        if (!deed)
            in.wrong(entry, "after the colon " + deedForms());
        checkName(in, entry, when->client, known);
        checkName(in, entry, deed->client, known);
        checkServer(in, entry, *deed, scenario);
        scenario.script.push_back({*when, *deed, line});
    }
}

void readSteps(const TomlReader& in, Node node, const Names& known, Scenario& scenario)
{
    for (Node entry : in.list(node, "a list of steps, such as [\"ada create\", \"bo create\"]")) {
        const std::optional<TakenStep> step = takenStepFrom(in.text(entry));
        if (!step)
            in.wrong(entry, "a client and a step, such as \"ada create\"; steps are " + stepNames());
        checkName(in, entry, step->client, known);
        scenario.steps.push_back(*step);
    }
}

} // namespace

void readCourse(const TomlReader& in, CourseNodes nodes, Scenario& scenario)
{
    const toml::array none;
    const Names known = whoComes(in, nodes.script ? *nodes.script : none, scenario);
    if (nodes.script)
        readScript(in, *nodes.script, known, scenario);
    if (nodes.steps)
        readSteps(in, *nodes.steps, known, scenario);
}

void readExpectations(const TomlReader& in, Node node, Scenario& scenario)
{
    for (Node entry : in.list(node, "a list such as [\"one_holder holds\", \"no_herd violated\"]")) {
        const std::optional<Expectation> expectation = expectationFrom(in.text(entry));
        if (!expectation)
            in.wrong(entry,
                     "a finding and \"holds\", \"violated\" or \"either\"; findings are " + findingNames());
        scenario.expect.push_back(*expectation);
    }
}

void readViolated(const TomlReader& in, Node node, Scenario& scenario)
{
    for (Node entry : in.list(node, "a list of findings, such as [\"no_herd\"]")) {
        const std::optional<Expectation> expectation = expectationFrom(in.text(entry) + " violated");
        if (!expectation)
            in.wrong(entry, "one of " + findingNames());
        scenario.expect.push_back(*expectation);
    }
}

} // namespace lockscope::sim
