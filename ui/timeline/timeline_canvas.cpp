#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/time_ticks.h"

#include <QEvent>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace lockscope::ui {

namespace {

// A tool tip shows its text as rich text when it looks like it: names from outside must not.
QString asPlainTip(const QString& text)
{
    QString escaped = text.toHtmlEscaped();
    escaped.replace(u'\n', QStringLiteral("<br>"));
    return QStringLiteral("<p style='white-space:pre'>") + escaped + QStringLiteral("</p>");
}

} // namespace

TimelineCanvas::TimelineCanvas(RunModel* run, Selection* selection, TimeWindow* window, Look* look,
                               QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_selection(selection)
    , m_window(window)
    , m_look(look)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_overviewRefresh.setSingleShot(true);
    connect(&m_overviewRefresh, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(m_run, &RunModel::runChanged, this, &TimelineCanvas::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, &TimelineCanvas::onGrew);
    connect(m_run, &RunModel::cursorMoved, this, qOverload<>(&QWidget::update));
    connect(m_window, &TimeWindow::changed, this, &TimelineCanvas::invalidate);
    connect(m_selection, &Selection::changed, this, [this] {
        showLane(m_selection->client());
        update();
    });
    connect(m_look, &Look::changed, this, &TimelineCanvas::invalidate);
    onRunChanged();
}

void TimelineCanvas::onRunChanged()
{
    m_names.clear();
    m_overview.clear();
    m_scroll = 0;
    m_hover = {};
    m_drag = Drag::none;
    onGrew();
}

void TimelineCanvas::onGrew()
{
    m_names.update(m_run->store(), m_run->timeline().laneCount());
    invalidate();
}

void TimelineCanvas::invalidate()
{
    m_stale = true;
    update();
}

const TimelinePicture& TimelineCanvas::picture()
{
    if (!m_stale)
        return m_picture;
    TimelineInput input;
    input.timeline = &m_run->timeline();
    input.store = m_run->store();
    input.names = &m_names;
    input.begin = m_window->begin();
    input.length = m_window->length();
    input.runEnd = std::max(m_run->endTime(), m_run->timeline().end());
    input.size = size();
    input.scroll = m_scroll;
    input.text = m_look->fonts().text;
    input.small = m_look->fonts().small;
    m_picture = buildTimelinePicture(input);
    m_stale = false;
    ++m_builds;
    m_scroll = m_picture.layout.scroll;
    if (m_toldScroll != m_scroll || m_toldMaxScroll != m_picture.layout.maxScroll()) {
        m_toldScroll = m_scroll;
        m_toldMaxScroll = m_picture.layout.maxScroll();
        emit scrollChanged();
    }
    return m_picture;
}

int TimelineCanvas::maxScroll() { return picture().layout.maxScroll(); }

void TimelineCanvas::setScroll(int scroll)
{
    const int bounded = std::clamp(scroll, 0, maxScroll());
    if (bounded == m_scroll)
        return;
    m_scroll = bounded;
    invalidate();
}

void TimelineCanvas::showLane(ClientId lane)
{
    const TimelineLayout& layout = picture().layout;
    if (!lane.valid() || static_cast<int>(lane.value) >= layout.laneCount)
        return;
    const int top = static_cast<int>(lane.value) * layout.laneHeight;
    if (top < m_scroll)
        setScroll(top);
    else if (top + layout.laneHeight > m_scroll + layout.plot.height())
        setScroll(top + layout.laneHeight - layout.plot.height());
}

TimelineFacts TimelineCanvas::facts() const { return {m_run->store(), &m_names, m_run->endTime()}; }

TimelineHighlights TimelineCanvas::highlights() const
{
    TimelineHighlights result;
    result.selectedLane = m_selection->client();
    result.selectedEvent = m_selection->event();
    if (m_hover.what == TimelineHit::What::arrow && m_hover.index < m_picture.arrows.size())
        result.hoveredHandoff = m_picture.arrows[m_hover.index].handoff;
    if (m_run->hasRun() && !m_run->following()) {
        result.cursor = m_run->cursorTime();
        result.cursorLabel = TimelineText::cursor(m_run->cursorTime(), m_run->endTime(), m_run->isLive(),
                                                  niceTickStep(m_picture.scale, 1));
    }
    return result;
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const TimelinePicture& shown = picture();
    const Palette& palette = m_look->palette();
    QPainter painter(this);
    painter.fillRect(rect(), palette.card);
    if (shown.layout.laneCount == 0) {
        painter.setFont(m_look->fonts().text);
        painter.setPen(palette.textMuted);
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         TimelineText::nothingYet(m_run->hasRun()));
        return;
    }
    TimelinePainter(painter, palette, m_look->fonts()).draw(shown, highlights());
    const QRect& strip = shown.layout.overview;
    if (!m_overview.update(m_run->timeline(), m_run->endTime(), strip.width()) &&
        !m_overviewRefresh.isActive())
        m_overviewRefresh.start(OverviewStrip::kRefreshMilliseconds);
    m_overview.draw(painter, palette, strip, m_window->begin(), m_window->end());
    if (hasFocus()) {
        painter.setPen(palette.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    invalidate();
}

void TimelineCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LayoutDirectionChange)
        invalidate();
}

replay::Span TimelineCanvas::exactSpan(const TimelineBar& bar, QPoint at) const
{
    const replay::Timeline& timeline = m_run->timeline();
    const bool overlay = bar.span.kind > replay::SpanKind::holding && bar.span.kind != replay::SpanKind::none;
    const auto ask = [&](TraceTime time) {
        return overlay ? timeline.overlayAt(bar.lane, time) : timeline.spanAt(bar.lane, time);
    };
    // A bar that was widened to be visible covers pixels at which nothing happened: it stands for its own
    // span.
    const replay::Span under = ask(m_picture.scale.timeAt(at.x()));
    if (bar.span.merged > 1 && under.kind != replay::SpanKind::none)
        return under;
    const replay::Span own = ask(bar.span.begin);
    return own.kind != replay::SpanKind::none ? own : bar.span;
}

QString TimelineCanvas::tipAt(QPoint at)
{
    using What = TimelineHit::What;
    const TimelineHit hit = hitTimeline(picture(), at);
    switch (hit.what) {
    case What::laneName:
        return m_names.name(hit.lane);
    case What::bar: {
        const TimelineBar& bar = m_picture.bars[hit.index];
        return TimelineText::spanTip(bar.lane, exactSpan(bar, at), bar.span.merged, facts());
    }
    case What::overlay: {
        const TimelineBar& bar = m_picture.overlays[hit.index];
        return TimelineText::spanTip(bar.lane, exactSpan(bar, at), bar.span.merged, facts());
    }
    case What::arrow:
        return TimelineText::handoffTip(m_run->timeline().handoff(m_picture.arrows[hit.index].handoff),
                                        m_names);
    case What::mark:
        return TimelineText::markTip(m_picture.marks[hit.index].mark, m_names);
    case What::overview:
        return tr("The whole run: click or drag to choose what is shown above");
    case What::lane:
    case What::nothing:
        break;
    }
    return {};
}

bool TimelineCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tipAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), asPlainTip(text), this);
    return true;
}

} // namespace lockscope::ui
