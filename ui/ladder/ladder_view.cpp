#include "ui/ladder/ladder_view.h"

#include "ui/ladder/ladder_text.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kCaptionMilliseconds = 250;
} // namespace

LadderView::LadderView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_canvas(new LadderCanvas(run, selection, theme, this))
    , m_scrollBar(new QScrollBar(Qt::Horizontal, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_scrollBar);
    setFocusProxy(m_canvas);
    m_scrollBar->hide();
    m_captionTimer.setSingleShot(true);
    connect(&m_captionTimer, &QTimer::timeout, this, &LadderView::updateCaption);
    const auto captionSoon = [this] {
        const bool longAgo = !m_captionAge.isValid() || m_captionAge.hasExpired(kCaptionMilliseconds);
        if (!m_captionTimer.isActive())
            m_captionTimer.start(longAgo ? 0 : kCaptionMilliseconds);
    };
    connect(m_canvas, &LadderCanvas::placeChanged, this, captionSoon);
    connect(m_canvas, &LadderCanvas::lanesChanged, this, captionSoon);
    // Inside a paint event a scroll bar must not lay the window out anew: that waits for the event loop.
    connect(m_canvas, &LadderCanvas::lanesChanged, this, &LadderView::updateScrollBar, Qt::QueuedConnection);
    connect(m_scrollBar, &QScrollBar::valueChanged, m_canvas, &LadderCanvas::setSkip);
    retranslate();
}

void LadderView::setFilter(const LogFilter& filter, const QString& words)
{
    m_canvas->setFilter(filter);
    m_filterWords = words;
    updateCaption();
}

void LadderView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void LadderView::retranslate()
{
    m_canvas->setAccessibleName(tr("Protocol ladder"));
    m_scrollBar->setAccessibleName(tr("Clients of the protocol ladder"));
    updateCaption();
}

// Describes the drawn picture: laying it out only for the caption would be wasted while the view is hidden.
void LadderView::updateCaption()
{
    m_captionAge.start();
    const LadderLanes& lanes = m_canvas->drawnLanes();
    const auto& times = m_canvas->drawn().times;
    // What is on its way at the cursor is drawn up to where it will arrive.
    const TraceTime end =
        times.empty() ? m_run->cursorTime() : std::min(times.back().first, m_run->cursorTime());
    QString caption = m_run->hasRun() && !lanes.shown.empty()
                          ? LadderText::caption(lanes.shown.size(), lanes.hidden, end,
                                                m_run->following() && m_canvas->following())
                          : QString();
    if (!caption.isEmpty() && !m_filterWords.isEmpty())
        caption = tr("filter: %1 · %2").arg(m_filterWords, caption);
    m_canvas->setAccessibleDescription(tr("One lane for each client and one for the server. Time runs down; "
                                          "arrows are requests, replies and watch "
                                          "events. %1")
                                           .arg(caption));
    if (caption == m_caption)
        return;
    m_caption = caption;
    emit captionChanged();
}

void LadderView::updateScrollBar()
{
    const LadderLanes& lanes = m_canvas->drawnLanes();
    const QSignalBlocker quiet(m_scrollBar);
    m_scrollBar->setRange(0, static_cast<int>(lanes.hidden));
    m_scrollBar->setPageStep(std::max(1, static_cast<int>(lanes.shown.size())));
    m_scrollBar->setSingleStep(1);
    m_scrollBar->setValue(static_cast<int>(lanes.skip));
    m_scrollBar->setVisible(lanes.hidden > 0);
}

} // namespace lockscope::ui
