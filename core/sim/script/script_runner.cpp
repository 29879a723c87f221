#include "core/sim/script/script_runner.h"

#include "core/base/recipe.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim {

namespace {

// Nodes of one lock sort by the ten digits at their end.
std::string numberOf(const std::string& node)
{
    return node.size() < 10 ? node : node.substr(node.size() - 10);
}

} // namespace

// Updates the clients' states by each event and fires triggers.
struct ScriptRunner::EventVisitor
{
    ScriptRunner& runner;
    ClientId client;
    LockId lock;

    std::vector<Node>& nodes() const { return runner.m_nodes[client]; }
    void has(std::string_view node) const
    {
        forget(node);
        nodes().push_back({lock, std::string(node)});
    }
    void forget(std::string_view node) const
    {
        std::erase_if(nodes(), [&](const Node& one) { return one.lock == lock && one.name == node; });
    }
    void stopWaiting() const { runner.m_waiting.erase(client); }
    void operator()(const trace::LockAdded& e) const
    {
        if (isSemaphore(recipeOf(e.recipe)))
            runner.m_semaphores.insert(lock);
        else if (lock.value > 0 &&
                 runner.m_semaphores.contains(LockId{static_cast<LockId::Value>(lock.value - 1)}))
            runner.m_acquireMutexes.insert(lock);
    }
    void operator()(const trace::ClientAdded& e) const { runner.m_names[client] = std::string(e.name); }
    void operator()(const trace::Decided& e) const
    {
        has(e.node);
        runner.m_predecessors[client] = e.position > 0 ? std::string(e.ahead) : std::string();
        // A client that waits for a lease watches the whole list, so it waits as soon as it has read the
        // list.
        if (e.position > 0 && e.ahead.empty())
            waits(std::string(e.node));
    }
    void operator()(const trace::Reply& e) const
    {
        if (e.outcome != trace::Outcome::ok)
            return;
        if (e.op == Operation::create)
            has(e.node);
        const bool watched = e.op == Operation::getData || e.op == Operation::exists;
        const auto ahead = runner.m_predecessors.find(client);
        const bool herd = watched && e.op == Operation::exists && nodes().empty();
        if (herd)
            waits(std::string(e.node));
        else if (watched && ahead != runner.m_predecessors.end() && !ahead->second.empty() &&
                 ahead->second == e.node)
            waits(nodes().empty() ? std::string() : nodes().back().name);
    }
    void waits(const std::string& node) const
    {
        runner.m_waiting[client] = numberOf(node);
        runner.fireMatching(Trigger::Kind::waits, client);
    }
    void operator()(const trace::Acquired& e) const
    {
        stopWaiting();
        runner.m_predecessors.erase(client);
        has(e.node);
        if (runner.m_acquireMutexes.contains(lock))
            return;
        ++runner.m_acquired;
        runner.fireMatching(Trigger::Kind::holds, client);
        runner.fireMatching(Trigger::Kind::handoffs, client);
    }
    void operator()(const trace::AcquireFailed&) const
    {
        stopWaiting();
        runner.m_predecessors.erase(client);
        std::erase_if(nodes(), [this](const Node& one) { return one.lock == lock; });
    }
    void operator()(const trace::Released& e) const
    {
        if (e.depth > 0)
            return;
        forget(e.node);
        if (!runner.m_acquireMutexes.contains(lock))
            runner.fireMatching(Trigger::Kind::released, client);
    }
    void operator()(const trace::HoldLost& e) const { forget(e.node); }
    void operator()(const trace::StepHeld& e) const
    {
        runner.m_pendingStep[client] = e.step;
        runner.fireMatching(Trigger::Kind::stands, client);
    }
    void operator()(const trace::StepTaken&) const { runner.m_pendingStep.erase(client); }
    void operator()(const trace::SessionState& e) const
    {
        if (e.phase != trace::SessionPhase::lost && e.phase != trace::SessionPhase::closed)
            return;
        stopWaiting();
        nodes().clear();
        if (e.phase == trace::SessionPhase::lost)
            runner.fireMatching(Trigger::Kind::lost, client);
    }
    template <class Other>
    void operator()(const Other&) const
    {}
};

ScriptRunner::ScriptRunner(zk::Scheduler& scheduler, trace::Recorder& recorder,
                           std::vector<ScriptLine> script, Executor execute)
    : m_scheduler(scheduler)
    , m_recorder(recorder)
    , m_execute(std::make_shared<Executor>(std::move(execute)))
{
    for (const ScriptLine& line : script) {
        m_script.push_back({line.when, line.action});
        m_hasEventTriggers = m_hasEventTriggers || line.when.kind == Trigger::Kind::happens;
    }
    m_recorder.listen([this](EventIndex index) { follow(index); });
}

ScriptRunner::~ScriptRunner()
{
    m_recorder.listen(nullptr);
    stop();
}

void ScriptRunner::stop()
{
    m_execute.reset();
    for (const zk::Scheduler::TimerId timer : std::exchange(m_timers, {}))
        m_scheduler.cancel(timer);
}

void ScriptRunner::start()
{
    for (std::size_t line = 0; line < m_script.size(); ++line)
        if (m_script[line].when.kind == Trigger::Kind::at)
            m_timers.push_back(m_scheduler.after(m_script[line].when.time, [this, line] { fire(line); }));
}

void ScriptRunner::add(ScriptLine line)
{
    if (line.when.kind == Trigger::Kind::handoffs)
        line.when.count += m_acquired - (m_acquired > 0 ? 1 : 0);
    m_hasEventTriggers = m_hasEventTriggers || line.when.kind == Trigger::Kind::happens;
    m_script.push_back({line.when, line.action});
    const std::size_t last = m_script.size() - 1;
    if (line.when.kind == Trigger::Kind::at)
        m_timers.push_back(m_scheduler.after(line.when.time, [this, last] { fire(last); }));
}

bool ScriptRunner::hasPendingTimers() const
{
    return std::any_of(m_script.begin(), m_script.end(),
                       [](const Line& line) { return !line.done && line.when.kind == Trigger::Kind::at; });
}

bool ScriptRunner::ended(ClientId client) { return fireMatching(Trigger::Kind::away, client); }

ClientId ScriptRunner::firstWaiter() const
{
    const auto first = std::min_element(m_waiting.begin(), m_waiting.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    return first == m_waiting.end() ? ClientId::none() : first->first;
}

ClientId ScriptRunner::firstInQueue() const
{
    ClientId first = ClientId::none();
    std::pair<LockId, std::string> front;
    for (const auto& [client, nodes] : m_nodes)
        for (const Node& node : nodes) {
            if (m_acquireMutexes.contains(node.lock))
                continue;
            std::pair<LockId, std::string> place{node.lock, numberOf(node.name)};
            if (first.valid() && front <= place)
                continue;
            first = client;
            front = std::move(place);
        }
    return first;
}

ScriptRunner::Node ScriptRunner::nodeOf(ClientId client) const
{
    const auto nodes = m_nodes.find(client);
    return nodes == m_nodes.end() || nodes->second.empty() ? Node{} : nodes->second.back();
}

void ScriptRunner::follow(EventIndex index)
{
    const trace::Event& event = m_recorder.store().at(index);
    m_clientEvents += event.client.valid() ? 1 : 0;
    if (event.client.valid() || std::holds_alternative<trace::LockAdded>(event.what))
        std::visit(EventVisitor{*this, event.client, event.lock}, event.what);
    if (m_hasEventTriggers)
        fireOnEventKind(event);
}

bool ScriptRunner::isNamed(ClientId client, const std::string& name) const
{
    const auto known = m_names.find(client);
    return name.empty() || (known != m_names.end() && known->second == name);
}

bool ScriptRunner::isDue(std::size_t line, ClientId client) const
{
    const Trigger& when = m_script[line].when;
    if (when.kind == Trigger::Kind::handoffs)
        return m_acquired > when.count;
    const auto stands = m_pendingStep.find(client);
    const bool step =
        when.kind != Trigger::Kind::stands || (stands != m_pendingStep.end() && stands->second == when.step);
    return step && isNamed(client, when.client);
}

// True: a line fired, and its action is posted.
bool ScriptRunner::fireMatching(Trigger::Kind kind, ClientId client)
{
    bool any = false;
    for (std::size_t line = 0; line < m_script.size(); ++line)
        if (!m_script[line].done && m_script[line].when.kind == kind && isDue(line, client)) {
            fire(line);
            any = true;
        }
    return any;
}

void ScriptRunner::fireOnEventKind(const trace::Event& event)
{
    const std::string_view kind = std::visit(
        [](const auto& what) { return trace::kindName<std::remove_cvref_t<decltype(what)>>; }, event.what);
    for (std::size_t line = 0; line < m_script.size(); ++line) {
        const Trigger& when = m_script[line].when;
        if (!m_script[line].done && when.kind == Trigger::Kind::happens && when.event == kind &&
            (when.client.empty() || isNamed(event.client, when.client)))
            fire(line);
    }
}

void ScriptRunner::fire(std::size_t line)
{
    if (m_script[line].done)
        return;
    m_script[line].done = true;
    m_scheduler.post([weak = std::weak_ptr(m_execute), action = m_script[line].action, line] {
        if (const auto execute = weak.lock())
            (*execute)(action, line);
    });
}

} // namespace lockscope::sim
