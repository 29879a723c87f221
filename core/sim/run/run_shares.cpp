// A run whose clients are dealt out to several workers: which of them an action of the script concerns.
#include "core/sim/run/run.h"

#include <algorithm>
#include <limits>

namespace lockscope::sim {

namespace {

constexpr Duration kSharedEvery = std::chrono::milliseconds(10);

bool countsHandoffs(const ScriptLine& line) { return line.when.kind == Trigger::Kind::handoffs; }

} // namespace

// Handoffs are counted over all workers, which the coordinator does. What this worker missed is never due.
std::vector<ScriptLine> Run::ownScript() const
{
    std::vector<ScriptLine> script = m_scenario.script;
    if (!m_environment.share)
        return script;
    const Duration missed = m_environment.share->missed;
    for (ScriptLine& line : script) {
        const bool isTimed = line.when.kind == Trigger::Kind::at;
        if (countsHandoffs(line) || (isTimed && missed > Duration{} && line.when.time <= missed)) {
            line.when.kind = Trigger::Kind::handoffs;
            line.when.count = std::numeric_limits<std::uint32_t>::max();
        } else if (isTimed)
            line.when.time -= missed;
    }
    return script;
}

bool Run::isHere(const std::string& name) const
{
    return std::ranges::any_of(m_roster, [&](const Participant& one) { return one.name == name; });
}

void Run::startShared()
{
    if (!m_environment.share || m_scenario.script.empty())
        return;
    m_shared = std::make_shared<SharedScript>(m_hub, m_environment.hosts, *m_environment.share,
                                              whileAlive([this](std::size_t line) { onDue(line); }));
    m_shared->start();
    pollShared();
}

void Run::onTrigger(const Action& action, std::size_t line)
{
    if (!m_shared || line >= m_scenario.script.size())
        return execute(action);
    const Trigger& when = m_scenario.script[line].when;
    if (isHere(when.client) && isHere(action.client))
        return execute(action); // only this worker has a part in it
    if (when.kind == Trigger::Kind::at && !hasMovingTarget(action))
        return executeOwnPart(action); // each worker sees the time by itself
    m_shared->fired(line);
}

void Run::executeOwnPart(const Action& action)
{
    using Kind = Action::Kind;
    const bool first = m_environment.share->rank == 0; // who is added later is there
    const bool ofAll = action.target == Action::Target::everyone || action.kind == Kind::pause ||
                       action.kind == Kind::resume || action.kind == Kind::setLeases ||
                       action.kind == Kind::finish;
    const auto all = participants(m_scenario);
    const bool isElsewhere =
        !action.client.empty() && !isHere(action.client) &&
        std::ranges::any_of(all, [&](const Participant& one) { return one.name == action.client; });
    if (ofAll || isHere(action.client) || (first && !isElsewhere))
        execute(action);
}

ClientId Run::movingTarget(const Action& action) const
{
    if (action.target == Action::Target::firstWaiter)
        return m_script->firstWaiter();
    if (action.target == Action::Target::nextInTurn)
        return m_control.nextInTurn();
    const auto holder =
        std::ranges::find_if(m_clients, [](const auto& entry) { return entry.second->holds(); });
    return holder == m_clients.end() ? ClientId::none() : holder->first;
}

void Run::onDue(std::size_t line)
{
    if (line >= m_scenario.script.size())
        return;
    if (hasMovingTarget(m_scenario.script[line].action))
        m_untaken.insert(line);
    else
        executeOwnPart(m_scenario.script[line].action);
}

// Says how far the clients are here, and takes what is due as soon as the target is one of them.
void Run::pollShared()
{
    if (std::ranges::any_of(m_scenario.script, countsHandoffs))
        m_shared->count(m_script->acquired());
    for (const std::size_t line : std::set<std::size_t>(m_untaken)) {
        const Action& action = m_scenario.script[line].action;
        const ClientId target = movingTarget(action);
        if (!target.valid())
            continue;
        m_untaken.erase(line);
        m_shared->take(line, whileAlive([this, &action, target](bool ours) {
                           if (ours)
                               execute(action, target);
                       }));
    }
    m_hub.after(kSharedEvery, whileAlive([this] { pollShared(); }));
}

// A trigger that was seen here is not forgotten because the clients here are done: the run ends when its line
// is due.
bool Run::awaitsShared()
{
    if (!m_shared || !m_shared->hasUnanswered())
        return false;
    m_hub.after(kSharedEvery, whileAlive([this] {
                    if (m_clients.empty())
                        end();
                }));
    return true;
}

} // namespace lockscope::sim
