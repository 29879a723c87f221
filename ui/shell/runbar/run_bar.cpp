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
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kRunBarHeight = 54;
constexpr int kMinRunBarWidth = 660;
constexpr int kMinWidthWithoutRun = 420;
constexpr int kRunBarLeft = 20;
constexpr int kRight = 16;
constexpr int kRunBarGap = 12, kNarrowGap = 8;
constexpr int kExtraGap = 4;

bool isOver(RunController::Stage stage)
{
    return stage == RunController::Stage::ended || stage == RunController::Stage::trace;
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

} // namespace

RunBar::RunBar(RunModel* model, RunController* control, Actions* actions, FaultMenu* faults, Theme* theme,
               QWidget* parent)
    : QWidget(parent)
    , m_control(control)
    , m_actions(actions)
    , m_theme(theme)
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
    setProperty(kManualPage, QStringLiteral("faults"));
    setFixedHeight(kRunBarHeight);
    m_run->setObjectName("runButton");
    m_run->setProperty("kind", "primary");
    m_step->setObjectName("stepButton");
    m_faults->setObjectName("whatIfButton");
    m_faults->setProperty("kind", "danger");
    m_faults->setMenu(faults);
    onRetranslate(this, [this] {
        m_brand->setText(tr("LockScope"));
        m_faults->setText(tr("What If…  ▾"));
        showFaultButton();
    });
    assemble();
    connectParts(actions);
    restyle();
    showStage();
}

void RunBar::assemble()
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kRunBarLeft, 0, kRight, 0);
    row->setSpacing(kRunBarGap);
    row->setSizeConstraint(QLayout::SetNoConstraint);
    row->addWidget(m_brand);
    row->addWidget(m_chooser);
    row->addWidget(m_run);
    row->addWidget(m_step);
    row->addSpacing(kExtraGap);
    row->addWidget(m_pace);
    row->addWidget(m_clients);
    row->addSpacing(kExtraGap);
    row->addWidget(m_faults);
    row->addStretch(1);
    row->addWidget(m_pills);
    row->addWidget(m_server);
}

void RunBar::connectParts(Actions* actions)
{
    connect(m_chooser, &ScenarioChooser::builtInChosen, m_control, &RunController::startBuiltIn);
    connect(m_chooser, &ScenarioChooser::openRequested, actions->of("open"), &QAction::trigger);
    connect(m_run, &QPushButton::clicked, actions->of("runOrPause"), &QAction::trigger);
    connect(m_pace, &PaceSlider::paceRequested, m_control, &RunController::setPace);
    connect(m_clients, &ClientCountBox::addRequested, m_control, &RunController::addClients);
    connect(m_clients, &ClientCountBox::removeRequested, m_control, &RunController::removeClients);
    connect(m_pills, &FindingsPills::clicked, this, &RunBar::findingClicked);
    connect(m_control, &RunController::changed, this, &RunBar::showStage);
    connect(m_theme, &Theme::changed, this, &RunBar::restyle);
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
    m_chooser->setVisible(!lesson);
    fit();
}

void RunBar::addAtEnd(QWidget* part)
{
    m_end = part;
    layout()->addWidget(part);
    fit();
}

void RunBar::restyle()
{
    QFont brand = m_theme->fonts().heading;
    m_brand->setFont(brand);
    for (QWidget* part : std::initializer_list<QWidget*>{m_chooser, m_run, m_step, m_faults}) {
        part->setFont(m_theme->fonts().text);
    }
    reserveWidth(m_step, {tr("Step"), tr("Next Step")});
    showStage();
    update();
}

// One button whose text names its next action.
void RunBar::showStage()
{
    const bool watchOnly = m_control->isWatchOnly();
    struct Face
    {
        QString text, icon, explanation;
    };
    const auto stage = m_control->stage();
    const auto face = [this, stage, watchOnly]() -> Face {
        switch (stage) {
        case RunController::Stage::starting:
            return {MenuTexts::tr("Starting…"), "pause", tr("The server and the clients are starting.")};
        case RunController::Stage::running:
            if (watchOnly)
                return {MenuTexts::tr("Stop Watching"), "pause",
                        tr("Ends the watching session. The recorded events are kept.")};
            if (!m_stepping)
                //: a button
                return {MenuTexts::tr("Pause"), "pause", tr("Stops every client before its next step.")};
            [[fallthrough]];
        case RunController::Stage::paused:
            //: a button: the run continues after a pause
            return {MenuTexts::tr("Resume"), "play",
                    m_stepping ? tr("Ends the step mode and resumes all clients.")
                               : tr("Resumes all clients.")};
        case RunController::Stage::nothing:
            //: a button: starts a run
            return {MenuTexts::tr("Run"), "play", tr("Choose a scenario first.")};
        case RunController::Stage::ended:
        case RunController::Stage::trace:
            break;
        }
        return {stage == RunController::Stage::trace ? MenuTexts::tr("Run Live") : MenuTexts::tr("Run Again"),
                "again",
                m_control->canRun() ? tr("Starts the scenario from the beginning, live.")
                                    : tr("Choose a scenario first: this trace does not contain one.")};
    }();
    const bool possible = stage == RunController::Stage::running || stage == RunController::Stage::paused ||
                          (stage != RunController::Stage::starting && m_control->canRun());
    showFaultButton();
    showParts();
    const Palette& palette = m_theme->palette();
    m_run->setText(face.text);
    m_run->setIcon(icon(face.icon, !possible                    ? palette.textFaint
                                   : isOver(m_control->stage()) ? palette.text
                                                                : palette.onPrimary));
    m_run->setIconSize({12, 12});
    const bool pauses =
        !watchOnly && (stage == RunController::Stage::starting || stage == RunController::Stage::running ||
                       stage == RunController::Stage::paused);
    reserveWidth(m_run, pauses ? QStringList{MenuTexts::tr("Starting…"), MenuTexts::tr("Pause"),
                                             MenuTexts::tr("Resume")}
                               : QStringList());
    m_run->setEnabled(possible);
    // The space bar triggers the filled button, which plays the recording once a run is over.
    const QList<QKeySequence> space = keysOf("runOrPause"), play = keysOf("playBack");
    QAction* run = m_actions->of("runOrPause");
    run->setShortcuts(isOver(stage) ? QList<QKeySequence>() : space);
    m_actions->of("playBack")->setShortcuts(isOver(stage) ? play + space : play);
    run->setText(face.text);
    run->setEnabled(possible);
    setExplanation(*run, face.explanation);
    m_actions->of("runAgain")->setEnabled(m_control->canRun());
    showDisabledReason(watchOnly ? watchOnlyReason().text() : QString());
    m_run->setToolTip(run->toolTip());
    m_chooser->showSource(m_control->scenarioName(), m_control->sourceLabel());
    fit();
}

// While LockScope only watches, neither the pace nor the number of clients can be changed.
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

// Hides the step, pace and client controls of a run that is over or only watched; fault injection is also
// hidden while only watching. Once a run is over, the scrub bar plays it, and its Play button is the filled
// one. Without a run, a narrow bar hides all these controls, because the list of a history needs the room.
void RunBar::showParts()
{
    const bool over = isOver(m_control->stage());
    const bool none = m_control->stage() == RunController::Stage::nothing && width() < kMinRunBarWidth;
    const bool watchOnly = m_control->isWatchOnly();
    for (QWidget* part : std::initializer_list<QWidget*>{m_step, m_pace, m_clients}) {
        part->setVisible(!over && !watchOnly && !none);
    }
    m_faults->setVisible(!watchOnly && !none);
    updateGeometry();
    if (const QString kind = over ? "" : "primary"; m_run->property("kind").toString() != kind) {
        m_run->setProperty("kind", kind);
        repolish(m_run);
    }
}

// Faults can be injected only into a run in progress.
void RunBar::showFaultButton()
{
    using Stage = RunController::Stage;
    const Stage stage = m_control->stage();
    const bool watchOnly = m_control->isWatchOnly();
    m_faults->setEnabled(!watchOnly &&
                         (stage == Stage::starting || stage == Stage::running || stage == Stage::paused));
    m_faults->setToolTip(watchOnly                 ? watchOnlyReason().text()
                         : stage == Stage::trace   ? tr("Recorded run: faults cannot be injected.")
                         : stage == Stage::ended   ? tr("The run has ended: faults cannot be injected.")
                         : stage == Stage::nothing ? tr("There is no run to inject faults into.")
                                                   : tr("Inject a fault and watch the lock react."));
}

QSize RunBar::minimumSizeHint() const
{
    const bool none = m_control->stage() == RunController::Stage::nothing;
    return {none ? kMinWidthWithoutRun : kMinRunBarWidth, kRunBarHeight};
}

void RunBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showParts();
    fit();
}

// If a part became wider, other parts may have to become narrower.
bool RunBar::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return done;
}

// The variant or width of each part at a level of narrowness.
struct RunBar::PartWidths
{
    ServerBadge::Width server;
    FindingsPills::Width pills;
    PaceSlider::Width pace;
    ClientCountBox::Width clients;
    int chooser;
    bool brand;
    int gap;
};

// A field goes as a whole: a slider and a number mean nothing without their labels. Keys and menus have both.
RunBar::PartWidths RunBar::widthsAt(int level)
{
    return {level == 0   ? ServerBadge::Width::full
            : level <= 2 ? ServerBadge::Width::brief
                         : ServerBadge::Width::mark,
            level <= 1   ? FindingsPills::Width::full
            : level <= 3 ? FindingsPills::Width::brief
                         : FindingsPills::Width::one,
            level <= 3   ? PaceSlider::Width::full
            : level <= 6 ? PaceSlider::Width::brief
                         : PaceSlider::Width::none,
            level <= 5 ? ClientCountBox::Width::full : ClientCountBox::Width::none,
            level == 0   ? 250
            : level <= 2 ? 210
            : level <= 4 ? 170
            : level == 5 ? 110
                         : 70,
            level < 3,
            level < 5 ? kRunBarGap : kNarrowGap};
}

// Computed without changing the parts: changing a part to measure it would request a new layout each time.
int RunBar::widthFor(const PartWidths& widths) const
{
    int sum = kRunBarLeft + kRight + 2 * kExtraGap;
    const auto add = [&](const QWidget* part, int width) {
        sum += part->isHidden() ? 0 : width + widths.gap;
    };
    sum += widths.brand ? m_brand->sizeHint().width() + widths.gap : 0;
    add(m_chooser, widths.chooser);
    add(m_run, m_run->minimumWidth());
    add(m_step, m_step->minimumWidth());
    add(m_pace, m_pace->widthFor(widths.pace));
    add(m_clients, m_clients->widthFor(widths.clients));
    add(m_faults, m_faults->sizeHint().width());
    add(m_pills, m_pills->widthFor(widths.pills));
    add(m_server, m_server->widthFor(widths.server));
    if (m_end) {
        add(m_end, m_end->minimumWidth());
    }
    return sum;
}

RunBar::PartWidths RunBar::widthsFor(int level) const
{
    PartWidths widths = widthsAt(level);
    // The remaining width goes first to the whole title, then to a longer server badge.
    const int spare = std::max(0, this->width() - widthFor(widths));
    widths.chooser = std::clamp(m_chooser->widthOfText(), widths.chooser, widths.chooser + spare);
    for (const auto width :
         {ServerBadge::Width::full, ServerBadge::Width::named, ServerBadge::Width::brief}) {
        PartWidths wider = widths;
        wider.server = width;
        if (width < widths.server && widthFor(wider) <= this->width())
            return wider;
    }
    return widths;
}

void RunBar::fit()
{
    const int before = m_narrowness;
    m_narrowness = 0;
    while (m_narrowness < kMaxNarrowness && widthFor(widthsAt(m_narrowness)) > width()) {
        ++m_narrowness;
    }
    const PartWidths widths = widthsFor(m_narrowness);
    if (m_narrowness == before && widths.server == m_server->shownAs() &&
        widths.chooser == m_chooser->maximumWidth()) {
        return; // otherwise each layout would request another one, endlessly
    }
    m_server->setWidth(widths.server);
    m_pills->setWidth(widths.pills);
    m_pace->setWidth(widths.pace);
    m_clients->setWidth(widths.clients);
    m_chooser->setFixedWidth(widths.chooser);
    m_brand->setVisible(widths.brand);
    layout()->setSpacing(widths.gap);
    // Lays out at once, not with the next event, so that the bar is never painted with parts cut off.
    for (QWidget* part : std::initializer_list<QWidget*>{m_server, m_pills, m_pace, m_clients}) {
        part->updateGeometry();
    }
    layout()->activate();
}

void RunBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->palette().header);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme->palette().cardBorder);
}

} // namespace lockscope::ui

#include "moc_run_bar.cpp"
