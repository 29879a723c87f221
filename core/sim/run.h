// A run: the clients of one scenario contending on one ZooKeeper, their control, what they protect and the
// observers. What is to be done to it is carried out here and recorded, accepted or refused. I/O thread.
#pragma once

#include "core/sim/client.h"
#include "core/sim/data_hand.h"
#include "core/sim/observer.h"
#include "core/sim/script_runner.h"
#include "core/sim/server_hand.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace lockscope::sim {

// What a run is given by the engine.
struct RunWorld
{
    std::string hosts;            // numeric
    bool observe = true;          // the server's own view of the queues is recorded, too
    ServerHand* server = nullptr; // null when the server is somebody else's
    LinkMaker makeLink{};         // empty: no links
};

class Run
{
public:
    // Everything given must outlive the run.
    Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, RunWorld world);
    ~Run();

    // Error limitExceeded when the links cannot be made.
    Result<void> start(bool paused,
                       std::function<void()> finished); // `finished` once, when every client has ended
    void finish();                                      // every client leaves in an orderly way
    void abandon(); // every client leaves and its session is closed at once

    void carryOut(const Deed& deed);                  // by somebody, or by the script
    void carryOut(const Deed& deed, ClientId client); // to this client, whatever the deed's target
    void setPace(Duration step);
    void runUntil(const When& when); // goes on, and pauses when that happens

    bool paused() const { return m_control.paused(); }
    // Called when the run was paused or resumed by its script.
    void onPaused(std::function<void(bool)> callback) { m_onPaused = std::move(callback); }
    // Whether some client has contact with the server; whether those that had it have all lost it. Neither is
    // true while everybody connects for the first time.
    bool inContact() const;
    bool outOfContact() const;
    bool hadContact() const { return m_context.hadContact || inContact(); }
    // Whether a client, or who only watches, was refused what it needs, and left.
    bool refused() const { return !m_refusals.empty(); }
    // run_stall.cpp: ask some times a second. Who stands still, and how, once nothing goes on by itself any more:
    // "ada (held before create), bo (frozen)". Empty while something does.
    std::string stalled();
    std::string whoIsLeft() const; // the same of all who have not ended

private:
    static constexpr const char* kNoSuchClient = "There is no such client any more.";
    // run.cpp
    void addPlaces();
    Result<void> launch(ClientId id, const Participant& who, bool fromTheStart);
    Result<std::shared_ptr<Process>> processFor(const Participant& who);
    void onClientEnded(ClientId id);
    void end(); // the last look, and it is over
    Client* find(ClientId client) const;
    EventIndex accept(std::string_view verb, ClientId client, std::string_view argument = {});
    void refuse(std::string_view verb, ClientId client, const std::string& reason);
    template <class What>
    void later(Duration span, What what) // unless the run is over by then
    {
        ++m_pending;
        m_hub.after(span, [this, what = std::move(what), alive = std::weak_ptr<const void>(m_alive)] {
            if (!alive.lock())
                return;
            --m_pending;
            what();
        });
    }
    void noteRefusal(ClientId client, LockId lock, const Error& error);
    void noteWhatComesTooLate();
    void whenTimeIsUp();
    std::string howItStands(const Client& client) const;

    // run_deeds.cpp
    std::vector<ClientId> targetsOf(const Deed& deed) const;
    void doToRun(const Deed& deed);
    void doToClient(const Deed& deed, ClientId client);
    void doToLink(const Deed& deed, Client& client);
    void doToSteps(const Deed& deed, Client& client);
    void setPaused(bool paused);
    void kill(Client& client, std::string_view verb);
    void setFrozen(Client& client, bool frozen);
    void addClient();
    void rejoin(const Deed& deed);
    void removeClient(ClientId client);

    // run_world.cpp
    void doToServer(const Deed& deed);
    void continueServer(const Deed& deed, std::uint32_t number);
    void doToNode(const Deed& deed, ClientId client);
    void reap();
    void setLeases(std::uint64_t leases);
    void noteLeasesWhenKnown(std::uint32_t count);
    void noteLeases(std::uint32_t count);
    DataHand& dataHand();
    std::function<void(zk::Code)> refuseUnless(std::string_view verb, const std::string& what);

    zk::Hub& m_hub;
    trace::Recorder& m_recorder;
    const Scenario& m_scenario;
    RunWorld m_world;
    std::vector<Participant> m_roster; // by client id; those that came later, too
    RunControl m_control;
    StartGate m_startGate;
    RunContext m_context;
    std::vector<std::shared_ptr<Observer>> m_observers;
    bool m_watches; // nobody joins from the start: it goes on without clients until it is finished
    std::map<ClientId, std::shared_ptr<Client>> m_clients;     // those that have not ended
    std::map<std::string, std::weak_ptr<Process>> m_processes; // those with several clients, by name
    std::uint32_t m_leases = 0;                                // the size of a semaphore
    std::set<std::pair<std::string, std::string>> m_refusals;  // rights and paths, each said once
    std::uint32_t m_pending = 0;                               // what will be undone by itself
    std::uint64_t m_activity = 0;                              // events of clients when it was last looked
    MonotonicTime m_quietSince{};
    std::function<void()> m_finished;
    std::function<void(bool)> m_onPaused;
    std::shared_ptr<const int> m_alive =
        std::make_shared<const int>(0);     // for timers and answers that outlive the run
    std::unique_ptr<DataHand> m_dataHand;   // made when it is needed
    std::unique_ptr<ScriptRunner> m_script; // follows the events, also without a script
};

} // namespace lockscope::sim
