#include "ui/shell/runbar/run_bar.h"

#include "ui/models/run/run_model.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/run/fault_menu.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/runbar/client_count_box.h"
#include "ui/shell/runbar/pace_slider.h"
#include "ui/shell/runbar/scenario_chooser.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/icons.h"
#include "ui/widgets/panel_parts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

using Stage = RunController::Stage;

constexpr int kRunBarHeight = 54;
constexpr int kRunBarGap = 10;    // between the parts, as in the style sheet
constexpr int kRunBarPadding = 8; // around them; at the bottom, a line of one pixel below it
constexpr int kBrandLeft = 10;
constexpr int kLeastTitle = 150, kTitle = 250; // of the run: its least width, and what words leave it

// Styles differ in what a box needs beside its text.
int leastWidth(const ScenarioChooser& chooser)
{
    return std::clamp(chooser.minimumSizeHint().width(), kLeastTitle, kTitle);
}

// Makes the button as wide as its widest text, so that its neighbors do not move when the text changes.
void reserveWidth(QPushButton* button, const QStringList& texts)
{
    const QString shown = button->text();
    int widest = button->sizeHint().width();
    for (const QString& text : texts) {
        button->setText(text);
        widest = std::max(widest, button->sizeHint().width());
    }
    button->setText(shown);
    button->setMinimumWidth(widest);
}

// How the bars look in a stage of the run. The run button names its next action.
struct StageFace
{
    const char* text; // of the context "Menus"
    const char* icon;
    const char* explanation; // of the context of RunBar
    const char* noFaults;    // why none can be injected; null: they can
    bool over = false;       // neither steps nor pace nor clients: the scrub bar plays the run
};

StageFace faceOf(Stage stage, bool stepping, bool canRun)
{
    static constexpr const char* kRefused = "";
    static const char* const kChoose = QT_TRANSLATE_NOOP(
        "lockscope::ui::RunBar", "Choose a scenario first: this trace does not contain one.");
    static const char* const kAgain =
        QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "Starts the scenario from the beginning, live.");
    switch (stage) {
    case Stage::starting:
        return {QT_TRANSLATE_NOOP("Menus", "Starting…"), "pause",
                QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "The server and the clients are starting."),
                nullptr};
    case Stage::watching:
        return {QT_TRANSLATE_NOOP("Menus", "Stop Watching"), "pause",
                QT_TRANSLATE_NOOP("lockscope::ui::RunBar",
                                  "Ends the watching session. The recorded events are kept."),
                kRefused};
    case Stage::running:
        if (!stepping)
            //: a button
            return {QT_TRANSLATE_NOOP("Menus", "Pause"), "pause",
                    QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "Stops every client before its next step."),
                    nullptr};
        [[fallthrough]];
    case Stage::paused:
        //: a button: the run continues after a pause
        return {QT_TRANSLATE_NOOP("Menus", "Resume"), "play",
                stepping ? QT_TRANSLATE_NOOP("lockscope::ui::RunBar",
                                             "Ends the step mode and resumes all clients.")
                         : QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "Resumes all clients."),
                nullptr};
    case Stage::nothing:
        //: a button: starts a run
        return {QT_TRANSLATE_NOOP("Menus", "Run"), "play",
                QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "Choose a scenario first."),
                QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "There is no run to inject faults into.")};
    case Stage::ended:
        return {QT_TRANSLATE_NOOP("Menus", "Run Again"), "again", canRun ? kAgain : kChoose,
                QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "The run has ended: faults cannot be injected."),
                true};
    case Stage::trace:
        break;
    }
    return {QT_TRANSLATE_NOOP("Menus", "Run Live"), "again", canRun ? kAgain : kChoose,
            QT_TRANSLATE_NOOP("lockscope::ui::RunBar", "Recorded run: faults cannot be injected."), true};
}

} // namespace

RunBar::RunBar(RunModel* model, RunController* control, Actions* actions, FaultMenu* faults, Theme* theme,
               QMainWindow* window)
    : QToolBar(window)
    , m_control(control)
    , m_actions(actions)
    , m_theme(theme)
    , m_status(new QToolBar(window))
    , m_brand(new QLabel(this))
    , m_chooser(new ScenarioChooser(this))
    , m_run(new QPushButton(this))
    , m_step(new QPushButton(this))
    , m_pace(new PaceSlider(model, *actions, theme, this))
    , m_clients(new ClientCountBox(model, theme, this))
    , m_faults(new QPushButton(this))
    , m_pills(new FindingsPills(model, theme, this))
    , m_server(new ServerBadge(model, theme, this))
{
    setObjectName("runBar");
    m_status->setObjectName("runStatus");
    m_run->setObjectName("runButton");
    m_run->setProperty("kind", "primary");
    m_step->setObjectName("stepButton");
    m_faults->setObjectName("whatIfButton");
    m_faults->setProperty("kind", "danger");
    m_faults->setMenu(faults);
    assemble(window);
    onRetranslate(this, [this] {
        //: the name of a tool bar, for screen readers
        setAccessibleName(tr("Run controls"));
        //: the name of a tool bar, for screen readers
        m_status->setAccessibleName(tr("Status of the run"));
        //: a button: shows the controls without room
        m_more->setToolTip(tr("More controls"));
        m_more->setAccessibleName(m_more->toolTip());
        m_brand->setText(tr("LockScope"));
        m_faults->setText(tr("What If…  ▾"));
    });
    connectParts();
    restyle();
}

void RunBar::assemble(QMainWindow* window)
{
    for (QToolBar* bar : {static_cast<QToolBar*>(this), m_status}) {
        bar->setProperty(kManualPage, QStringLiteral("faults"));
        bar->setMovable(false);
        window->addToolBar(bar);
    }
    window->setContextMenuPolicy(Qt::NoContextMenu); // its own menu would hide the bars
    m_brand->setContentsMargins(kBrandLeft, 0, 0, 0);
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_brand, m_chooser, m_run, m_step, m_pace, m_clients})
        m_shown[part] = addWidget(part);
    // One part, so that all of it is in sight at any width.
    auto* status = new QWidget(m_status);
    status->setFixedHeight(kRunBarHeight - 2 * kRunBarPadding - 1);
    m_statusRow = new QHBoxLayout(status);
    m_statusRow->setContentsMargins(0, 0, 0, 0);
    m_statusRow->setSpacing(kRunBarGap);
    m_statusRow->addWidget(m_faults);
    m_statusRow->addStretch(1);
    m_statusRow->addWidget(m_pills);
    m_statusRow->addWidget(m_server);
    m_status->addWidget(status);
    status->installEventFilter(this);
    window->installEventFilter(this);
    m_more = findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    m_more->setFocusPolicy(Qt::TabFocus);
}

void RunBar::connectParts()
{
    connect(m_chooser, &ScenarioChooser::builtInChosen, m_control, &RunController::startBuiltIn);
    connect(m_chooser, &ScenarioChooser::openRequested, m_actions->of("open"), &QAction::trigger);
    connect(m_run, &QPushButton::clicked, m_actions->of("runOrPause"), &QAction::trigger);
    connect(m_pace, &PaceSlider::paceRequested, m_control, &RunController::setPace);
    connect(m_clients, &ClientCountBox::addRequested, m_control, &RunController::addClients);
    connect(m_clients, &ClientCountBox::removeRequested, m_control, &RunController::removeClients);
    connect(m_pills, &FindingsPills::clicked, this, &RunBar::findingClicked);
    connect(m_control, &RunController::changed, this, &RunBar::showStage);
    m_theme->onChange(this, [this] { restyle(); });
}

void RunBar::addStep(QAction* oneStep)
{
    const auto show = [this, oneStep] {
        const bool on = oneStep->isChecked();
        if (std::exchange(m_stepping, on) != on) {
            showStage();
        }
        m_step->setText(on ? tr("Next Step") : /*: a button */ tr("Step"));
        m_step->setEnabled(oneStep->isEnabled());
        m_step->setToolTip(oneStep->toolTip());
        if (m_step->property("kind").toString() != QLatin1String(on ? "on" : "")) {
            m_step->setProperty("kind", on ? "on" : "");
            repolish(m_step);
        }
        reserveWidth(m_step, {tr("Step"), tr("Next Step")});
    };
    connect(oneStep, &QAction::changed, m_step, show);
    connect(m_step, &QPushButton::clicked, oneStep, &QAction::trigger);
    show();
}

void RunBar::setLesson(bool lesson)
{
    m_shown[m_chooser]->setVisible(!lesson);
    fit();
}

void RunBar::addAtEnd(QWidget* part)
{
    m_end = part;
    m_statusRow->addWidget(part);
    fit();
}

void RunBar::setVisible(bool visible)
{
    QToolBar::setVisible(visible);
    m_status->setVisible(visible);
}

void RunBar::restyle()
{
    m_brand->setFont(m_theme->fonts().heading);
    for (QWidget* part : std::initializer_list<QWidget*>{m_chooser, m_run, m_step, m_faults}) {
        part->setFont(m_theme->fonts().text);
    }
    m_more->setIcon(icon("more", m_theme->palette().text));
    reserveWidth(m_step, {tr("Step"), tr("Next Step")});
    showStage();
}

void RunBar::showStage()
{
    const Stage stage = m_control->stage();
    const StageFace face = faceOf(stage, m_stepping, m_control->canRun());
    const QString refused = m_control->refusal().text();
    const bool possible = stage == Stage::running || stage == Stage::watching || stage == Stage::paused ||
                          (stage != Stage::starting && m_control->canRun());
    m_faults->setEnabled(refused.isEmpty() && !face.noFaults);
    m_faults->setToolTip(!refused.isEmpty() ? refused
                         : face.noFaults    ? tr(face.noFaults)
                                            : tr("Inject a fault and watch the lock react."));
    showParts();
    const Palette& palette = m_theme->palette();
    const QString text = MenuTexts::tr(face.text);
    m_run->setText(text);
    m_run->setIcon(icon(face.icon, !possible   ? palette.textFaint
                                   : face.over ? palette.text
                                               : palette.onPrimary));
    m_run->setIconSize({12, 12});
    const bool pauses =
        refused.isEmpty() && (stage == Stage::starting || stage == Stage::running || stage == Stage::paused);
    reserveWidth(m_run, pauses ? QStringList{MenuTexts::tr("Starting…"), MenuTexts::tr("Pause"),
                                             MenuTexts::tr("Resume")}
                               : QStringList());
    m_run->setEnabled(possible);
    // The space bar triggers the filled button, which plays the recording once a run is over.
    const QList<QKeySequence> space = keysOf("runOrPause"), play = keysOf("playBack");
    QAction* run = m_actions->of("runOrPause");
    run->setShortcuts(face.over ? QList<QKeySequence>() : space);
    m_actions->of("playBack")->setShortcuts(face.over ? play + space : play);
    run->setText(text);
    run->setEnabled(possible);
    setExplanation(*run, tr(face.explanation));
    m_actions->of("runAgain")->setEnabled(m_control->canRun());
    showDisabledReason(refused);
    m_run->setToolTip(run->toolTip());
    m_chooser->showSource(m_control->scenarioName(), m_control->sourceLabel());
    fit();
}

// A run that refuses all commands keeps its pace and its clients.
void RunBar::showDisabledReason(const QString& disabledReason)
{
    m_pace->setDisabledReason(disabledReason);
    m_clients->setDisabledReason(disabledReason);
    for (const char* name : {"slower", "faster"}) {
        QAction* action = m_actions->of(name);
        action->setEnabled(disabledReason.isEmpty());
        const QString words = disabledReason.isEmpty() ? explanationOf(name) : disabledReason;
        if (words != action->statusTip())
            setExplanation(*action, words);
    }
}

// Hides the step, pace and client controls of a run that is over or refuses commands, which hides its faults,
// too. Once a run is over, the scrub bar plays it, and its Play button is the filled one.
void RunBar::showParts()
{
    const bool over = faceOf(m_control->stage(), m_stepping, false).over;
    const bool refuses = m_control->refusal().source != nullptr;
    for (const QWidget* part : std::initializer_list<QWidget*>{m_step, m_pace, m_clients})
        m_shown[part]->setVisible(!over && !refuses);
    m_faults->setVisible(!refuses);
    if (const QString kind = over ? "" : "primary"; m_run->property("kind").toString() != kind) {
        m_run->setProperty("kind", kind);
        repolish(m_run);
    }
}

bool RunBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool resized = event->type() == QEvent::Resize && watched == window();
    if (resized && m_more->isChecked()) {
        // An open second row would keep the width of the old window, also while it is closed step by step.
        auto* window = static_cast<QMainWindow*>(this->window());
        window->setAnimated(false);
        m_more->click();
        window->setAnimated(true);
    }
    if (resized || (event->type() == QEvent::LayoutRequest && watched != window()))
        fit();
    return QToolBar::eventFilter(watched, event);
}

// If a part became wider, other parts may have to become narrower.
bool RunBar::event(QEvent* event)
{
    const bool done = QToolBar::event(event);
    if (event->type() == QEvent::LayoutRequest)
        fit();
    return done;
}

// Computed without changing the parts: changing a part to measure it would request a new layout each time.
int RunBar::widthFor(StatusWidth words) const
{
    int sum = 4 * kRunBarPadding;
    const auto add = [&sum](bool shown, int width) { sum += shown ? width + kRunBarGap : 0; };
    add(m_shown[m_chooser]->isVisible(),
        std::clamp(m_chooser->widthOfText(), leastWidth(*m_chooser), kTitle));
    for (const QWidget* part : std::initializer_list<const QWidget*>{m_run, m_step, m_pace, m_clients})
        add(m_shown[part]->isVisible(), std::max(part->sizeHint().width(), part->minimumWidth()));
    add(!m_faults->isHidden(), m_faults->sizeHint().width());
    add(true, m_pills->widthFor(words));
    add(true, m_server->widthFor(words));
    add(m_end && !m_end->isHidden(), m_end ? m_end->minimumWidth() : 0);
    return sum;
}

// The longest words that leave room for all controls and for the title of the run. With the shortest, the
// controls without room are behind the button at their end.
void RunBar::fit()
{
    if (!m_statusRow)
        return;
    const auto longer = [](StatusWidth words, int by) {
        return static_cast<StatusWidth>(std::max(0, static_cast<int>(words) - by));
    };
    Fitted now;
    while (now.words != StatusWidth::mark && widthFor(now.words) > window()->width())
        now.words = longer(now.words, -1);
    int spare = window()->width() - widthFor(now.words);
    const bool all = spare >= 0;
    if (!all && m_shown[m_clients]->isVisible())
        spare += m_clients->sizeHint().width() - kRunBarGap -
                 style()->pixelMetric(QStyle::PM_ToolBarExtensionExtent, nullptr, this);
    // The remaining width goes to the whole title, then to longer words about the server, and to the name of
    // the program.
    const int title = m_chooser->widthOfText(), least = leastWidth(*m_chooser);
    const int needed = std::clamp(title, least, kTitle);
    now.chooser = std::clamp(title, least, std::max(least, needed + spare));
    spare = all ? spare - (now.chooser - needed) : 0; // no words beside a control without room
    const auto take = [&spare](int width) {
        const bool fits = width <= spare;
        spare -= fits ? width : 0;
        return fits;
    };
    now.server = longer(now.words, 1);
    if (!take(m_server->widthFor(now.server) - m_server->widthFor(now.words)))
        now.server = now.words;
    now.brand = now.words == StatusWidth::full && take(m_brand->sizeHint().width() + kRunBarGap);
    if (m_fitted == now)
        return; // otherwise each layout would request another one, endlessly
    m_fitted = now;
    m_pills->setWidth(now.words);
    m_server->setWidth(now.server);
    m_chooser->setFixedWidth(now.chooser);
    m_shown[m_brand]->setVisible(now.brand);
    // Lays out at once, from the inside to the outside, so that the bar is never painted with parts cut off.
    for (QLayout* inner : {m_pills->layout(), static_cast<QLayout*>(m_statusRow)})
        inner->activate();
}

} // namespace lockscope::ui

#include "moc_run_bar.cpp"
