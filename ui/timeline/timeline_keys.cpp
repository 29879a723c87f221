// Keys of the TimelineCanvas.
#include "ui/timeline/timeline_canvas.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr double kKeyPan = 0.2; // of the width
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

bool TimelineCanvas::zoomOrPanKey(int key)
{
    const TimeScale& scale = picture().scale;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAround(1 / kTimelineZoomStep, scale.left + scale.width / 2.0);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomAround(kTimelineZoomStep, scale.left + scale.width / 2.0);
        return true;
    case Qt::Key_A:
    case Qt::Key_Left:
        panPixels(-kKeyPan * scale.width);
        return true;
    case Qt::Key_D:
    case Qt::Key_Right:
        panPixels(kKeyPan * scale.width);
        return true;
    case Qt::Key_0:
        m_window->showAll();
        return true;
    default:
        return false;
    }
}

// The innermost thing first.
bool TimelineCanvas::escape()
{
    if (m_measure)
        endMeasuring();
    else
        m_selection->clear();
    return true;
}

bool TimelineCanvas::pressed(int key)
{
    if (zoomOrPanKey(key))
        return true;
    const int page = picture().layout.plot.height();
    switch (key) {
    case Qt::Key_Up:
        selectNeighbour(-1);
        return true;
    case Qt::Key_Down:
        selectNeighbour(1);
        return true;
    case Qt::Key_PageUp:
        setScroll(m_scroll - page);
        return true;
    case Qt::Key_PageDown:
        setScroll(m_scroll + page);
        return true;
    case Qt::Key_M:
        measureFromCursor();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        zoomToSelection();
        return true;
    case Qt::Key_H:
        foldSelected();
        return true;
    case Qt::Key_G:
        goToHolder();
        return true;
    case Qt::Key_T:
        setLaneOrder(laneOrder() == LaneOrder::byAcquisition ? LaneOrder::added : LaneOrder::byAcquisition);
        return true;
    case Qt::Key_E:
        setLegend(!legendShown());
        return true;
    case Qt::Key_C:
        setCompactLanes(!m_compactLanes);
        return true;
    case Qt::Key_Escape:
        return escape();
    default:
        return false;
    }
}

} // namespace lockscope::ui
