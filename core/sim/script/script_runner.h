// Runs a scenario's script: follows the recorded events and executes the action of each line when its trigger
// fires. I/O thread. Nothing is executed after its destruction.
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
    // `line`: its index; those of add() come after the script's.
    using Executor = std::function<void(const Action&, std::size_t line)>;
    // `execute` is called from the scheduler, never inside a recording.
    ScriptRunner(zk::Scheduler& scheduler, trace::Recorder& recorder, std::vector<ScriptLine> script,
                 Executor execute);
    ~ScriptRunner();
    ScriptRunner(const ScriptRunner&) = delete;
    ScriptRunner& operator=(const ScriptRunner&) = delete;

    void start(); // time counts from here
    void stop();  // no action is executed after it
    // Adds a line; times and handoffs count from now.
    void add(ScriptLine line);
    // The client has left, or finished its cycles. True: a line waited for that, and its action is posted.
    bool ended(ClientId client);
    bool hasPendingTimers() const;                                // a line waits for its time
    std::uint64_t clientEvents() const { return m_clientEvents; } // events of clients so far
    std::uint32_t acquired() const { return m_acquired; }         // handoffs so far, and the first grant

    // The waiting client with the smallest sequence number, in any queue; none when no client waits.
    ClientId firstWaiter() const;
    // The client of the first node in the first queue that has one; none when no queue has a node.
    ClientId firstInQueue() const;
    struct Node
    {
        LockId lock = LockId::none();
        std::string name; // empty: none
    };
    // The newest node of the client in a queue.
    Node nodeOf(ClientId client) const;

private:
    struct EventVisitor;
    void follow(EventIndex index);
    bool fireMatching(Trigger::Kind kind, ClientId client);
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
    std::shared_ptr<Executor> m_execute; // reset in stop(): posted calls then do nothing
    std::vector<zk::Scheduler::TimerId> m_timers;
    std::map<ClientId, std::string> m_names;
    std::map<ClientId, std::vector<Node>> m_nodes;  // newest last
    std::map<ClientId, std::string> m_predecessors; // by client: its predecessor in its last list
    std::map<ClientId, std::string> m_waiting;      // the number of the node with which it waits
    std::map<ClientId, GateStep> m_pendingStep;
    std::set<LockId> m_semaphores;
    std::set<LockId> m_acquireMutexes; // of semaphores: acquiring it is no handoff
    std::uint32_t m_acquired = 0;
    std::uint64_t m_clientEvents = 0;
};

} // namespace lockscope::sim
