// Mouse and wheel of the TimelineCanvas.
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using replay::SpanKind;
using What = TimelineHit::What;

namespace {

constexpr double kWheelPan = 0.1;    // of the width, for one notch
constexpr double kSpanMargin = 0.25; // of a span's length, on each side when zooming to it
constexpr int kLanesPerNotch = 3;    // scrolled

} // namespace

void TimelineCanvas::setHover(const TimelineHit& hit)
{
    if (hit == m_hover)
        return;
    const bool arrows = hit.what == What::arrow || m_hover.what == What::arrow;
    m_hover = hit;
    if (hit.what == What::arrow)
        QToolTip::hideText(); // of the bar beside it: it would lie over the parts of the handoff
    const bool clickable = hit.what != What::nothing && hit.what != What::lane &&
                           hit.what != What::holderRow && hit.what != What::mark;
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (arrows)
        update();
}

void TimelineCanvas::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    setHover({});
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_pressed = m_dragged = event->position().toPoint();
    m_drag = Drag::pressed;
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
    if (m_drag == Drag::none) {
        setHover(hitTimeline(picture(), at));
        return;
    }
    if (m_drag == Drag::pressed && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::panning;
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
    if (event->button() != Qt::LeftButton) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    const Drag was = std::exchange(m_drag, Drag::none);
    const std::function<void()> click = std::exchange(m_click, nullptr);
    if (was == Drag::pressed && click)
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

// What a click there does. Decided where the button goes down: a live picture moves on until it is let go.
std::function<void()> TimelineCanvas::clickAt(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const TimelineHit hit = hitTimeline(picture(), at);
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
        return [this] { setLaneFilter({}); };
    case What::holder:
        return clickOnHolder(m_picture.holders[hit.index], at);
    case What::holderRow:
    case What::lane:
        return [this, time = snapped(at, modifiers)] { m_run->seekTime(time); };
    case What::ruler: // done when it was pressed
    case What::overview:
    case What::nothing:
        break;
    }
    return {};
}

std::function<void()> TimelineCanvas::clickOnBar(const TimelineBar& bar, QPoint at)
{
    const replay::Span span = exactSpan(bar, at);
    QString node = TimelineText::nodeOf(m_run->store(), span.beginEvent);
    if (node.isEmpty())
        node = TimelineText::nodeOf(m_run->store(),
                                    span.endEvent); // a wait ends with the grant that names its node
    return [this, lane = bar.lane, node, event = span.beginEvent] {
        m_selection->selectClient(lane, node, event);
    };
}

std::function<void()> TimelineCanvas::clickOnHolder(const TimelineHolder& holder, QPoint at)
{
    return [this, hold = exactHold(holder, at)] { goToHold(hold); };
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
    const bool overNames = picture().layout.labels.contains(event->position().toPoint());
    event->accept();
    if (std::abs(angle.x()) > std::abs(angle.y()) || shift) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        panPixels(-delta / 120.0 * kWheelPan * picture().scale.width);
    } else if (control || overNames) {
        m_wheelRest -= angle.y() / 120.0 * kLanesPerNotch;
        const int whole = static_cast<int>(m_wheelRest);
        m_wheelRest -= whole;
        setScroll(m_scroll + whole * m_picture.layout.laneHeight);
    } else if (angle.y() != 0) {
        zoomAround(std::pow(kTimelineZoomStep, -angle.y() / 120.0), event->position().x());
    }
}

} // namespace lockscope::ui
