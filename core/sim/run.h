// A run: the clients of one scenario contending on one ZooKeeper, their control, what they protect and the
// observers. What is to be done to it is carried out here and recorded, accepted or refused. I/O thread.
#pragma once

#include "core/sim/any_run.h"
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
    bool attended = true;         // somebody is there who takes the steps of a run that is held
    ServerHand* server = nullptr; // null when the server is somebody else's
    LinkMaker makeLink{};         // empty: no links
};

class Run final : public AnyRun
{
public:
    // Everything given must outlive the run.
    Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, RunWorld world);
    ~Run() override;

    Result<void> start(bool paused, std::function<void()> finished) override;
    void finish() override;
    void abandon() override;

    void carryOut(const Deed& deed) override;
    void carryOut(const Deed& deed, ClientId client) override;
    void setPace(Duration step) override;
    void runUntil(const When& when) override;

    bool paused() const { return m_control.paused(); }
    void onPaused(std::function<void(bool)> callback) override { m_onPaused = std::move(callback); }
    bool inContact() const override;
    bool outOfContact() const override;
    bool hadContact() const override { return m_context.hadContact || inContact(); }
    bool refused() const override { return !m_refusals.empty(); }
    std::string stalled() override; // run_stall.cpp
    std::string whoIsLeft() const override;

private:
    static constexpr const char* kNoSuchClient = "There is no such client any more.";
    // run.cpp
    void addPlaces();
    Result<void> launch(ClientId id, const Participant& who, bool fromTheStart);
    Result<std::shared_ptr<Process>> processFor(const Participant& who);
    void stepInTurn();
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
    void keepUnaware(Client& client, Duration span);
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
