// Carries out a scenario's script: follows the events as they are recorded and says when a line's moment has
// come. I/O thread. Ends with this object.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/trace/recorder.h"
#include "core/zk/scheduler.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace lockscope::sim {

class ScriptRunner
{
public:
    using Executor = std::function<void(const Action&)>;
    // `execute` is called from the scheduler, never inside a recording.
    ScriptRunner(zk::Scheduler& scheduler, trace::Recorder& recorder, std::vector<ScriptLine> script,
                 Executor execute);
    ~ScriptRunner();
    ScriptRunner(const ScriptRunner&) = delete;
    ScriptRunner& operator=(const ScriptRunner&) = delete;

    void start(); // the run begins: time counts from here
    void stop();  // nothing is carried out any more
    // Once more of the kind; times and handoffs count from now.
    void add(ScriptLine line);
    void ended(ClientId client); // it has left, or done all its cycles
    bool hasPendingTimers() const; // a line waits for its time
    std::uint64_t clientEvents() const { return m_clientEvents; } // how many events of clients there were

    // The client that waits with the smallest number; none when nobody waits.
    ClientId firstWaiter() const;
    // Whose node is in front of all in a queue; none when there is no node.
    ClientId firstInQueue() const;
    struct Node
    {
        LockId lock = LockId::none();
        std::string name; // empty: it has none
    };
    // The last one that the client has in a queue now.
    Node nodeOf(ClientId client) const;

private:
    struct EventVisitor;
    void follow(EventIndex index);
    void fireMatching(Trigger::Kind kind, ClientId client);
    void fireOnEventKind(const trace::Event& event);
    bool isDue(std::size_t line, ClientId client) const;
    void fire(std::size_t line);
    bool isNamed(ClientId client, const std::string& name) const;

    zk::Scheduler& m_scheduler;
    trace::Recorder& m_recorder;
    struct Line
    {
        Trigger when;
        Action action;
        bool done = false;
    };
    std::vector<Line> m_script;
    bool m_hasEventTriggers = false;
    std::shared_ptr<Executor> m_execute; // reset with this: what is posted then does nothing
    std::vector<zk::Scheduler::TimerId> m_timers;
    std::map<ClientId, std::string> m_names;
    std::map<ClientId, std::vector<Node>> m_nodes; // the last one at the end
    std::map<ClientId, std::string> m_predecessors;       // whom a client will wait for, by its last list
    std::map<std::string, ClientId> m_waiting;     // by the number of its node
    std::map<ClientId, trace::GateStep> m_pendingStep;
    std::set<LockId> m_semaphores;
    std::set<LockId> m_acquireMutexes; // of semaphores: going in is no handoff
    std::uint32_t m_acquired = 0;
    std::uint64_t m_clientEvents = 0;
};

} // namespace lockscope::sim
