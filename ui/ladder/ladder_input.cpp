// Mouse, wheel and keys of the LadderCanvas.
#include "ui/ladder/ladder_canvas.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using What = LadderHit::What;

namespace {

constexpr double kZoomStep = 1.25; // of one wheel notch or key
constexpr double kMinZoom = 1.0 / 64, kMaxZoom = 64;
constexpr int kRowsPerNotch = 3;
constexpr double kPixelsPerRow = 24; // of a touch pad
constexpr int kRowsBefore = 6;       // above an event that is brought into view
constexpr int kLinesPerKey = 1;

} // namespace

void LadderCanvas::follow()
{
    m_top.reset();
    invalidate();
}

// Down: later. From the foot of the cursor the place becomes one of its own.
void LadderCanvas::scrollRows(int rows)
{
    const trace::TraceStore* store = m_run->store();
    if (rows == 0 || !store || (rows > 0 && following()))
        return;
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (rows < 0 && following()) {
        if (shown.empty() || (m_picture.ladder.first == 0 && !m_picture.times.empty() &&
                              m_picture.times.front().second > m_picture.plot.top()))
            return; // all of it is in view
    }
    std::size_t at = following() ? shown.front().value : *m_top;
    const replay::LadderQuery all = query();
    for (int i = 0; i < std::abs(rows); ++i) {
        const EventIndex next = replay::findLadderNeighbour(*store, all, at, rows < 0 ? -1 : 1);
        if (!next.valid()) {
            // Nothing of these clients for a long way: that far, so that a quiet stretch is no wall.
            at = rows < 0 ? at - std::min(at, replay::kLadderMaxEvents)
                          : std::min(at + replay::kLadderMaxEvents, all.limit);
            break;
        }
        at = next.value;
    }
    m_top = at;
    invalidate();
}

void LadderCanvas::scrollPixels(double pixels)
{
    m_wheelRest += pixels;
    const int rows = static_cast<int>(m_wheelRest / kPixelsPerRow);
    m_wheelRest -= rows * kPixelsPerRow;
    scrollRows(rows);
}

void LadderCanvas::setZoom(double zoom)
{
    m_zoom = std::clamp(zoom, kMinZoom, kMaxZoom);
    invalidate();
}

void LadderCanvas::select(EventIndex event)
{
    const trace::TraceStore* store = m_run->store();
    if (event.valid() && store && event.value < store->count())
        m_selection->selectEvent(event, store->at(event).client);
}

void LadderCanvas::bringIntoView(EventIndex event)
{
    const trace::TraceStore* store = m_run->store();
    if (!event.valid() || !store)
        return;
    if (event.value >= m_run->position()) {
        follow(); // the cursor goes there, or it is not to be seen
        return;
    }
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (!shown.empty() && event >= shown.front() && event <= shown.back())
        return;
    std::size_t top = event.value;
    const replay::LadderQuery all = query();
    for (int i = 0; i < kRowsBefore; ++i) {
        const EventIndex before = replay::findLadderNeighbour(*store, all, top, -1);
        if (!before.valid())
            break;
        top = before.value;
    }
    m_top = top;
    invalidate();
}

// The row before or after the selected event; the last one in view when none is.
void LadderCanvas::selectNeighbour(int step)
{
    const trace::TraceStore* store = m_run->store();
    const EventIndex now = m_selection->event();
    if (!store)
        return;
    if (!now.valid() || now.value >= m_run->position()) {
        selectLastInView();
        return;
    }
    picture();
    select(replay::findLadderNeighbour(*store, query(), now.value, step));
}

void LadderCanvas::selectLastInView()
{
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (!shown.empty())
        select(shown.back());
}

void LadderCanvas::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    m_hover = {};
    update();
}

void LadderCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const LadderHit hit = hitLadder(picture(), event->position());
    if (hit == m_hover)
        return;
    m_hover = hit;
    const bool server = hit.what == What::head && !m_picture.heads[hit.index].client.valid();
    setCursor(hit.what == What::nothing || server ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void LadderCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    const LadderHit hit = hitLadder(picture(), event->position());
    switch (hit.what) {
    case What::head:
        if (m_picture.heads[hit.index].client.valid())
            m_selection->selectClient(m_picture.heads[hit.index].client);
        return;
    case What::arrow:
        select(m_picture.arrows[hit.index].event);
        return;
    case What::box:
        select(m_picture.boxes[hit.index].event);
        return;
    case What::bar: {
        const LadderBar& bar = m_picture.bars[hit.index];
        m_selection->selectClient(bar.client, {}, bar.span.beginEvent);
        return;
    }
    case What::bracket:
        m_selection->selectHandoff(m_picture.bracket->handoff.acquiredEvent, m_picture.bracket->handoff.to);
        return;
    case What::nothing:
        return;
    }
}

void LadderCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const bool sideways =
        std::abs(angle.x()) > std::abs(angle.y()) || event->modifiers().testFlag(Qt::ShiftModifier);
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setZoom(m_zoom * std::pow(kZoomStep, angle.y() / 120.0));
    } else if (sideways) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        if (std::abs(delta) >= 40)
            setSkip(static_cast<int>(m_skip) + (delta > 0 ? -1 : 1));
    } else {
        scrollPixels(-angle.y() / 120.0 * kRowsPerNotch * kPixelsPerRow);
    }
}

bool LadderCanvas::scrollKey(int key)
{
    const int page = std::max(2, static_cast<int>(picture().eventsInView().size()) - 2);
    switch (key) {
    case Qt::Key_PageUp:
        scrollRows(-page);
        return true;
    case Qt::Key_PageDown:
        scrollRows(page);
        return true;
    case Qt::Key_Left:
        setSkip(static_cast<int>(m_skip) - kLinesPerKey);
        return true;
    case Qt::Key_Right:
        setSkip(static_cast<int>(m_skip) + kLinesPerKey);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setZoom(m_zoom * kZoomStep);
        return true;
    case Qt::Key_Minus:
        setZoom(m_zoom / kZoomStep);
        return true;
    case Qt::Key_0:
        setZoom(1);
        return true;
    default:
        return false;
    }
}

bool LadderCanvas::pressed(int key)
{
    if (scrollKey(key))
        return true;
    switch (key) {
    case Qt::Key_Up:
        selectNeighbour(-1);
        return true;
    case Qt::Key_Down:
        selectNeighbour(1);
        return true;
    case Qt::Key_Escape:
        m_selection->clear();
        return true;
    default:
        return false;
    }
}

} // namespace lockscope::ui
