#include "ui/shell/step_control.h"

#include "ui/models/breakpoints.h"
#include "ui/models/format.h"
#include "ui/models/run_model.h"
#include "ui/shell/run_control.h"

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

bool anybodyStands(const replay::RunState& state)
{
    return std::any_of(state.clients.begin(), state.clients.end(),
                       [](const replay::ClientRow& client) { return client.heldAt.has_value(); });
}

StepControl::StepControl(RunControl* control, RunModel* model, Breakpoints* breakpoints, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_model(model)
    , m_breakpoints(breakpoints)
{
    // Taking one away lets the client go on.
    connect(breakpoints, &Breakpoints::wanted, this,
            [this](ClientId client, trace::GateStep step, bool wanted) {
                post(wanted ? sim::Deed::Kind::holdSteps : sim::Deed::Kind::letGo, client, step);
            });
    connect(breakpoints, &Breakpoints::changed, this, &StepControl::changed);
    connect(control, &RunControl::changed, this, &StepControl::lookAtStage);
    connect(model, &RunModel::phaseChanged, this, &StepControl::lookAtStage);
    connect(model, &RunModel::runChanged, this, &StepControl::newRun);
    connect(model, &RunModel::stateChanged, this, &StepControl::lookAtFindings);
}

void StepControl::newRun()
{
    m_stepping = m_model->isLive() && m_control->scenario() && m_control->scenario()->stepping;
    m_breakpoints->forgetAll();
    m_violationsBefore.reset();
    emit changed();
}

void StepControl::lookAtStage()
{
    const RunControl::Stage stage = m_control->stage();
    m_breakpoints->setPossible(stage == RunControl::Stage::running || stage == RunControl::Stage::paused);
}

void StepControl::setStepping(bool stepping)
{
    if (!stepping) {
        letAllGo();
        return;
    }
    m_stepping = true;
    postToAll(sim::Deed::Kind::holdSteps, sim::Deed::Target::everybody);
    goOn(); // held is not paused: each goes on up to its next step and stands there
    emit changed();
}

void StepControl::step(ClientId client) { post(sim::Deed::Kind::step, client); }

void StepControl::stepNext() { postToAll(sim::Deed::Kind::step, sim::Deed::Target::nextInTurn); }

void StepControl::letGo(ClientId client)
{
    m_breakpoints->forget(client);
    post(sim::Deed::Kind::letGo, client);
    emit changed();
}

void StepControl::letAllGo()
{
    m_stepping = false;
    m_breakpoints->forgetAll();
    postToAll(sim::Deed::Kind::letGo, sim::Deed::Target::everybody);
    emit changed();
}

void StepControl::runUntil(const sim::When& when)
{
    if (m_stepping) {
        letAllGo();
    }
    m_control->post(engine::RunUntil{when});
}

void StepControl::runUntilFindingFails()
{
    if (m_stepping) {
        letAllGo();
    }
    m_violationsBefore = violations(m_model->state());
    goOn();
    emit changed();
}

// The present only: what is shown may be the past.
void StepControl::lookAtFindings()
{
    if (!m_violationsBefore || !m_model->isLive() || !m_model->following() ||
        violations(m_model->state()) <= *m_violationsBefore) {
        return;
    }
    m_violationsBefore.reset();
    m_control->post(engine::Pause{});
    emit m_control->said(
        {.key = QStringLiteral("finding"),
         .kind = Message::Kind::info,
         .text = [] { return tr("A finding is violated: the run is paused."); },
         .hint = [] { return tr("Findings says which one; Show on timeline goes there."); }});
    emit changed();
}

void StepControl::goOn()
{
    if (m_control->stage() == RunControl::Stage::paused) {
        m_control->post(engine::Resume{});
    }
}

void StepControl::post(sim::Deed::Kind kind, ClientId client, std::optional<trace::GateStep> step)
{
    sim::Deed deed;
    deed.kind = kind;
    deed.step = step;
    if (client.valid()) {
        m_control->post(engine::Do{deed, client});
    }
}

void StepControl::postToAll(sim::Deed::Kind kind, sim::Deed::Target target)
{
    sim::Deed deed;
    deed.kind = kind;
    deed.target = target;
    m_control->post(engine::Do{deed});
}

} // namespace lockscope::ui
