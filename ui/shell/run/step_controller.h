// Manual stepping: holds the clients of the live run, lets them take one step at a time, keeps their
// breakpoints, and pauses the run when a finding is violated. The clients' positions are in the run's state;
// this class only keeps the user's requests for this run. GUI thread.
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

    bool isStepping() const { return m_stepping; } // every client is held before each of its steps
    Breakpoints* breakpoints() const { return m_breakpoints; }
    bool isWatchingFindings() const { return m_watchesFindings; }

    void setStepping(bool stepping);
    void step(ClientId client);
    void stepNext();                    // steps the client whose last step was longest ago
    void resumeClient(ClientId client); // and removes its breakpoints
    void resumeAll();                   // and removes all breakpoints
    void runOrPause();                  // the run button
    void runUntil(const sim::Trigger& when);
    void setWatchesFindings(
        bool watches); // true: runs until a finding is violated; false: no longer pauses for that

signals:
    void changed();
    void messagePosted(const lockscope::ui::UserMessage& message);

private:
    void newRun();
    void checkStage();
    void checkFindings();
    void resumeRun();
    void post(sim::Action::Kind kind, ClientId client, std::optional<GateStep> step = {});
    void postToAll(sim::Action::Kind kind, sim::Action::Target target);

    RunController* m_control;
    RunModel* m_model;
    bool m_stepping = false;
    Breakpoints* m_breakpoints;
    bool m_watchesFindings = false;                  // the run pauses when a finding is violated
    std::optional<std::uint64_t> m_violationsBefore; // nullopt: the run's present was not shown since then
};

// True if any client is held before a step.
bool isAnyClientHeld(const replay::RunState& state);

} // namespace lockscope::ui
