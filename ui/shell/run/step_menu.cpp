#include "ui/shell/run/step_menu.h"

#include "ui/models/run/breakpoints.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/shell/dialogs/parameter_dialog.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/run/step_controller.h"
#include "ui/shell/window/actions.h"
#include "ui/texts/client_status.h"
#include "ui/texts/command_text.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"

#include <QFileInfo>

#include <cstring>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kGateStepCount = static_cast<int>(GateStep::gone) + 1;
constexpr const char* kUntil = "until."; // before the name of an event
constexpr int kDefaultHandoffs = 5, kMaxHandoffs = 1'000'000;
} // namespace

StepMenu::StepMenu(Actions* actions, RunController* control, RunModel* model, Selection* selection,
                   Breakpoints* breakpoints, QWidget* window)
    : QMenu(window)
    , m_actions(actions)
    , m_control(control)
    , m_model(model)
    , m_selection(selection)
    , m_window(window)
    , m_steps(new StepController(control, model, breakpoints, this))
{
    setObjectName("stepMenu");
    setToolTipsVisible(true);
    onRetranslate(this, [this] { setTitle(MenuTexts::tr("&Step")); });
    addStepping();
    addSeparator();
    addBreakpoints();
    addRunUntil();
    addSeparator();
    addOrder();
    onLanguageChange(this, [this] { m_refused.reset(); });
    connect(model, &RunModel::stateChanged, this, &StepMenu::refresh);
    connect(model, &RunModel::runChanged, this, &StepMenu::refresh);
    connect(model, &RunModel::phaseChanged, this, &StepMenu::refresh);
    connect(selection, &Selection::changed, this, &StepMenu::refresh);
    connect(m_steps, &StepController::changed, this, &StepMenu::refresh);
    connect(control, &RunController::changed, this, &StepMenu::fillEarlier);
    fillEarlier();
    refresh();
}

template <class Receiver, class Call>
QAction* StepMenu::add(QMenu* menu, const char* name, Receiver* receiver, Call call)
{
    QAction* action = m_actions->of(name);
    menu->addAction(action);
    connect(action, &QAction::triggered, receiver, std::move(call));
    m_commands << action;
    return action;
}

// A run that refuses all commands says why in each of them.
void StepMenu::showRefusal(const QString& refused)
{
    if (m_refused == refused)
        return;
    m_refused = refused;
    for (QAction* action : m_commands) {
        action->setEnabled(refused.isEmpty());
        setExplanation(*action, refused.isEmpty() ? explanationOf(action->objectName()) : refused);
    }
}

void StepMenu::addStepping()
{
    m_stepMode = add(this, "stepMode", m_steps, &StepController::setStepping);
    m_stepNext = add(this, "stepNext", m_steps, &StepController::stepNext);
    m_oneStep = new QAction(this);
    m_oneStep->setCheckable(true); // checked: step mode is on
    connect(m_oneStep, &QAction::triggered, this, [this] {
        if (m_steps->isStepping()) {
            m_steps->stepNext();
        } else {
            m_steps->setStepping(true);
        }
        m_oneStep->setChecked(m_steps->isStepping());
    });
    m_step = add(this, "step", this, [this] { m_steps->step(m_selection->client()); });
    m_letGo = add(this, "letGo", this, [this] { m_steps->resumeClient(m_selection->client()); });
    m_letAllGo = add(this, "letAllGo", m_steps, &StepController::resumeAll);
}

void StepMenu::addBreakpoints()
{
    m_breakpointMenu = addMenu(QString());
    m_breakpointMenu->setToolTipsVisible(true);
    for (int i = 0; i < kGateStepCount; ++i) {
        const auto step = static_cast<GateStep>(i);
        QAction* action = makeCommand("breakpoint", m_window);
        onRetranslate(action, [action, step] {
            QString words = gatePositionText(step); // "Before list"
            words[0] = words[0].toUpper();
            action->setText(words);
            setExplanation(*action, explanationOf("breakpoint"));
        });
        m_breakpointMenu->addAction(action);
        connect(action, &QAction::triggered, this,
                [this, step](bool on) { m_steps->breakpoints()->set(m_selection->client(), step, on); });
        m_breakpoints.push_back(action);
        m_commands << action;
    }
}

void StepMenu::runUntil(sim::Trigger::Kind kind, bool selected, const char* event)
{
    sim::Trigger when;
    when.kind = kind;
    when.event = event;
    const replay::ClientRow* client = m_model->state().client(m_selection->client());
    if (selected && client) {
        when.client = std::string(client->name);
    }
    m_steps->runUntil(when);
}

void StepMenu::addRunUntil()
{
    using Kind = sim::Trigger::Kind;
    m_untilMenu = addMenu(QString());
    onRetranslate(this, [this] { m_untilMenu->setTitle(MenuTexts::tr("&Run Until")); });
    m_untilMenu->setToolTipsVisible(true);
    add(m_untilMenu, "untilAcquired", this, [this] { runUntil(Kind::holds, false); });
    m_untilSelected = add(m_untilMenu, "untilSelected", this, [this] { runUntil(Kind::holds, true); });
    add(m_untilMenu, "untilHandoffs", this, &StepMenu::askHandoffs);
    m_untilMenu->addSeparator();
    for (const CommandRow& row : commandTable())
        if (const QLatin1String name(row.name); name.startsWith(QLatin1String(kUntil)))
            add(m_untilMenu, row.name, this,
                [this, event = row.name + std::strlen(kUntil)] { runUntil(Kind::happens, false, event); });
    m_untilMenu->addSeparator();
    m_untilFinding = add(m_untilMenu, "untilFinding", m_steps, &StepController::setWatchesFindings);
}

void StepMenu::addOrder()
{
    m_saveOrder = add(this, "saveOrder", this, &StepMenu::askSaveOrder);
    m_fork = add(this, "fork", m_control, &RunController::fork);
    m_earlier = addMenu(QString());
    onRetranslate(this, [this] { m_earlier->setTitle(MenuTexts::tr("&Earlier Runs")); });
    m_earlier->setToolTipsVisible(true);
}

void StepMenu::askHandoffs()
{
    CommandState words;
    words.text = tr("Run Until…");
    words.consequence = tr("The run continues and pauses after this many handoffs.");
    auto* dialog =
        //: label of a field: after how many handoffs the run pauses
        new ParameterDialog(words, {{tr("Handoffs"), {}, kDefaultHandoffs, 1, kMaxHandoffs}}, m_window);
    connect(dialog, &ParameterDialog::chosen, m_steps, [this](const std::vector<int>& values) {
        sim::Trigger when;
        when.kind = sim::Trigger::Kind::handoffs;
        when.count = static_cast<std::uint32_t>(values.front());
        m_steps->runUntil(when);
    });
    dialog->open();
}

void StepMenu::askSaveOrder()
{
    askForFile({.title = tr("Save the Step Order"),
                .folder = m_folder,
                .filters = {tr("Scenarios (*.toml)")},
                .suffix = "toml",
                .name = m_control->suggestedName() + QStringLiteral("-steps.toml")},
               m_window, [this](const QString& path) {
                   m_folder = QFileInfo(path).path();
                   m_control->saveSteps(path);
               });
}

// For a menu: escapes the name's ampersands, which would be mnemonics.
QString StepMenu::selectedName() const
{
    const replay::ClientRow* client = m_model->state().client(m_selection->client());
    return client ? format::plain(client->name, 24).replace(u'&', QLatin1String("&&")) : QString();
}

void StepMenu::refresh()
{
    const auto stage = m_control->stage();
    const QString refused = m_control->refusal().text();
    showRefusal(refused);
    const bool live = stage == RunController::Stage::running || stage == RunController::Stage::paused;
    const replay::RunState& state = m_model->state();
    const replay::ClientRow* client = state.client(m_selection->client());
    const bool stands = live && client && client->heldAt;
    const QString name = selectedName();
    m_stepMode->setEnabled(live);
    m_stepMode->setChecked(m_steps->isStepping());
    m_stepNext->setEnabled(live && isAnyClientHeld(state));
    m_oneStep->setEnabled(live);
    m_oneStep->setChecked(m_steps->isStepping());
    m_oneStep->setToolTip(
        !refused.isEmpty() ? refused
        : m_steps->isStepping()
            ? tr("The next client in turn takes one step (F8). Ctrl+F8 resumes all clients.")
            : tr("Stops every client before its next step; from then on each click is one step."));
    m_step->setEnabled(stands);
    m_step->setText(stands ? MenuTexts::tr("&Step %1: %2").arg(name, gateStepText(*client->heldAt))
                           : MenuTexts::tr("&Step the Selected Client"));
    m_letGo->setEnabled(live && client && !m_steps->isStepping());
    m_letGo->setText(name.isEmpty() ? MenuTexts::tr("&Continue the Selected Client")
                                    : MenuTexts::tr("&Continue %1").arg(name));
    m_letAllGo->setEnabled(
        live && (m_steps->isStepping() || m_steps->breakpoints()->any() || isAnyClientHeld(state)));
    m_untilMenu->setEnabled(live);
    for (QAction* action :
         m_untilMenu->actions()) { // the list of commands and the shortcuts ignore a disabled menu
        action->setEnabled(live && (client || action != m_untilSelected));
    }
    m_untilSelected->setText(name.isEmpty() ? MenuTexts::tr("The Selected &Client Acquires")
                                            : MenuTexts::tr("%1 A&cquires").arg(name));
    m_untilFinding->setChecked(m_steps->isWatchingFindings());
    updateOrderActions();
    refreshBreakpoints(live && client);
}

// Shows a command's text as elsewhere in the window, not its name in the trace.
QString StepMenu::blockerText(const sim::StepBlocker& blocker)
{
    if (blocker.kind != sim::StepBlocker::Kind::fault) {
        return translateMessage(blocker.text());
    }
    return tr("Steps alone do not lead to this moment. A command came before it: %1.")
        .arg(commandText(blocker.what, format::plain(blocker.who, 24)));
}

// A moment that steps alone do not lead to can be neither forked nor saved: the explanation then gives the
// reason.
void StepMenu::updateOrderActions()
{
    const std::optional<sim::StepBlocker> blocker = m_control->stepBlocker();
    const bool refused = !m_refused.value_or(QString()).isEmpty();
    for (QAction* action : {m_saveOrder, m_fork}) {
        action->setEnabled(m_model->hasRun() && !refused && !blocker);
        if (!refused)
            setExplanation(*action, blocker ? blockerText(*blocker) : explanationOf(action->objectName()));
    }
}

void StepMenu::refreshBreakpoints(bool possible)
{
    m_breakpointMenu->setEnabled(possible);
    m_breakpointMenu->setTitle(possible ? MenuTexts::tr("&Breakpoints of %1").arg(selectedName())
                                        : MenuTexts::tr("&Breakpoints"));
    for (std::size_t i = 0; i < m_breakpoints.size(); ++i) {
        m_breakpoints[i]->setEnabled(possible);
        m_breakpoints[i]->setChecked(
            possible && m_steps->breakpoints()->has(m_selection->client(), static_cast<GateStep>(i)));
    }
}

void StepMenu::fillEarlier()
{
    const QStringList labels = m_control->earlierRuns();
    if (labels == m_earlierLabels) {
        return; // an open menu keeps its entries
    }
    m_earlierLabels = labels;
    m_earlier->clear();
    m_earlier->setEnabled(!labels.isEmpty());
    for (int i = 0; i < labels.size(); ++i) {
        QAction* action = m_earlier->addAction(QString(labels[i]).replace(u'&', QLatin1String("&&")));
        action->setProperty(kShowsRecordedRun, true);
        action->setStatusTip(tr("Shows this run as a trace. It can be saved and compared like any other."));
        connect(action, &QAction::triggered, m_control,
                [control = m_control, i] { control->showEarlier(i); });
    }
}

} // namespace lockscope::ui

#include "moc_step_menu.cpp"
