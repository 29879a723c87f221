#include "ui/timeline/timeline_canvas.h"

#include "ui/models/format.h"
#include "ui/models/empty_state.h"
#include "ui/timeline/timeline_tool_painter.h"

#include <QEvent>

#include <algorithm>

namespace lockscope::ui {

TimelineCanvas::TimelineCanvas(const TimelineSources& sources, EventSearch* search, QWidget* parent)
    : PictureCanvas(sources.theme, parent)
    , m_run(sources.run)
    , m_selection(sources.selection)
    , m_window(sources.window)
    , m_bookmarks(sources.notes)
    , m_search(search)
{
    m_overviewRefresh.setSingleShot(true);
    m_rowsRefresh.setSingleShot(true);
    m_holdersNext.setSingleShot(true);
    m_statisticsNext.setSingleShot(true);
    connect(&m_statisticsNext, &QTimer::timeout, this, &TimelineCanvas::countMeasuredNow);
    connect(&m_holdersNext, &QTimer::timeout, this, [this] {
        readHolders();
        countMeasured();
        requestReorder();
    });
    connect(&m_overviewRefresh, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&m_rowsRefresh, &QTimer::timeout, this, &TimelineCanvas::invalidate);
    connect(m_run, &RunModel::runChanged, this, &TimelineCanvas::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, &TimelineCanvas::onGrew);
    connect(m_run, &RunModel::cursorMoved, this, [this] {
        update();
        if (m_measure && m_measure->withCursor) {
            countMeasured();
            emit measureChanged();
        }
    });
    connect(m_window, &TimeWindow::changed, this, &TimelineCanvas::onWindowChanged);
    connect(m_run, &RunModel::followed, this, &TimelineCanvas::requestReorder);
    connect(m_bookmarks, &Bookmarks::changed, this, &TimelineCanvas::invalidate);
    connect(m_search, &EventSearch::changed, this, &TimelineCanvas::invalidate);
    connect(m_selection, &Selection::changed, this, [this] {
        showLane(m_selection->client());
        update();
    });
    onRunChanged();
}

void TimelineCanvas::onRunChanged()
{
    m_names.clear();
    m_holders.clear();
    m_overview.clear();
    m_scroll = 0;
    m_hover = {};
    m_drag = Drag::none;
    m_found = EventIndex::none();
    m_filter.folded.clear();
    m_rows.reset();
    m_acquisitionOrder.clear();
    m_scrolledByHand = false;
    setMeasure(std::nullopt);
    onGrew();
}

void TimelineCanvas::onGrew()
{
    m_names.update(m_run->store(), m_run->timeline().laneCount());
    readHolders();
    countMeasured(); // an end may lie ahead of what had happened
    invalidate();
}

void TimelineCanvas::readHolders()
{
    const trace::TraceStore* store = m_run->store();
    if (store && !m_holders.readMore(*store, m_run->drained(), m_run->timeline()))
        m_holdersNext.start(0);
}

const TimelinePicture& TimelineCanvas::picture()
{
    if (!isStale())
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
    input.text = theme()->fonts().text;
    input.small = theme()->fonts().small;
    input.rows = currentRows();
    input.notes = &m_bookmarks->all();
    input.search = m_search;
    input.holders = &m_holders;
    input.byAcquisition = laneOrder() == LaneOrder::byAcquisition;
    input.compactLanes = m_compactLanes;
    input.legend = m_legend;
    if (theme()->wallClock())
        input.wallZero = m_run->wallZero();
    keepLanes(input);
    reorderLanes(input);
    m_picture = buildTimelinePicture(input);
    countBuild();
    m_scroll = m_picture.layout.scroll;
    notifyScroll();
    return m_picture;
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
        result.cursorLabel = TimelineText::cursor(m_run->cursorTime(), m_run->endTime(), m_run->isLive());
    }
    return result;
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const TimelinePicture& shown = picture();
    const Palette& palette = theme()->palette();
    QPainter painter(this);
    painter.fillRect(rect(), palette.card);
    if (shown.layout.laneCount == 0) {
        const QString why = m_run->hasRun() ? emptyStateText(*m_run) : QString();
        drawEmpty(painter, why.isEmpty() ? TimelineText::emptyText(m_run->hasRun()) : why);
        return;
    }
    TimelinePainter(painter, *theme()).draw(shown, highlights());
    const QRect& strip = shown.layout.overview;
    if (!m_overview.update(m_run->timeline(), m_names.firstAdded(), m_run->endTime(), strip.width()) &&
        !m_overviewRefresh.isActive())
        m_overviewRefresh.start(OverviewStrip::kRefreshMilliseconds);
    m_overview.draw(painter, palette, strip, m_window->begin(), m_window->end());
    drawTools(painter);
    drawFocus(painter);
}

void TimelineCanvas::drawTools(QPainter& painter)
{
    TimelineToolPainter tools(painter, theme()->palette(), theme()->fonts(), m_picture);
    tools.drawFlags();
    tools.drawMatches();
    if (m_found.valid() && m_run->store() && m_found.value < m_run->store()->count()) {
        const trace::Event& found = m_run->store()->at(m_found);
        tools.drawFound(found.client, found.at);
    }
    const QStringList lines = measuredLines();
    if (const auto stretch = measured())
        tools.drawMeasure(*stretch, lines);
    tools.drawOnStrip(m_overview, m_bookmarks->all(), *m_search);
    if (m_hover.what == TimelineHit::What::arrow && m_hover.index < m_picture.arrows.size()) {
        const TimelineArrow& arrow = m_picture.arrows[m_hover.index];
        const auto stretch = measured();
        tools.drawHandoff(arrow, m_run->timeline().handoff(arrow.handoff), m_names,
                          stretch ? tools.measureLabel(*stretch, lines) : QRect());
    }
}

replay::Span TimelineCanvas::exactSpan(const TimelineBar& bar, QPoint at) const
{
    const replay::Timeline& timeline = m_run->timeline();
    const bool overlay = bar.span.kind > replay::SpanKind::holding && bar.span.kind != replay::SpanKind::none;
    const auto ask = [&](TraceTime time) {
        if (bar.span.kind == replay::SpanKind::releasing)
            return timeline.releaseAt(bar.lane, time);
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

// What is there, and when that is by the clock on the wall.
QString TimelineCanvas::tipAt(QPointF place)
{
    const TimelineHit hit = hitTimeline(picture(), place.toPoint());
    const TraceTime at = std::max(TraceTime::zero(), m_picture.scale.timeAt(place.x()));
    if (hit.what == TimelineHit::What::ruler)
        return m_run->hasRun() ? format::momentTip(at, m_run->wallZero()) : QString();
    const QString text = tipOf(hit, place.toPoint());
    const bool timed = hit.what != TimelineHit::What::laneName && hit.what != TimelineHit::What::folded &&
                       hit.what != TimelineHit::What::overview && hit.what != TimelineHit::What::holderRow;
    return text.isEmpty() || !timed || !m_run->wallZero()
               ? text
               : text + u'\n' + format::wallMoment(at, m_run->wallZero());
}

QString TimelineCanvas::tipOf(const TimelineHit& hit, QPoint at)
{
    using What = TimelineHit::What;
    switch (hit.what) {
    case What::laneName:
        return m_names.name(hit.lane);
    case What::bar:
    case What::overlay: {
        const TimelineBar& bar = (hit.what == What::bar ? m_picture.bars : m_picture.overlays)[hit.index];
        const replay::Span behind = m_run->timeline().waitDuringHoldAt(bar.lane, m_picture.scale.timeAt(at.x()));
        return TimelineText::spanTip(bar.lane, exactSpan(bar, at), behind, bar.span.merged, facts());
    }
    case What::arrow:
        return TimelineText::handoffTip(m_run->timeline().handoff(m_picture.arrows[hit.index].handoff),
                                        m_names);
    case What::mark:
        return TimelineText::markTip(m_picture.marks[hit.index].mark, m_names);
    case What::flag:
        return TimelineText::bookmarkTip(m_bookmarks->all()[m_picture.flags[hit.index].note]);
    case What::holder:
    case What::holderRow:
        return holderTip(hit, at);
    case What::folded:
        return tr("Lanes that are folded, together: click to show them all");
    case What::overview:
        return m_overview.pressed(m_picture.layout.overview).contains(at)
                   ? tr("The first %1, before there was a client").arg(format::duration(m_overview.start()))
                   : tr("The whole run: click or drag to choose what is shown above");
    case What::lane:
    case What::ruler:
    case What::nothing:
        break;
    }
    return {};
}

bool TimelineCanvas::event(QEvent* event)
{
    // The parts of a handoff are drawn beside it at once.
    if (event->type() == QEvent::ToolTip && m_hover.what == TimelineHit::What::arrow)
        return true;
    return PictureCanvas::event(event);
}

} // namespace lockscope::ui
