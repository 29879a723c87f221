// A run: the clients of one scenario contending on one ZooKeeper, their control, their resources and the
// observers. Executes actions and records each as accepted or refused. I/O thread.
#pragma once

#include "core/sim/client/client.h"
#include "core/sim/run/abstract_run.h"
#include "core/sim/run/admin_session.h"
#include "core/sim/run/cut_short.h"
#include "core/sim/run/lock_paths.h"
#include "core/sim/run/queue_observer.h"
#include "core/sim/run/server_control.h"
#include "core/sim/run/shared_script.h"
#include "core/sim/script/script_runner.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace lockscope::sim {

// The surroundings of a run, made by the engine.
struct RunEnvironment
{
    std::string hosts;               // numeric
    bool observe = true;             // also record the server's view of the queues
    bool attended = true;            // a person can take the steps of a run that is held
    ServerControl* server = nullptr; // null when the servers are not our own
    LinkFactory makeLink{};          // empty: no links
    std::optional<Share> share{};    // none: all clients are here
};

class Run final : public AbstractRun
{
public:
    // All referenced arguments must outlive the run.
    Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, RunEnvironment environment);
    ~Run() override;

    Result<void> start(bool paused, std::function<void()> finished) override;
    void finish() override;
    void abandon() override;

    void execute(const Action& action) override;
    void execute(const Action& action, ClientId client) override;
    void setPace(Duration step) override;
    void runUntil(const Trigger& when) override;

    void onPaused(std::function<void(bool)> callback) override { m_onPaused = std::move(callback); }
    bool wasConnected() const override { return m_context.wasConnected || isConnected(); }
    bool refused() const override { return !m_refusals.empty(); }
    Message describeStall() override;
    Message describeRemaining() const override;

private:
    std::vector<zk::SessionPhase> sessionPhases() const override;
    static Message noSuchClient() { return message("There is no such client any more."); }
    void addRunLocks();
    void makePaths();
    Result<void> launch(ClientId id, const Participant& who, bool fromTheStart);
    Result<std::shared_ptr<Process>> processFor(const Participant& who);
    void enableAutomaticSteps();
    void onClientEnded(ClientId id);
    void addClient();
    void rejoin(const Action& action);
    void removeClient(ClientId client);
    void end(); // the observers' last refresh, then `finished`
    Client* find(ClientId client) const;
    EventIndex accept(trace::CommandVerb verb, ClientId client, std::string_view argument = {});
    void refuse(trace::CommandVerb verb, ClientId client, const Message& reason);
    // For timers and answers: the returned function does nothing when the run is over by then.
    template <class What>
    auto whileAlive(What what) const
    {
        return [what = std::move(what), alive = std::weak_ptr<const void>(m_alive)](auto&&... args) {
            if (alive.lock())
                what(std::forward<decltype(args)>(args)...);
        };
    }
    template <class What>
    void scheduleUndo(Duration span, What what)
    {
        ++m_pending;
        m_hub.after(span, whileAlive([this, what = std::move(what)] {
                        --m_pending;
                        what();
                    }));
    }
    void recordRefusalOnce(ClientId client, LockId lock, const Error& error);
    void warnAboutLateEntries();
    void onTimeUp();
    Message describeState(const Client& client) const;

    // run_shares.cpp: a script that is shared with other workers
    std::vector<ScriptLine> ownScript() const;
    bool isHere(const std::string& name) const;
    void startShared();
    void onTrigger(const Action& action, std::size_t line);
    void executeOwnPart(const Action& action);
    ClientId movingTarget(const Action& action) const;
    void onDue(std::size_t line);
    void pollShared();
    bool awaitsShared();

    // run_actions.cpp
    std::vector<ClientId> findTargets(const Action& action) const;
    void executeOnRun(const Action& action);
    void executeOnClient(const Action& action, ClientId client);
    void executeOnLink(const Action& action, Client& client);
    void executeOnSteps(const Action& action, Client& client);
    void executeOnStepsOfAll(const Action& action);
    void takeOnSteps(const Action& action, Client& client);
    void setPaused(bool paused);
    void kill(Client& client, trace::CommandVerb verb);
    void delayLossNotice(Client& client, Duration span);
    bool setFrozen(Client& client, bool frozen);
    void executeOnServer(const Action& action);
    void scheduleServerResume(const Action& action, std::uint32_t number);
    void executeOnNode(const Action& action, ClientId client);
    void reap();
    void setLeases(std::uint64_t leases);
    void recordLeasesWhenKnown(std::uint32_t count);
    void recordLeases(std::uint32_t count);
    AdminSession& adminSession();
    std::function<void(zk::Code)> refuseOnError(trace::CommandVerb verb, const std::string& what);

    zk::Hub& m_hub;
    trace::Recorder& m_recorder;
    const Scenario& m_scenario;
    RunEnvironment m_environment;
    std::vector<std::uint32_t> m_places;  // by client id: its place among the clients of the scenario
    std::vector<Participant> m_roster;    // by client id, including clients added later
    std::vector<std::uint16_t> m_colours; // of the roster
    RunControl m_control;
    StartGate m_startGate;
    RunContext m_context;
    std::vector<std::shared_ptr<QueueObserver>> m_observers;
    std::map<ClientId, std::shared_ptr<Client>> m_clients;     // that have not ended
    std::map<std::string, std::weak_ptr<Process>> m_processes; // those with several clients, by name
    std::uint32_t m_leases = 0;                                // the size of a semaphore
    std::set<std::pair<std::string, std::string>> m_refusals;  // rights and paths, each recorded once
    std::uint32_t m_pending = 0;                               // scheduled undo operations
    std::map<std::uint32_t, MonotonicTime> m_stoppedUntil;     // servers that are stopped, by number
    std::uint64_t m_clientEvents = 0;                          // the script's, at the last describeStall()
    cut_short::StandStill m_standStill;
    bool m_finishing = false; // all clients have been asked to leave
    std::function<void()> m_finished;
    std::function<void(bool)> m_onPaused;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0);
    std::unique_ptr<LockPaths> m_paths;           // null before the start
    std::unique_ptr<AdminSession> m_adminSession; // null before its first use
    std::unique_ptr<ScriptRunner> m_script;       // follows the events, even without a script
    std::shared_ptr<SharedScript> m_shared;       // null: no other worker has a part in it
    std::set<std::size_t> m_untaken;              // lines that are due and wait for a target here
};

} // namespace lockscope::sim
