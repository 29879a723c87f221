#include "ui/shell/runbar/playback.h"

#include "ui/models/run/run_model.h"

namespace lockscope::ui {

namespace {
constexpr int kFrameMs = 33;
} // namespace

Playback::Playback(RunModel* model, QObject* parent)
    : QObject(parent)
    , m_model(model)
{
    m_timer.setInterval(kFrameMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Playback::tick);
    connect(model, &RunModel::runChanged, this, &Playback::stop);
    connect(model, &RunModel::jumpedTo, this, &Playback::stop);
}

QString Playback::words(double speed) { return tr("%1×").arg(speed); }

void Playback::toggle()
{
    if (playing()) {
        stop();
        return;
    }
    if (!m_model->hasRun()) {
        return;
    }
    if (m_model->following()) {
        m_model->seekBegin();
    }
    m_clock.start();
    m_timer.start();
    emit changed();
}

void Playback::stop()
{
    if (m_timer.isActive()) {
        m_timer.stop();
        emit changed();
    }
}

// If the user moved the cursor meanwhile, playback continues from there.
void Playback::tick()
{
    const Duration passed(m_clock.nsecsElapsed());
    m_clock.restart();
    const TraceTime next =
        m_model->cursorTime() +
        Duration(static_cast<Duration::rep>(static_cast<double>(passed.count()) * m_speed));
    m_model->seekTime(next);
    if (m_model->following() || next >= m_model->endTime()) {
        m_model->follow();
        stop();
    }
}

} // namespace lockscope::ui

#include "moc_playback.cpp"
