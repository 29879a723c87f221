#include "ui/shell/runbar/pace_slider.h"

#include "ui/models/run/run_model.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/runbar/pace.h"
#include "ui/shell/window/actions.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/without_wheel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace lockscope::ui {

namespace {
constexpr int kSlider = 80;
constexpr int kPaceSliderGap = 10;
} // namespace

PaceSlider::PaceSlider(RunModel* model, const Actions& actions, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_theme(theme)
    , m_slower(actions.of("slower"))
    , m_faster(actions.of("faster"))
    , m_caption(new QLabel(this))
    , m_slider(new WithoutWheel<QSlider>(Qt::Horizontal, this))
    , m_words(new QLabel(this))
{
    m_slider->setObjectName("paceSlider");
    m_slider->setRange(0, pace::positions() - 1);
    m_slider->setPageStep(2);
    m_slider->setFixedWidth(kSlider);
    m_slider->setFocusPolicy(Qt::TabFocus); // not by a click: the keys that follow are meant for the window
    onRetranslate(this, [this] {
        //: how fast the clients take their steps
        m_caption->setText(tr("Pace"));
        m_slider->setAccessibleName(tr("Pace"));
        updateToolTip();
        m_words->setText(pace::words(pace::at(m_slider->value())));
    });
    m_caption->setBuddy(m_slider);
    m_words->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPaceSliderGap);
    row->addWidget(m_caption);
    row->addWidget(m_slider);
    row->addWidget(m_words);
    row->addStretch(1);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        m_words->setText(pace::words(pace::at(position)));
        emit paceRequested(pace::at(position));
    });
    actions.on("slower", this, [this] { step(1); });
    actions.on("faster", this, [this] { step(-1); });
    connect(model, &RunModel::stateChanged, this, &PaceSlider::followRun);
    connect(model, &RunModel::runChanged, this, [this] { m_lastPace = Duration(-1), followRun(); });
    theme->onChange(this, [this] { restyle(); });
    restyle();
    showPace(Duration::zero());
}

void PaceSlider::updateToolTip()
{
    m_slider->setToolTip(
        m_disabledReason.isEmpty()
            ? tr("Delay before every protocol step: from none to 2 s.\nSlower: %1  ·  faster: %2")
                  .arg(m_slower->shortcut().toString(QKeySequence::NativeText),
                       m_faster->shortcut().toString(QKeySequence::NativeText))
            : m_disabledReason);
}

void PaceSlider::setDisabledReason(const QString& why)
{
    m_disabledReason = why;
    updateToolTip();
    followRun();
}

void PaceSlider::step(int positions)
{
    if (m_slider->isEnabled())
        m_slider->setValue(m_slider->value() + positions);
}

void PaceSlider::restyle()
{
    for (QLabel* label : {m_caption, m_words}) {
        label->setFont(m_theme->fonts().text);
        setTextColour(label, m_theme->palette().textMuted);
    }
    // As wide as its longest text, so that the bar does not move while the slider does.
    m_words->setFixedWidth(QFontMetrics(m_theme->fonts().text).horizontalAdvance(tr("250 ms/step")) + 4);
}

// Only a change of the run's pace moves the slider, and not during a drag: the run's response to a drag
// arrives late.
void PaceSlider::followRun()
{
    m_slider->setEnabled(
        m_disabledReason.isEmpty() &&
        (!m_model->hasRun() || m_model->engine())); // the pace of a recorded run cannot change
    if (!m_model->hasRun() || m_model->state().pace == m_lastPace) {
        return;
    }
    m_lastPace = m_model->state().pace;
    if (!m_slider->isSliderDown()) {
        showPace(m_lastPace);
    }
}

void PaceSlider::showPace(Duration step)
{
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(pace::nearest(step));
    m_words->setText(pace::words(step));
}

} // namespace lockscope::ui

#include "moc_pace_slider.cpp"
