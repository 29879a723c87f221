#include "ui/timeline/timeline_view.h"

#include "ui/timeline/timeline_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace lockscope::ui {

namespace {

constexpr int kGlideMilliseconds = 33;
constexpr int kCaptionMilliseconds = 250;

} // namespace

TimelineView::TimelineView(RunModel* run, Selection* selection, TimeWindow* window, Look* look,
                           QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_window(window)
    , m_canvas(new TimelineCanvas(run, selection, window, look, this))
    , m_scrollBar(new QScrollBar(Qt::Vertical, this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_scrollBar);
    setFocusProxy(m_canvas);
    m_scrollBar->hide();

    m_glide.setInterval(kGlideMilliseconds);
    m_captionTimer.setSingleShot(true);
    m_captionTimer.setInterval(kCaptionMilliseconds);
    connect(&m_glide, &QTimer::timeout, this, &TimelineView::moveWithRun);
    connect(&m_captionTimer, &QTimer::timeout, this, &TimelineView::updateCaption);
    const auto captionSoon = [this] {
        if (!m_captionTimer.isActive())
            m_captionTimer.start();
    };
    connect(m_run, &RunModel::stateChanged, this, captionSoon);
    connect(m_window, &TimeWindow::changed, this, captionSoon);
    connect(m_run, &RunModel::runChanged, this, &TimelineView::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, &TimelineView::moveWithRun);
    connect(m_run, &RunModel::cursorMoved, this, &TimelineView::keepCursorInView);
    connect(m_run, &RunModel::phaseChanged, this, &TimelineView::updateGlide);
    // A scroll bar inside a paint event must not lay the window out anew: that waits for the event loop.
    connect(m_canvas, &TimelineCanvas::scrollChanged, this, &TimelineView::updateScrollBar,
            Qt::QueuedConnection);
    connect(m_scrollBar, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
    retranslate();
    moveWithRun();
    updateCaption();
}

void TimelineView::onRunChanged()
{
    m_window->reset();
    m_seenCursor = m_run->cursorTime();
    moveWithRun();
    updateGlide();
    updateCaption();
}

void TimelineView::moveWithRun() { m_window->setTraceEnd(m_run->endTime()); }

// A cursor that was moved elsewhere (a step, a click in the log) pulls the window along when it leaves it.
void TimelineView::keepCursorInView()
{
    moveWithRun();
    const TraceTime cursor = m_run->cursorTime();
    if (m_run->following() || cursor == m_seenCursor) {
        m_seenCursor = cursor;
        return;
    }
    m_seenCursor = cursor;
    if (cursor < m_window->begin())
        m_window->pan(cursor - m_window->begin() - m_window->length() / 10);
    else if (cursor > m_window->end())
        m_window->pan(cursor - m_window->end() + m_window->length() / 10);
}

void TimelineView::updateGlide()
{
    if (isVisible() && m_run->isLive())
        m_glide.start();
    else
        m_glide.stop();
}

void TimelineView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    moveWithRun();
    updateGlide();
}

void TimelineView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_glide.stop();
}

void TimelineView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void TimelineView::retranslate()
{
    m_canvas->setAccessibleName(tr("Handoff timeline"));
    m_scrollBar->setAccessibleName(tr("Lanes of the timeline"));
    updateCaption();
}

void TimelineView::updateCaption()
{
    const QString caption =
        TimelineText::caption(m_window->begin(), m_window->length(), m_window->following(),
                              m_run->state().statistics.handoff.percentile(50));
    m_canvas->setAccessibleDescription(
        tr("One lane for each client: thin bars wait, thick bars hold, arrows hand the lock on. %1")
            .arg(caption));
    if (caption == m_caption)
        return;
    m_caption = caption;
    emit captionChanged();
}

void TimelineView::updateScrollBar()
{
    const int most = m_canvas->maxScroll();
    const QSignalBlocker quiet(m_scrollBar);
    m_scrollBar->setRange(0, most);
    m_scrollBar->setPageStep(std::max(1, m_canvas->picture().layout.plot.height()));
    m_scrollBar->setSingleStep(std::max(8, m_canvas->picture().layout.laneHeight));
    m_scrollBar->setValue(m_canvas->scroll());
    m_scrollBar->setVisible(most > 0);
}

} // namespace lockscope::ui
