// Steps by hand: holds the clients of the live run, lets them go one step at a time, keeps their breakpoints,
// and pauses the run when a finding fails. What stands where is in the run's state; here is only what was
// asked for in this run. GUI thread.
#pragma once

#include <QObject>

#include "core/replay/state/run_state.h"
#include "core/sim/scenario/scenario.h"
#include "ui/shell/messages/message.h"

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

    bool isStepping() const { return m_stepping; } // every client is held before every step
    Breakpoints* breakpoints() const { return m_breakpoints; }
    bool isWatchingFindings() const { return m_watchesFindings; }

    void setStepping(bool stepping);
    void step(ClientId client);
    void stepNext();                    // the client whose last step was longest ago
    void resumeClient(ClientId client); // and remove its breakpoints
    void resumeAll();                   // and remove all breakpoints
    void runUntil(const sim::Trigger& when);
    void setWatchesFindings(bool watches); // runs until a finding fails, or no longer pauses for it

signals:
    void changed();
    void messagePosted(const lockscope::ui::UserMessage& message);

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
    bool m_watchesFindings = false; // the run is to pause when a finding fails
    std::optional<std::uint64_t> m_violationsBefore; // none: the present was not shown since
};

// A client is held before a step.
bool isAnyClientHeld(const replay::RunState& state);

} // namespace lockscope::ui
