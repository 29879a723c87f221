// A run: the clients of one scenario contending on one ZooKeeper, their control, their resource and the observer.
// Commands are carried out here and recorded, accepted or refused. I/O thread.
#pragma once

#include "core/sim/client.h"
#include "core/sim/data_hand.h"
#include "core/sim/observer.h"
#include "core/sim/script_runner.h"

#include <map>
#include <memory>

namespace lockscope::sim {

// The server as far as a run may do things to it; only one that was started for the run. I/O thread.
class ServerHand
{
public:
    virtual ~ServerHand() = default;
    virtual Result<void> suspend() = 0; // it keeps its connections and answers nothing
    virtual Result<void> resume() = 0;
    virtual Result<void> killNow() = 0; // whoever owns it starts it again, with its data
};

class Run
{
public:
    // `hosts` numeric. Everything given must outlive the run.
    // `server` is null when it is somebody else's.
    Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, std::string hosts, bool observe,
        ServerHand* server);
    ~Run();

    void start(bool paused, std::function<void()> finished); // `finished` once, when every client has ended
    void finish();                                            // every client leaves in an orderly way
    void abandon();                                           // every client leaves and its session is closed at once

    // ---- commands ----
    void pause();
    void resume();
    void setPace(Duration step);
    void killSession(ClientId client);
    void killHolder();
    void addClient();
    void removeClient(ClientId client); // none = the last one
    void freeze(ClientId client);
    void thaw(ClientId client);
    void deleteNode(ClientId client); // the one that the client has in the queue, as an administrator would
    void writeNode(ClientId client);
    void stopServer(Duration span);   // continues by itself
    void killServer();

    bool paused() const { return m_control.paused(); }
    // Whether some client has contact with the server; whether those that had it have all lost it. Neither is true
    // while everybody connects for the first time.
    bool inContact() const;
    bool outOfContact() const;

private:
    Client* find(ClientId client) const;
    void launch();
    void onClientEnded();
    EventIndex accept(std::string_view verb, ClientId client, std::string_view argument = {});
    void refuse(std::string_view verb, ClientId client, const std::string& reason);
    void kill(std::string_view verb, Client& client);
    ClientId targetOf(const Deed& deed) const;
    void carryOut(const Deed& deed);
    void touchNode(std::string_view verb, ClientId client, bool remove);
    void serverDone(std::string_view verb, const Result<void>& result);

    trace::Recorder& m_recorder;
    const Scenario& m_scenario;
    RunControl m_control;
    LockId m_lock{0};
    Resource m_resource;
    RunContext m_context;
    std::shared_ptr<Observer> m_observer;
    std::map<ClientId, std::shared_ptr<Client>> m_clients; // those that have not ended
    std::uint32_t m_nextClient = 0;
    std::function<void()> m_finished;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0); // for timers and answers that outlive the run
    ServerHand* m_server;
    std::unique_ptr<DataHand> m_dataHand;   // made when it is needed
    std::unique_ptr<ScriptRunner> m_script; // follows the events, also without a script
};

} // namespace lockscope::sim
