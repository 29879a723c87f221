#include "core/sim/run/step_order.h"

#include "core/sim/run/step_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lockscope::sim {

namespace {

constexpr std::size_t kMaxAdded = 100;

// Commands that change only when steps are taken, or which clients take part.
bool isHarmless(trace::CommandVerb verb)
{
    using enum trace::CommandVerb;
    constexpr std::array verbs = {pause, resume, hold, step, letGo, addClient};
    return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

// Recipes whose steps follow only from the clients' requests, so that each step is proved by its effect.
bool isDerivable(const Scenario& scenario)
{
    const bool queue = scenario.recipe == Recipe::mutex || scenario.recipe == Recipe::readWrite ||
                       scenario.recipe == Recipe::existsMutex || scenario.recipe == Recipe::unprotectedMutex;
    return queue && scenario.handoff == HandoffPolicy::curator;
}

bool hasTimeLimit(const Scenario& scenario)
{
    const std::vector<Participant> all = participants(scenario);
    return std::any_of(all.begin(), all.end(),
                       [](const Participant& one) { return one.work.acquireTimeout.has_value(); });
}

// Clients that were added during the run take part from the start, held before their first step like all
// others.
void addMissingClients(Scenario& scenario, const std::vector<std::string>& names)
{
    std::set<std::string> missing(names.begin(), names.end());
    for (const Participant& one : participants(scenario))
        missing.erase(one.name);
    Scenario more = scenario;
    for (std::size_t added = 0; !missing.empty() && added < kMaxAdded; ++added) {
        ++more.clients;
        missing.erase(participants(more).back().name);
    }
    if (missing.empty())
        scenario.clients = more.clients;
}

// Removes the lines that ran before the moment, because the steps and the clients include their effects.
// Lines with a time keep their distance from the moment.
void trimScript(Scenario& scenario, std::map<std::string, std::size_t, std::less<>> done, Duration passed)
{
    using Kind = Action::Kind;
    std::erase_if(scenario.script, [&](ScriptLine& line) {
        const Kind kind = line.action.kind;
        if (kind == Kind::hold || kind == Kind::step || kind == Kind::letGo)
            return true;
        if (line.when.kind == Trigger::Kind::at) {
            line.when.time -= passed;
            line.text = "at " + formatDuration(line.when.time) + line.text.substr(line.text.find(": "));
            return line.when.time < Duration{};
        }
        const auto before = done.find(toText(verbOf(line.action)));
        return before != done.end() && before->second > 0 && before->second-- > 0;
    });
}

} // namespace

Message StepBlocker::text() const
{
    switch (kind) {
    case Kind::noScenario:
        return message("The trace does not name its scenario.");
    case Kind::severalServers:
        return message("With several servers, the same steps may lead to a different state.");
    case Kind::timeLimit:
        return message(
            "Clients of this scenario wait for a limited time only, which steps cannot reproduce.");
    case Kind::notHeld:
        return message(
            "With this recipe, only manual steps can be repeated, and not every client was stopped from the "
            "start.");
    case Kind::tooManySteps:
        return message("More than %1 steps lead to this moment.", StepOrder::kMaxSteps);
    case Kind::fault:
        return who.empty()
                   ? message("Steps alone do not lead to this moment: the command \"%1\" came before it.",
                             what)
                   : message("Steps alone do not lead to this moment: the command \"%1\" for %2 came before "
                             "it.",
                             what, who);
    case Kind::left:
        return message("Steps alone do not lead to this moment: %1 left before it.", who);
    case Kind::noContact:
        return message("Steps alone do not lead to this moment: %1 lost contact or its session before it.",
                       who);
    case Kind::failed:
        return message("Steps alone do not lead to this moment: %1 failed to get a lock before it, or lost "
                       "one.",
                       who);
    case Kind::foreignNode:
        return message("Steps alone do not lead to this moment: the node %1 of another program was in the "
                       "queue.",
                       what);
    case Kind::timeIsUp:
        return message("The duration of the run is over at this moment: clients begin no new cycle.");
    case Kind::over:
        break;
    }
    return message("The run is over at this moment.");
}

StepOrder::StepOrder(std::shared_ptr<const trace::TraceStore> store)
    : m_store(std::move(store))
{}

void StepOrder::checkScenario()
{
    using Kind = StepBlocker::Kind;
    const trace::Header& header = m_store->header();
    if (Result<Scenario> read = parseScenario(header.scenarioToml, header.scenario + ".toml");
        read && !header.scenarioToml.empty())
        m_scenario = std::move(*read);
    if (!m_scenario || participants(*m_scenario).empty()) {
        m_blocker = {Kind::noScenario};
        return;
    }
    m_derivable = isDerivable(*m_scenario);
    if (m_scenario->servers > 1)
        m_blocker = {Kind::severalServers};
    else if (hasTimeLimit(*m_scenario))
        m_blocker = {Kind::timeLimit};
    else if (!m_derivable && !m_scenario->stepping)
        m_blocker = {Kind::notHeld};
}

void StepOrder::checkEvent(std::size_t index)
{
    using Kind = StepBlocker::Kind;
    const trace::Event& event = m_store->at(index);
    const std::size_t client = event.client.valid() ? event.client.value : m_names.size();
    const auto found = [&](Kind kind, std::string_view what = {}) {
        m_blocker = {kind, EventIndex{static_cast<EventIndex::Value>(index)},
                     client < m_names.size() ? m_names[client] : std::string(), std::string(what)};
    };
    const auto effect = [&] {
        if (++m_effects > kMaxSteps / 2) // about two steps for each
            found(Kind::tooManySteps);
    };
    if (const auto* added = std::get_if<trace::ClientAdded>(&event.what)) {
        if (event.client.value >= kMaxClients)
            return found(Kind::noScenario);
        m_names.resize(std::max(m_names.size(), client + 1));
        m_done.resize(m_names.size());
        m_names[event.client.value] = std::string(added->name);
    } else if (const auto* run = std::get_if<trace::RunPhaseChanged>(&event.what)) {
        if (run->phase == trace::RunPhase::running || run->phase == trace::RunPhase::paused)
            m_begun = m_begun.value_or(event.at);
        if (run->phase == trace::RunPhase::finished || run->phase == trace::RunPhase::failed)
            found(Kind::over);
    } else if (const auto* command = std::get_if<trace::Command>(&event.what)) {
        const trace::CommandVerb verb = trace::commandVerb(command->verb);
        if (!isHarmless(verb))
            found(verb == trace::CommandVerb::finish ? Kind::over : Kind::fault, command->verb);
        else if (!m_derivable && verb == trace::CommandVerb::letGo)
            found(Kind::notHeld);
    } else if (const auto* session = std::get_if<trace::SessionState>(&event.what)) {
        using Phase = trace::SessionPhase;
        if (client < m_done.size() && !m_done[client] && session->phase != Phase::connecting &&
            session->phase != Phase::connected)
            found(Kind::noContact);
    } else if (std::holds_alternative<trace::SessionGone>(event.what)) {
        found(Kind::noContact);
    } else if (std::holds_alternative<trace::ClientFinished>(event.what)) {
        if (client < m_done.size())
            m_done[client] = true;
    } else if (std::holds_alternative<trace::ClientRemoved>(event.what)) {
        found(Kind::left);
    } else if (std::holds_alternative<trace::AcquireFailed>(event.what) ||
               std::holds_alternative<trace::HoldLost>(event.what) ||
               std::holds_alternative<trace::StartedOver>(event.what)) {
        found(Kind::failed);
    } else if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
        if (reply->outcome != trace::Outcome::ok && reply->outcome != trace::Outcome::noNode)
            found(Kind::failed);
    } else if (const auto* node = std::get_if<trace::NodeSeen>(&event.what)) {
        if (node->foreign)
            found(Kind::foreignNode, node->node);
    } else if (std::holds_alternative<trace::Request>(event.what) ||
               std::holds_alternative<trace::Reentered>(event.what)) {
        effect();
    }
    if (!m_blocker && m_begun && m_scenario->duration && event.at - *m_begun >= *m_scenario->duration)
        found(Kind::timeIsUp);
}

std::optional<StepBlocker> StepOrder::blocker(std::size_t events)
{
    if (m_read == 0 && !m_scenario && !m_blocker)
        checkScenario();
    for (const std::size_t end = std::min(events, m_store->count()); m_read < end && !m_blocker; ++m_read)
        checkEvent(m_read);
    if (m_blocker && (!m_blocker->since.valid() || m_blocker->since.value < events))
        return m_blocker;
    return std::nullopt;
}

std::vector<TakenStep> StepOrder::steps(std::size_t events)
{
    if (blocker(events))
        return {};
    return m_derivable ? StepGraph(*m_store, std::min(events, m_store->count())).inOrder()
                       : manualSteps(*m_store, events);
}

Result<Scenario> StepOrder::scenario(std::size_t events, bool stay)
{
    if (const std::optional<StepBlocker> found = blocker(events))
        return Error{ErrorCode::badInput, found->text(), {}};
    events = std::min(events, m_store->count());
    Scenario scenario = *m_scenario;
    scenario.steps = steps(events);
    std::vector<std::string> names;
    std::map<std::string, std::size_t, std::less<>> done; // number of executed commands, by verb
    for (std::size_t i = 0; i < events; ++i) {
        const trace::Event& event = m_store->at(i);
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names.emplace_back(added->name);
        else if (const auto* pace = std::get_if<trace::PaceChanged>(&event.what))
            scenario.pace = pace->step;
        else if (const auto* command = std::get_if<trace::Command>(&event.what))
            ++done[std::string(command->verb)];
    }
    addMissingClients(scenario, names);
    const Duration passed = events > 0 && m_begun
                                ? std::max<Duration>(m_store->at(events - 1).at - *m_begun, Duration{})
                                : Duration{};
    trimScript(scenario, std::move(done), passed);
    scenario.stepping = stay;
    scenario.source = toToml(scenario);
    return scenario;
}

std::vector<TakenStep> manualSteps(const trace::TraceStore& store, std::size_t events)
{
    std::vector<std::string> names;
    std::vector<TakenStep> steps;
    for (std::size_t i = 0; i < std::min(events, store.count()); ++i) {
        const trace::Event& event = store.at(i);
        if (!event.client.valid() || event.client.value >= kMaxClients)
            continue;
        names.resize(std::max<std::size_t>(names.size(), event.client.value + 1));
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names[event.client.value] = std::string(added->name);
        else if (const auto* taken = std::get_if<trace::StepTaken>(&event.what))
            steps.push_back({names[event.client.value], taken->step});
    }
    return steps;
}

} // namespace lockscope::sim
