// A TimelineCanvas as it is used: mouse, wheel and keys.
#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/blocker.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

using What = TimelineHit::What;

namespace {

constexpr double kWheelPan = 0.1;    // of the width, for one notch
constexpr double kSpanMargin = 0.25; // of a span's length, on each side when zooming to it
constexpr int kLanesPerNotch = 3;    // scrolled

constexpr double kKeyPan = 0.2; // of the width

} // namespace

void TimelineCanvas::setHover(const TimelineHit& hit)
{
    if (hit == m_hover)
        return;
    const bool arrows = hit.what == What::arrow || m_hover.what == What::arrow;
    m_hover = hit;
    if (hit.what == What::arrow)
        QToolTip::hideText(); // a bar's tip would cover the parts of the handoff
    const bool clickable = hit.what != What::nothing && hit.what != What::lane &&
                           hit.what != What::holderRow && hit.what != What::mark;
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (arrows)
        update();
}

void TimelineCanvas::hover(std::optional<QPointF> at)
{
    if (m_drag == Drag::none)
        setHover(at ? hitTimeline(picture(), at->toPoint()) : TimelineHit{});
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton && !middle) {
        Canvas::mousePressEvent(event);
        return;
    }
    m_pressed = m_dragged = event->position().toPoint();
    m_drag = Drag::pressed;
    m_pans = middle || event->modifiers().testFlag(Qt::ShiftModifier) ||
             !picture().layout.plot.contains(m_pressed);
    if (middle)
        return;
    m_click = clickAt(m_pressed, event->modifiers());
    const QRect& strip = picture().layout.overview;
    if (!strip.contains(m_pressed)) {
        const bool measure =
            event->modifiers().testFlag(Qt::ControlModifier) || (m_measure && m_measure->withCursor);
        if (measure && m_picture.layout.plot.contains(m_pressed)) {
            m_drag = Drag::measuring;
        } else if (hitTimeline(m_picture, m_pressed).what == What::ruler) {
            m_drag = Drag::scrubbing;
            m_run->seekTime(snapped(m_pressed, event->modifiers()));
        }
        return;
    }
    m_drag = Drag::overview;
    const QRect shown = m_overview.windowRect(strip, m_window->begin(), m_window->end());
    const bool inside = m_pressed.x() >= shown.left() && m_pressed.x() <= shown.right();
    m_overviewGrip = inside ? m_pressed.x() - shown.left() : shown.width() / 2;
    if (!inside)
        dragOverview(m_pressed.x());
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_drag == Drag::none)
        return Canvas::mouseMoveEvent(event);
    if (m_drag == Drag::pressed && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = m_pans ? Drag::panning : Drag::measuring;
        if (m_pans)
            setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag != Drag::pressed && m_drag != Drag::overview)
        dragTo(at, event->modifiers());
    else if (m_drag == Drag::overview && at != m_dragged)
        dragOverview(at.x());
    if (m_drag != Drag::pressed)
        m_dragged = at;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    const Drag was = std::exchange(m_drag, Drag::none);
    const std::function<void()> click = std::exchange(m_click, nullptr);
    // While the measured range ends at the cursor, a click has its usual effect, and a drag measures anew.
    const bool toCursor = was == Drag::measuring && m_measure && m_measure->withCursor &&
                          !event->modifiers().testFlag(Qt::ControlModifier);
    if ((was == Drag::pressed || toCursor) && click)
        click();
    if (was == Drag::panning) {
        unsetCursor();
        invalidate();
        const int lane = picture().layout.laneHeight;
        setScroll((m_scroll + lane / 2) / lane * lane);
    }
}

void TimelineCanvas::dragTo(QPoint at, Qt::KeyboardModifiers modifiers)
{
    if (m_drag == Drag::measuring) {
        setMeasure(Measure{snapped(m_pressed, modifiers), snapped(at, modifiers), false});
    } else if (m_drag == Drag::scrubbing) {
        m_run->seekTime(snapped(at, modifiers));
    } else {
        panPixels(m_dragged.x() - at.x());
        setScroll(m_scroll + m_dragged.y() - at.y());
    }
}

void TimelineCanvas::dragOverview(int x)
{
    const QRect& strip = picture().layout.overview;
    m_window->pan(m_overview.timeAt(strip, x - m_overviewGrip) - m_window->begin());
}

// The action of a click there, chosen when the button is pressed: a live picture moves until the release.
std::function<void()> TimelineCanvas::clickAt(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const TimelineHit hit = hitTimeline(picture(), at);
    return hit.what == What::holderRow || hit.what == What::lane || hit.what == What::contention
               ? [this, time = snapped(at, modifiers)] { m_run->seekTime(time); }
               : actionOf(hit, at);
}

std::function<void()> TimelineCanvas::actionOf(const TimelineHit& hit, QPoint at)
{
    switch (hit.what) {
    case What::laneName:
        return [this, lane = hit.lane] { m_selection->selectClient(lane); };
    case What::bar:
        return clickOnBar(m_picture.bars[hit.index], at);
    case What::overlay:
        return clickOnBar(m_picture.overlays[hit.index], at);
    case What::arrow: {
        const replay::Handoff& handoff = m_run->timeline().handoff(m_picture.arrows[hit.index].handoff);
        return [this, handoff] { m_selection->selectHandoff(handoff.acquiredEvent, handoff.to); };
    }
    case What::mark: {
        const replay::Mark& mark = m_picture.marks[hit.index].mark;
        return [this, event = mark.event, client = mark.client] { m_selection->selectEvent(event, client); };
    }
    case What::flag:
        return [this, note = m_picture.flags[hit.index].note] { goToBookmark(note); };
    case What::folded:
        return [this] { unfoldAll(); };
    case What::holder:
        return [this, hold = exactHold(m_picture, m_run->timeline().holders(), m_picture.holders[hit.index],
                                       at)] { goToHold(hold); };
    case What::holderRow:
    case What::lane:
    case What::contention:
    case What::ruler: // handled when the button was pressed
    case What::overview:
    case What::nothing:
        break;
    }
    return {};
}

std::function<void()> TimelineCanvas::clickOnBar(const TimelineBar& bar, QPoint at)
{
    const replay::Span span = exactSpan(m_picture, m_run->timeline(), bar, at);
    QString node = TimelineText::nodeOf(m_run->store(), span.beginEvent);
    if (node.isEmpty()) // a wait ends with the grant that names its node
        node = TimelineText::nodeOf(m_run->store(), span.endEvent);
    return [this, lane = bar.lane, node, event = span.beginEvent] {
        m_selection->selectClient(lane, node, event);
    };
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const TimelineHit hit = hitTimeline(picture(), event->position().toPoint());
    if (event->button() != Qt::LeftButton)
        return;
    if (hit.what == What::bar)
        zoomTo(m_picture.bars[hit.index].span.begin, m_picture.bars[hit.index].span.end);
    else if (hit.what == What::overlay)
        zoomTo(m_picture.overlays[hit.index].span.begin, m_picture.overlays[hit.index].span.end);
    else if (hit.what == What::holder)
        zoomTo(m_picture.holders[hit.index].bar.span.begin, m_picture.holders[hit.index].bar.span.end);
    else if (hit.what == What::flag)
        editBookmark(m_picture.flags[hit.index].note);
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) { emit menuRequested(event->globalPos()); }

void TimelineCanvas::zoomTo(TraceTime begin, TraceTime end)
{
    const Duration length = std::max(std::min(end, m_run->endTime()) - begin, TimeWindow::kMinLength);
    const Duration margin(static_cast<Duration::rep>(static_cast<double>(length.count()) * kSpanMargin));
    m_window->show(std::max(TraceTime::zero(), begin - margin), begin + length + margin);
}

void TimelineCanvas::zoomAround(double factor, double x)
{
    m_window->zoom(factor, picture().scale.timeAt(x));
}

void TimelineCanvas::panPixels(double pixels)
{
    const double ns = static_cast<double>(m_window->length().count()) / picture().scale.width * pixels;
    m_window->pan(Duration(std::llround(ns)));
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    event->accept();
    const TimelinePicture& shown = picture();
    if (std::abs(angle.x()) > std::abs(angle.y()) || shift) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        panPixels(-delta / 120.0 * kWheelPan * shown.scale.width);
    } else if (control && angle.y() != 0) {
        zoomAround(std::pow(kTimelineZoomStep, -angle.y() / 120.0), event->position().x());
    } else if (m_picture.layout.maxScroll() > 0) {
        m_wheelRest -= angle.y() / 120.0 * kLanesPerNotch;
        const int whole = static_cast<int>(m_wheelRest);
        m_wheelRest -= whole;
        setScroll(m_scroll + whole * m_picture.layout.laneHeight);
    } else { // as a bar at the bottom would
        panPixels(-angle.y() / 120.0 * kWheelPan * m_picture.scale.width);
    }
}

void TimelineCanvas::selectNeighbour(int delta)
{
    const std::vector<ClientId>& shown = picture().rows->shown();
    if (shown.empty())
        return;
    const int last = static_cast<int>(shown.size()) - 1;
    const int now = m_picture.rows->rowOf(m_selection->client());
    m_selection->selectClient(
        shown[static_cast<std::size_t>(now < 0 ? 0 : std::clamp(now + delta, 0, last))]);
}

// Ends the innermost mode first.
void TimelineCanvas::escape()
{
    if (m_measure)
        setMeasure(std::nullopt);
    else
        m_selection->selectClient(ClientId::none());
}

void TimelineCanvas::addCommands()
{
    const auto zoom = [this](double factor) {
        const TimeScale& scale = picture().scale;
        zoomAround(factor, scale.left + scale.width / 2.0);
    };
    const auto pan = [this](double share) { panPixels(share * picture().scale.width); };
    addCommand("timeline.zoomIn", [zoom] { zoom(1 / kTimelineZoomStep); });
    addCommand("timeline.zoomOut", [zoom] { zoom(kTimelineZoomStep); });
    addCommand("timeline.panLeft", [pan] { pan(-kKeyPan); });
    addCommand("timeline.panRight", [pan] { pan(kKeyPan); });
    addCommand("timeline.wholeRun", [this] { m_window->showAll(); });
    addCommand("timeline.zoomToSelection", [this] { zoomToSelection(); });
    addCommand("timeline.previousLane", [this] { selectNeighbour(-1); });
    addCommand("timeline.nextLane", [this] { selectNeighbour(1); });
    addPageCommands([this](int pages) { setScroll(m_scroll + pages * picture().layout.plot.height()); });
    addCommand("timeline.fold", [this] { foldSelected(); });
    addCommand("timeline.pin", [this] { pinSelected(); });
    addCommand("timeline.blocker",
               [this] { selectBlocker(blockerOf(m_run->state(), m_selection->client())); });
    addCommand("timeline.rootBlocker",
               [this] { selectBlocker(rootBlockerOf(m_run->state(), m_selection->client())); });
    addCommand("timeline.contention", [this] { setContention(!contentionShown()); });
    addCommand("timeline.order", [this] {
        const bool byAcquisition = laneOrder() == LaneOrder::byAcquisition;
        setLaneOrder(byAcquisition ? LaneOrder::added : LaneOrder::byAcquisition);
    });
    addCommand("timeline.compactLanes", [this] { setCompactLanes(!m_compactLanes); });
    addCommand("timeline.legend", [this] { setLegend(!legendShown()); });
    addCommand("timeline.holder", [this] { goToHolder(); });
    addCommand("timeline.measure", [this] { measureFromCursor(); });
    addCommand("timeline.leave", [this] { escape(); });
}

void TimelineCanvas::goToHold(const replay::LockHolders::Hold& hold)
{
    centreLane(hold.client);
    m_selection->selectClient(hold.client, TimelineText::nodeOf(m_run->store(), hold.event), hold.event);
}

void TimelineCanvas::goToHolder()
{
    const std::vector<replay::LockHolders::Hold> holds =
        m_run->timeline().holders().at(m_selection->lock(), m_run->cursorTime());
    if (holds.empty())
        return;
    requestReorder();
    const auto selected =
        std::ranges::find(holds, m_selection->selectedEvent(), &replay::LockHolders::Hold::event);
    goToHold(selected == holds.end() || std::next(selected) == holds.end() ? holds.front()
                                                                           : *std::next(selected));
}

void TimelineCanvas::zoomToSelection()
{
    const trace::TraceStore* store = m_run->store();
    const EventIndex event = m_selection->selectedEvent();
    if (const auto stretch = measured(); stretch && stretch->length() > Duration::zero()) {
        zoomTo(stretch->from, stretch->to);
    } else if (store && event.valid() && event.value < m_run->drained()) {
        const trace::Event& selected = store->at(event);
        replay::Span span = m_run->timeline().spanAt(selected.client, selected.at);
        if (span.kind == replay::SpanKind::none)
            span = m_run->timeline().spanAt(selected.client, selected.at, replay::LaneRow::releases);
        if (span.kind != replay::SpanKind::none)
            zoomTo(span.begin, span.end);
    } else {
        m_window->showAll();
    }
}

void TimelineCanvas::selectBlocker(ClientId blocker)
{
    if (blocker.valid())
        m_selection->selectClient(blocker);
}

} // namespace lockscope::ui
