// The engine: one I/O thread that owns the server process, all sessions, all clients and the recording of
// one run. Commands go in, events come out of the trace store. One Engine = one run. Every public function
// may be called from any thread; only stop() and the destructor block.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/share.h"
#include "core/tls/tls.h"
#include "core/trace/store.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::engine {

// Copies of a program of the user instead of our clients: as many as the scenario has clients, on its first
// lock, for its duration, with its seed (program_run.h). On a private server only.
struct Programs
{
    std::vector<std::string> command; // of each copy
    bool harsh = false;               // faults that a session or a process does not survive, too
    bool silent = false;              // their standard error is discarded
};

// Limits of an unattended run. A run that exceeds one is cut short (sim/run/cut_short.h).
struct Limits
{
    Duration contact = std::chrono::seconds(60); // without a connected client
    Duration grace = std::chrono::seconds(30);   // after its duration, to finish the cycles that have begun
};

struct Options
{
    sim::Scenario scenario;
    std::string connect;   // "127.0.0.1:2181,..."; empty = start a private ZooKeeper
    tls::ContextPtr tls{}; // of `connect`; none: plain text, unless tls:// is in front of it
    // Clients also start where other programs have nodes below a lock of the run; else that is the failure
    // busy, with nothing changed. The scenario may say it too.
    bool joinForeign = false;
    std::set<std::string> ownNodes{}; // left by earlier runs, see sim::ForeignCheck: not other programs'
    bool startPaused = false;
    bool observe = true; // an observer session records the server's view of the queues
    bool links =
        false; // clients connect through links that can fail, even if the scenario does not need them
    bool watches = false;           // poll the servers' watch tables while the run is not paused
    std::string sessionKey{};       // for the pseudonyms of sessions; empty: a random key
    bool realSessionIds = false;    // events and files contain real session ids, and a warning
    bool attended = true;           // a person takes the steps of a held run; false: steps are taken in turn
    std::optional<Limits> limits{}; // none: a person attends to the run
    std::optional<Programs> programs{};
    std::optional<sim::Share> share{}; // none: the whole run is here
};

// ---- commands; each accepted one is recorded as trace::Command, a refused one as trace::CommandRefused ----

// Any action that a script may contain: on `client` if it is valid, otherwise on the action's own target.
struct Execute
{
    explicit Execute(sim::Action what, ClientId onClient = ClientId::none())
        : action(std::move(what))
        , client(onClient)
    {}
    explicit Execute(sim::Action::Kind kind, ClientId onClient = ClientId::none())
        : Execute(sim::Action::of(kind), onClient)
    {}
    sim::Action action;
    ClientId client;
};
struct SetPace
{
    Duration step{};
};
struct RunUntil
{
    sim::Trigger when;
}; // resumes, and pauses when the trigger fires
struct PollWatchTables
{
    bool on = false;
}; // see Options::watches; changes nothing in the run and is not recorded
// Releases all locks and ends the run. cutShort: a code of sim/run/cut_short.h when the run ends before its
// time; it then ends within seconds, even if a client does not answer.
struct Finish
{
    std::string_view cutShort{};
};
using EngineCommand = std::variant<Execute, SetPace, RunUntil, PollWatchTables, Finish>;

enum class Phase { idle, starting, running, paused, finished, failed };

class Engine
{
public:
    explicit Engine(Options options);
    ~Engine(); // = stop()

    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void start();                     // once; returns at once
    void post(EngineCommand command); // ignored after the end of the run
    // Ends the run, closes its sessions and stops its servers. Usually takes milliseconds. At most: about 4 s
    // for the sessions of foreign servers, and about 12 s for each supervisor process that does not answer.
    // During the start it also waits for the current DNS query, probe (3 s for each server) or start of a
    // process (10 s).
    void stop();

    Phase phase() const;
    // The I/O thread is done, and nothing more is recorded. After a failure, the end of the clients is
    // recorded first.
    bool over() const;
    std::optional<Error> failure() const; // set when phase() is failed
    // Called on the I/O thread at every change of phase. Set it before start(); it must not block. An
    // exception fails the run.
    void onPhase(std::function<void(Phase)> callback);

    std::shared_ptr<const trace::TraceStore> trace() const; // valid from construction on

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::engine
