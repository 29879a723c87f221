// Carries out a scenario's script: follows the events as they are recorded and says when a line's moment has
// come. I/O thread. Ends with this object.
#pragma once

#include "core/sim/scenario.h"
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
    using CarryOut = std::function<void(const Deed&)>;
    // `carryOut` is called from the scheduler, never inside a recording.
    ScriptRunner(zk::Scheduler& scheduler, trace::Recorder& recorder, std::vector<ScriptLine> script,
                 CarryOut carryOut);
    ~ScriptRunner();
    ScriptRunner(const ScriptRunner&) = delete;
    ScriptRunner& operator=(const ScriptRunner&) = delete;

    void start(); // the run begins: time counts from here
    void stop();  // nothing is carried out any more
    // Once more of the kind; times and handoffs count from now.
    void add(ScriptLine line);
    void ended(ClientId client); // it has left, or done all its cycles
    bool hasTimesToCome() const; // a line waits for its time
    std::uint64_t activity() const { return m_activity; } // how many events of clients there were

    // The client that waits with the smallest number; none when nobody waits.
    ClientId firstWaiter() const;
    // Whose node is in front of all in a queue; none when there is no node.
    ClientId firstInLine() const;
    struct Node
    {
        LockId lock = LockId::none();
        std::string name; // empty: it has none
    };
    // The last one that the client has in a queue now.
    Node nodeOf(ClientId client) const;

private:
    struct Follow;
    void follow(EventIndex index);
    void look(When::Kind kind, ClientId client);
    void lookForKind(const trace::Event& event);
    bool isNow(std::size_t line, ClientId client) const;
    void fire(std::size_t line);
    bool isNamed(ClientId client, const std::string& name) const;

    zk::Scheduler& m_scheduler;
    trace::Recorder& m_recorder;
    struct Line
    {
        When when;
        Deed deed;
        bool done = false;
    };
    std::vector<Line> m_script;
    bool m_looksForKinds = false;
    std::shared_ptr<CarryOut> m_carryOut; // reset with this: what is posted then does nothing
    std::vector<zk::Scheduler::TimerId> m_timers;
    std::map<ClientId, std::string> m_names;
    std::map<ClientId, std::vector<Node>> m_nodes; // the last one at the end
    std::map<ClientId, std::string> m_ahead;       // whom a client will wait for, by its last list
    std::map<std::string, ClientId> m_waiting;     // by the number of its node
    std::map<ClientId, trace::GateStep> m_stands;
    std::set<LockId> m_semaphores;
    std::set<LockId> m_entrances; // of semaphores: going in is no handoff
    std::uint32_t m_acquired = 0;
    std::uint64_t m_activity = 0;
};

} // namespace lockscope::sim
