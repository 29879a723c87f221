// Steps by hand: holds the clients of the live run, lets them go one step at a time, keeps their breakpoints, and
// pauses the run when a finding fails. What stands where is in the run's state; here is only what was asked
// for in this run. GUI thread.
#pragma once

#include <QObject>

#include "core/replay/state/run_state.h"
#include "core/sim/scenario/scenario.h"

#include <optional>

namespace lockscope::ui {

class Breakpoints;
class RunController;
class RunModel;

class StepController : public QObject
{
    Q_OBJECT
public:
    StepController(RunController* control, RunModel* model, Breakpoints* breakpoints, QObject* parent);

    bool stepping() const { return m_stepping; } // everybody is held before every step
    Breakpoints* breakpoints() const { return m_breakpoints; }
    bool isWatchingFindings() const { return m_violationsBefore.has_value(); }

    void setStepping(bool stepping);
    void step(ClientId client);
    void stepNext(); // whoever stands longest without a step
    void resumeSteps(ClientId client); // its breakpoints go too
    void resumeAll();
    void runUntil(const sim::Trigger& when);
    void runUntilFindingFails();

signals:
    void changed();

private:
    void newRun();
    void checkStage();
    void checkFindings();
    void resumeRun();
    void post(sim::Action::Kind kind, ClientId client, std::optional<trace::GateStep> step = {});
    void postToAll(sim::Action::Kind kind, sim::Action::Target target);

    RunController* m_control;
    RunModel* m_model;
    bool m_stepping = false;
    Breakpoints* m_breakpoints;
    std::optional<std::uint64_t> m_violationsBefore; // while a failing finding is waited for
};

// Whether somebody stands before a step.
bool isAnyClientHeld(const replay::RunState& state);

} // namespace lockscope::ui
