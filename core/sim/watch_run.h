// A run without clients: locks of other programs, looked at and left alone. It has no clients, faults, links, steps,
// administrator or server of its own, and is given no hub that makes sessions which write. Goes on until it is
// finished, or its scenario's duration is over. I/O thread.
#pragma once

#include "core/sim/any_run.h"
#include "core/sim/observer.h"
#include "core/sim/scenario.h"

#include <set>

namespace lockscope::sim {

class WatchRun final : public AnyRun
{
public:
    // `recorder` and `scenario` must outlive the run. `hosts`: numeric.
    WatchRun(zk::ReadHub hub, trace::Recorder& recorder, const Scenario& scenario, const std::string& hosts);
    ~WatchRun() override;

    Result<void> start(bool paused, std::function<void()> finished) override; // is never paused
    void finish() override;
    void abandon() override;

    // Finishes; everything else is refused.
    void carryOut(const Deed& deed) override;
    void carryOut(const Deed& deed, ClientId) override { carryOut(deed); }
    void setPace(Duration) override { refuse("pace"); }
    void runUntil(const When&) override { refuse("pause"); }
    void onPaused(std::function<void(bool)>) override {}

    bool inContact() const override;
    bool outOfContact() const override;
    bool hadContact() const override;
    bool refused() const override { return !m_refused.empty(); }
    std::string stalled() override { return {}; }
    std::string whoIsLeft() const override { return {}; }

private:
    void watch(const std::string& path);
    void noteRefusal(LockId lock, const Error& error);
    void refuse(std::string_view verb);

    zk::ReadHub m_hub;
    trace::Recorder& m_recorder;
    const Scenario& m_scenario;
    const std::string m_hosts;
    std::vector<std::shared_ptr<Observer>> m_observers;
    std::set<LockId> m_refused; // may not be read
    mutable bool m_hadContact = false;
    std::function<void()> m_finished;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0); // for timers that outlive the run
};

} // namespace lockscope::sim
