#include "ui/shell/runbar/scrub_bar.h"

#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/runbar/jump_slider.h"
#include "ui/shell/window/icons.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/without_wheel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QtMath>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kSteps = 20'000; // of the slider, over the whole run
constexpr int kScrubBarHeight = 40;
constexpr int kBesideWords = 2; // for the label's margins, in pixels

} // namespace

ScrubBar::ScrubBar(RunModel* model, Actions* actions, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_actions(actions)
    , m_theme(theme)
    , m_playback(model, this)
    , m_toStart(button(actions->of("toStart")))
    , m_back(button(actions->of("stepBack")))
    , m_play(button(actions->of("playBack")))
    , m_forward(button(actions->of("stepForward")))
    , m_slider(new JumpSlider(Qt::Horizontal, this))
    , m_position(new QLabel(this))
    , m_speed(new WithoutWheel<QComboBox>(this))
    , m_live(new QPushButton(this))
{
    m_play->setProperty("kind", "primary");
    m_play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_play->setIconSize({11, 11});
    setObjectName("scrubBar");
    setProperty(kManualPage, QStringLiteral("window"));
    setFixedHeight(kScrubBarHeight);
    m_slider->setObjectName("scrubSlider");
    m_slider->setRange(0, kSteps);
    m_slider->setSingleStep(kSteps / 1000);
    m_slider->setPageStep(kSteps / 50);
    onRetranslate(this, [this] {
        m_slider->setAccessibleName(tr("Playback position"));
        m_slider->setToolTip(tr("The playback position. At the right end the window follows the run."));
        m_speed->setAccessibleName(tr("Playback speed"));
        m_speed->setToolTip(tr("The playback speed of a recorded run, relative to the original."));
        m_width = 0; // the width depends on the language
    });
    m_position->setTextFormat(Qt::PlainText);
    m_position->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_live->setObjectName("liveButton");
    m_live->setCheckable(true);
    fillSpeeds();
    assemble();
    connectParts();
    restyle();
    refresh();
}

QString ScrubBar::position() const { return m_position->text(); }

QToolButton* ScrubBar::button(QAction* action)
{
    auto* made = new QToolButton(this);
    made->setObjectName(action->objectName() + "Button");
    made->setDefaultAction(action);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    made->setIconSize({14, 14});
    made->setToolButtonStyle(Qt::ToolButtonIconOnly);
    return made;
}

void ScrubBar::fillSpeeds()
{
    m_speed->setObjectName("playSpeed");
    m_speed->setFocusPolicy(Qt::TabFocus); // a click leaves the keys where they were
    for (const double speed : Playback::kSpeeds) {
        m_speed->addItem(Playback::words(speed), speed);
    }
    m_speed->setCurrentIndex(Playback::kDefaultSpeed);
}

void ScrubBar::assemble()
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 14, 0);
    row->setSpacing(6);
    for (QToolButton* each : {m_toStart, m_back, m_play, m_forward}) {
        row->addWidget(each);
    }
    row->addSpacing(6);
    row->addWidget(m_slider, 1);
    row->addSpacing(6);
    row->addWidget(m_position);
    row->addWidget(m_speed);
    row->addWidget(m_live);
}

void ScrubBar::connectParts()
{
    connect(m_slider, &QSlider::valueChanged, this, &ScrubBar::seekTo);
    connect(m_slider, &QSlider::sliderReleased, this, &ScrubBar::showPlaying);
    connect(m_speed, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_playback.setSpeed(m_speed->itemData(index).toDouble()); });
    connect(m_live, &QPushButton::clicked, m_actions->of("follow"), &QAction::trigger);
    m_actions->on("follow", this, [this] {
        m_playback.stop();
        m_model->follow();
    });
    m_actions->on("toStart", m_model, &RunModel::seekBegin);
    m_actions->on("stepBack", m_model, [this] { m_model->stepEvents(-1); });
    m_actions->on("stepForward", m_model, [this] { m_model->stepEvents(1); });
    m_actions->on("playBack", &m_playback, &Playback::toggle);
    connect(&m_playback, &Playback::changed, this, &ScrubBar::restyle);
    connect(m_model, &RunModel::cursorMoved, this, &ScrubBar::refresh);
    connect(m_model, &RunModel::runChanged, this, &ScrubBar::refresh);
    connect(m_model, &RunModel::phaseChanged, this, &ScrubBar::refresh);
    m_theme->onChange(this, [this] { restyle(); });
}

void ScrubBar::restyle()
{
    const Palette& palette = m_theme->palette();
    for (const auto& [name, drawing] :
         {std::pair("toStart", "to-start"), {"stepBack", "step-back"}, {"stepForward", "step-forward"}})
        m_actions->of(name)->setIcon(icon(drawing, palette.text));
    QAction* play = m_actions->of("playBack");
    play->setIcon(icon(m_playback.playing() ? "pause" : "play", palette.onPrimary));
    //: a button: stops the playback
    play->setIconText(m_playback.playing() ? tr("Stop") : /*: a button: starts the playback */ tr("Play"));
    play->setText(m_playback.playing() ? MenuTexts::tr("Stop &Playback") : MenuTexts::tr("&Play from Here"));
    m_play->setFont(m_theme->fonts().small);
    setTextColour(m_position, palette.textMuted);
    m_position->setFont(m_theme->fonts().small);
    m_speed->setFont(m_theme->fonts().small);
    m_live->setFont(m_theme->fonts().small);
    update();
}

void ScrubBar::refresh()
{
    const bool any = m_model->hasRun() && m_model->endTime() > TraceTime::zero();
    for (QWidget* part : std::initializer_list<QWidget*>{m_slider, m_speed, m_live}) {
        part->setEnabled(any);
    }
    showPlaying();
    const bool atEnd = m_model->following();
    for (QAction* action : {m_actions->of("toStart"), m_actions->of("stepBack"), m_actions->of("playBack")}) {
        action->setEnabled(any);
    }
    m_actions->of("stepForward")->setEnabled(any && !atEnd);
    //: a button: follows the run as it goes on
    m_live->setText(m_model->isLive() ? tr("Live") : /*: a button: goes to the end */ tr("End"));
    m_live->setChecked(any && atEnd);
    m_live->setToolTip(m_actions->of("follow")->toolTip());
    if (!any) {
        const QString words = m_model->hasRun() ? tr("no events yet") : tr("no run");
        fitPosition(words);
        m_position->setText(words);
        return;
    }
    const QSignalBlocker quiet(m_slider);
    const TraceTime begin = m_model->beginTime();
    const double share =
        static_cast<double>((m_model->cursorTime() - begin).count()) /
        static_cast<double>(std::max((m_model->endTime() - begin).count(), Duration::rep{1}));
    if (!m_slider->isSliderDown()) {
        m_slider->setValue(atEnd ? kSteps : static_cast<int>(std::clamp(share, 0.0, 1.0) * kSteps));
    }
    const QString words =
        tr("%1 s · event %2 of %3")
            .arg(format::timestamp(m_model->cursorTime()), format::count(m_model->position()),
                 format::count(m_model->store()->count()));
    fitPosition(words);
    m_position->setText(words);
}

// Changes nothing while the slider is dragged: it would move under the mouse.
void ScrubBar::showPlaying()
{
    const bool recorded = !m_model->isLive() || !m_model->following();
    if (!m_slider->isSliderDown()) {
        m_play->setVisible(recorded);
        m_speed->setVisible(recorded);
    }
}

// The width only grows, so that the slider does not jitter while the numbers change. The size is fixed, so
// that a new text does not lay out the window again.
void ScrubBar::fitPosition(const QString& words)
{
    if (m_width > 0 && words.size() <= m_position->text().size())
        return;
    QString widest = words;
    for (QChar& c : widest)
        c = c.isDigit() ? u'0' : c; // no digit is wider
    m_width = qMax(m_width, qCeil(m_theme->texts().width(m_position->font(), widest)) + kBesideWords);
    m_position->setFixedSize(m_width, kScrubBarHeight - 2);
}

void ScrubBar::seekTo(int position)
{
    if (position >= kSteps) {
        m_model->follow();
        return;
    }
    const double share = static_cast<double>(position) / kSteps;
    const TraceTime begin = m_model->beginTime();
    m_model->seekTime(begin + Duration(static_cast<Duration::rep>(
                                  share * static_cast<double>((m_model->endTime() - begin).count()))));
}

void ScrubBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->palette().header);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme->palette().cardBorder);
}

} // namespace lockscope::ui

#include "moc_scrub_bar.cpp"
