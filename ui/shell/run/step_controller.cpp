#include "ui/shell/run/step_controller.h"

#include "ui/models/run/breakpoints.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/shell/run/run_controller.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

std::uint64_t violations(const replay::RunState& state)
{
    std::uint64_t sum = 0;
    for (const replay::Finding& finding : state.findings.all) {
        sum += finding.violated;
    }
    return sum;
}

} // namespace

bool isAnyClientHeld(const replay::RunState& state)
{
    return std::ranges::any_of(state.clients,
                               [](const replay::ClientRow& client) { return client.heldAt.has_value(); });
}

StepController::StepController(RunController* control, RunModel* model, Breakpoints* breakpoints,
                               QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_model(model)
    , m_breakpoints(breakpoints)
{
    // Removing a breakpoint lets the client continue.
    connect(breakpoints, &Breakpoints::changeRequested, this,
            [this](ClientId client, GateStep step, bool wanted) {
                post(wanted ? sim::Action::Kind::hold : sim::Action::Kind::letGo, client, step);
            });
    connect(breakpoints, &Breakpoints::changed, this, &StepController::changed);
    connect(control, &RunController::changed, this, &StepController::checkStage);
    connect(model, &RunModel::phaseChanged, this, &StepController::checkStage);
    connect(model, &RunModel::runChanged, this, &StepController::newRun);
    connect(model, &RunModel::stateChanged, this, &StepController::checkFindings);
}

void StepController::newRun()
{
    m_stepping = m_model->isLive() && m_control->scenario() && m_control->scenario()->stepping;
    m_breakpoints->clear();
    m_watchesFindings = false;
    m_violationsBefore.reset();
    emit changed();
}

void StepController::checkStage()
{
    const RunController::Stage stage = m_control->stage();
    m_breakpoints->setAvailable(stage == RunController::Stage::running ||
                                stage == RunController::Stage::paused);
}

void StepController::setStepping(bool stepping)
{
    if (!stepping) {
        resumeAll();
        return;
    }
    m_stepping = true;
    postToAll(sim::Action::Kind::hold, sim::Action::Target::everyone);
    resumeRun(); // a held client is not paused: it continues up to its next step
    emit changed();
}

void StepController::step(ClientId client) { post(sim::Action::Kind::step, client); }

void StepController::stepNext() { postToAll(sim::Action::Kind::step, sim::Action::Target::nextInTurn); }

void StepController::resumeClient(ClientId client)
{
    m_breakpoints->remove(client);
    post(sim::Action::Kind::letGo, client);
    emit changed();
}

void StepController::resumeAll()
{
    m_stepping = false;
    m_breakpoints->clear();
    postToAll(sim::Action::Kind::letGo, sim::Action::Target::everyone);
    emit changed();
}

// While clients stop before each step, a pause would change nothing: the button resumes them.
void StepController::runOrPause()
{
    const RunController::Stage stage = m_control->stage();
    if (!m_stepping || (stage != RunController::Stage::running && stage != RunController::Stage::paused)) {
        m_control->runOrPause();
        return;
    }
    resumeAll();
    resumeRun();
}

void StepController::runUntil(const sim::Trigger& when)
{
    if (m_stepping) {
        resumeAll();
    }
    m_control->post(engine::RunUntil{when});
}

void StepController::setWatchesFindings(bool watches)
{
    m_watchesFindings = watches;
    m_violationsBefore.reset();
    if (!watches) {
        emit changed();
        return;
    }
    if (m_stepping) {
        resumeAll();
    }
    checkFindings();
    resumeRun();
    emit changed();
}

// Checks only the present: the shown state may be an earlier one.
void StepController::checkFindings()
{
    if (!m_watchesFindings || !m_model->isLive() || !m_model->following() ||
        m_model->position() < m_model->drained()) {
        return;
    }
    const std::uint64_t now = violations(m_model->state());
    if (now <= m_violationsBefore.value_or(now)) {
        m_violationsBefore = m_violationsBefore.value_or(now);
        return;
    }
    m_watchesFindings = false;
    m_violationsBefore.reset();
    m_control->post(engine::Execute{sim::Action::Kind::pause});
    emit messagePosted(
        {.key = QStringLiteral("finding"),
         .kind = UserMessage::Kind::info,
         .text = [] { return tr("A finding is violated. The run is paused."); },
         .hint = [] { return tr("The Findings card names it; Show on Timeline jumps there."); }});
    emit changed();
}

void StepController::resumeRun()
{
    if (m_control->stage() == RunController::Stage::paused) {
        m_control->post(engine::Execute{sim::Action::Kind::resume});
    }
}

void StepController::post(sim::Action::Kind kind, ClientId client, std::optional<GateStep> step)
{
    sim::Action action;
    action.kind = kind;
    action.step = step;
    if (client.valid()) {
        m_control->post(engine::Execute{action, client});
    }
}

void StepController::postToAll(sim::Action::Kind kind, sim::Action::Target target)
{
    m_control->post(engine::Execute{sim::Action::of(kind, target)});
}

} // namespace lockscope::ui

#include "moc_step_controller.cpp"
