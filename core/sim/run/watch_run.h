// A run without clients that observes the locks of other programs. It has no faults, links, steps or servers
// of its own, and its hub makes sessions that only read. Lasts until finish(), or for the scenario's
// duration. I/O thread.
#pragma once

#include "core/sim/run/abstract_run.h"
#include "core/sim/run/queue_observer.h"
#include "core/sim/scenario/scenario.h"

#include <set>

namespace lockscope::sim {

class WatchRun final : public AbstractRun
{
public:
    // `recorder` and `scenario` must outlive the run. `hosts`: numeric.
    WatchRun(zk::ReadHub hub, trace::Recorder& recorder, const Scenario& scenario, const std::string& hosts);
    ~WatchRun() override;

    Result<void> start(bool paused, std::function<void()> finished) override; // never paused
    void finish() override;
    void abandon() override;

    // Only `finish` is accepted.
    void execute(const Action& action) override;
    void execute(const Action& action, ClientId) override { execute(action); }
    void setPace(Duration) override { refuse(trace::CommandVerb::pace); }
    void runUntil(const Trigger&) override { refuse(trace::CommandVerb::pause); }
    void onPaused(std::function<void(bool)>) override {}

    bool wasConnected() const override;
    bool refused() const override { return !m_refused.empty(); }
    Message describeStall() override { return {}; }
    Message describeRemaining() const override { return {}; }

private:
    std::vector<zk::SessionPhase> sessionPhases() const override;
    void watch(const std::string& path);
    void recordRefusalOnce(LockId lock, const Error& error);
    void refuse(trace::CommandVerb verb);

    zk::ReadHub m_hub;
    trace::Recorder& m_recorder;
    const Scenario& m_scenario;
    const std::string m_hosts;
    std::vector<std::shared_ptr<QueueObserver>> m_observers;
    std::set<LockId> m_refused; // not permitted to read these
    std::function<void()> m_finished;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0); // for timers that outlive the run
};

} // namespace lockscope::sim
