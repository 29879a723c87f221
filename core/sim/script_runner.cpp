#include "core/sim/script_runner.h"

namespace lockscope::sim {

namespace {

// Nodes of one lock sort by the ten digits at their end.
std::string numberOf(const std::string& node)
{
    return node.size() < 10 ? node : node.substr(node.size() - 10);
}

} // namespace

struct ScriptRunner::Follow
{
    ScriptRunner& runner;
    ClientId client;

    void stopWaiting() const
    {
        std::erase_if(runner.m_waiting, [id = client](const auto& entry) { return entry.second == id; });
    }
    void operator()(const trace::ClientAdded& e) const { runner.m_names[client] = std::string(e.name); }
    void operator()(const trace::Decided& e) const
    {
        runner.m_nodes[client] = std::string(e.node);
        runner.m_ahead[client] = e.position > 0 ? std::string(e.ahead) : std::string();
    }
    void operator()(const trace::Reply& e) const
    {
        if (e.outcome != trace::Outcome::ok)
            return;
        if (e.op == trace::Op::create)
            runner.m_nodes[client] = std::string(e.node);
        const bool watched = e.op == trace::Op::getData || e.op == trace::Op::exists;
        const auto ahead = runner.m_ahead.find(client);
        if (!watched || ahead == runner.m_ahead.end() || ahead->second.empty() || ahead->second != e.node)
            return;
        runner.m_waiting[numberOf(runner.m_nodes[client])] = client;
        runner.look(When::Kind::waits, client);
    }
    void operator()(const trace::Acquired& e) const
    {
        stopWaiting();
        runner.m_nodes[client] = std::string(e.node);
        ++runner.m_acquired;
        runner.look(When::Kind::holds, client);
        runner.look(When::Kind::handoffs, client);
    }
    void operator()(const trace::AcquireFailed&) const
    {
        stopWaiting();
        runner.m_nodes.erase(client);
    }
    void operator()(const trace::Released& e) const
    {
        if (e.depth == 0)
            runner.m_nodes.erase(client);
    }
    void operator()(const trace::SessionState& e) const
    {
        if (e.phase != trace::SessionPhase::lost)
            return;
        stopWaiting();
        runner.m_nodes.erase(client);
        runner.look(When::Kind::lost, client);
    }
    template <class Other>
    void operator()(const Other&) const
    {}
};

ScriptRunner::ScriptRunner(zk::Scheduler& scheduler, trace::Recorder& recorder,
                           const std::vector<ScriptLine>& script, CarryOut carryOut)
    : m_scheduler(scheduler)
    , m_recorder(recorder)
    , m_script(script)
    , m_carryOut(std::make_shared<CarryOut>(std::move(carryOut)))
    , m_done(script.size())
{
    m_recorder.listen([this](EventIndex index) { follow(index); });
}

ScriptRunner::~ScriptRunner()
{
    m_recorder.listen(nullptr);
    for (const zk::Scheduler::TimerId timer : m_timers)
        m_scheduler.cancel(timer);
}

void ScriptRunner::start()
{
    for (std::size_t line = 0; line < m_script.size(); ++line)
        if (m_script[line].when.kind == When::Kind::at)
            m_timers.push_back(m_scheduler.after(m_script[line].when.time, [this, line] { fire(line); }));
}

ClientId ScriptRunner::firstWaiter() const
{
    return m_waiting.empty() ? ClientId::none() : m_waiting.begin()->second;
}

std::string ScriptRunner::nodeOf(ClientId client) const
{
    const auto node = m_nodes.find(client);
    return node == m_nodes.end() ? std::string() : node->second;
}

void ScriptRunner::follow(EventIndex index)
{
    const trace::Event& event = m_recorder.store().at(index);
    if (event.client.valid())
        std::visit(Follow{*this, event.client}, event.what);
}

bool ScriptRunner::isNamed(ClientId client, const std::string& name) const
{
    const auto known = m_names.find(client);
    return name.empty() || (known != m_names.end() && known->second == name);
}

void ScriptRunner::look(When::Kind kind, ClientId client)
{
    for (std::size_t line = 0; line < m_script.size(); ++line) {
        const When& when = m_script[line].when;
        if (m_done[line] || when.kind != kind)
            continue;
        const bool now =
            kind == When::Kind::handoffs ? m_acquired > when.count : isNamed(client, when.client);
        if (now)
            fire(line);
    }
}

void ScriptRunner::fire(std::size_t line)
{
    if (m_done[line])
        return;
    m_done[line] = true;
    m_scheduler.post([weak = std::weak_ptr(m_carryOut), deed = m_script[line].deed] {
        if (const auto carryOut = weak.lock())
            (*carryOut)(deed);
    });
}

} // namespace lockscope::sim
