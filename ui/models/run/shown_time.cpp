#include "ui/models/run/shown_time.h"

#include "ui/models/run/run_model.h"

namespace lockscope::ui {

namespace {
// Digits that change faster than this cannot be read.
constexpr std::chrono::milliseconds kUpdateInterval{100};
} // namespace

ShownTime::ShownTime(const RunModel* run, QObject* parent)
    : QObject(parent)
    , m_run(run)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kUpdateInterval);
    connect(&m_rest, &QTimer::timeout, this, &ShownTime::move);
    connect(run, &RunModel::runChanged, this, &ShownTime::catchUp);
    connect(run, &RunModel::cursorMoved, this, &ShownTime::follow);
    catchUp();
}

void ShownTime::catchUp()
{
    m_rest.stop();
    m_now = m_run->cursorTime();
}

void ShownTime::follow()
{
    const TraceTime cursor = m_run->cursorTime();
    if (!m_run->following() || cursor < m_now || cursor - m_now >= kUpdateInterval)
        move();
    else if (!m_rest.isActive())
        m_rest.start();
}

void ShownTime::move()
{
    catchUp();
    emit moved();
}

} // namespace lockscope::ui

#include "moc_shown_time.cpp"
