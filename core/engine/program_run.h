// A run of copies of a program of the user instead of our clients, to find out whether its lock is right.
// Each copy has its link and its process; an observer records the server's view of the queue. The rules of
// the plan come one at a time, the next one when, since the end of the last one, a copy got the lock, so
// that a lock that is stuck stays as it is. A rule waits for its moment, at most for a few seconds; the trace
// says which copy it met, or that it met none. When no copy gets the lock for the time in which every session
// that is dead has expired, the run ends and says so. Judged afterwards, on the trace
// (replay/findings/claims.h). I/O thread.
#pragma once

#include "core/engine/engine.h"
#include "core/engine/program_copy.h"
#include "core/engine/program_faults.h"
#include "core/engine/unpaused_run.h"
#include "core/sim/run/queue_observer.h"
#include "core/sim/run/server_control.h"
#include "core/sim/scenario/scenario.h"
#include "core/zk/wire/connection.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::engine {

class ProgramRun final : public UnpausedRun
{
public:
    // All referenced arguments must outlive the run. `hosts`: numeric, one server of our own.
    ProgramRun(boost::asio::io_context& io, zk::Hub& hub, trace::Recorder& recorder,
               const sim::Scenario& scenario, const Programs& programs, std::string hosts,
               sim::ServerControl& server);
    ~ProgramRun() override;

    Result<void> start(bool paused, std::function<void()> finished) override; // never paused
    void finish() override;
    void abandon() override;

    bool wasConnected() const override { return m_wasConnected || isConnected(); }
    bool refused() const override { return false; }

private:
    enum class Stage : std::uint8_t { starting, awaitsMoment, fault, progress, ending };

    std::vector<zk::SessionPhase> sessionPhases() const override;
    void onCopyEnded(ProgramCopy& copy, int status);
    void tick();
    void awaitNextMoment();
    void onMoment(ProgramCopy& copy, ProgramMoment moment);
    void meet(ProgramCopy& copy);
    void beginFault();
    void miss();
    void perform(const sim::Action& action, ProgramCopy& copy);
    void undo();
    bool areConnected() const;
    void waitForProgress();
    bool isProgress() const;
    Duration patience() const;
    void endSession(ProgramCopy& copy, EventIndex command);
    void fail(std::string_view code, const Message& text, ClientId client = ClientId::none());
    void endIfGone();
    EventIndex record(trace::CommandVerb verb, const ProgramCopy* copy);
    std::uint32_t acquired() const;
    template <class What>
    auto whileAlive(What what) const
    {
        return [what = std::move(what), alive = std::weak_ptr<const void>(m_alive)](auto&&... args) {
            if (alive.lock())
                what(std::forward<decltype(args)>(args)...);
        };
    }

    boost::asio::io_context& m_io;
    zk::Hub& m_hub;
    const sim::Scenario& m_scenario;
    std::string m_hosts;
    sim::ServerControl& m_server;
    CopiesShared m_shared;
    std::vector<std::unique_ptr<ProgramCopy>> m_copies; // by client id
    std::vector<std::shared_ptr<sim::QueueObserver>> m_observers;
    std::shared_ptr<zk::wire::Connection> m_ender; // of a session
    FaultPlan m_plan;
    FaultPlan::Rule m_rule;
    ProgramCopy* m_target = nullptr; // that the rule has met
    bool m_killing = false;          // the target, whose end is not known yet
    Stage m_stage = Stage::starting;
    MonotonicTime m_begun{}, m_until{}, m_since{}; // the first claim; the stage's end; the stage
    std::uint32_t m_acquiredBefore = 0;            // when the stage began
    bool m_welcomed = false;                       // m_ender, by the server
    bool m_wasConnected = false;
    std::function<void()> m_finished;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0);
};

} // namespace lockscope::engine
