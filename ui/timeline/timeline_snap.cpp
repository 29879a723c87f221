#include "ui/timeline/timeline_snap.h"

#include <cmath>

namespace lockscope::ui {

namespace {

constexpr double kSnapReach = 6; // pixels
constexpr int kExactFrom = 3;

class Nearest
{
public:
    Nearest(const TimeScale& scale, int x)
        : m_scale(scale)
        , m_x(x)
    {}
    void offer(TraceTime edge)
    {
        const double distance = std::abs(m_scale.xAt(edge) - m_x);
        if (edge == kForever || distance > m_distance)
            return;
        m_distance = distance;
        m_best = edge;
    }
    void offer(std::span<const TimelineBar> bars)
    {
        for (const TimelineBar& bar : bars) {
            // A short release is drawn a pixel wide: only the end of the hold is exact.
            if (bar.span.kind == replay::SpanKind::releasing && bar.rect.width() < kExactFrom)
                continue;
            offer(bar.span.begin);
            offer(bar.span.end);
        }
    }
    std::optional<TraceTime> best() const { return m_best; }

private:
    const TimeScale& m_scale;
    double m_x;
    double m_distance = kSnapReach;
    std::optional<TraceTime> m_best;
};

} // namespace

std::optional<TraceTime> nearestEdge(const TimelinePicture& picture, const std::vector<Bookmark>& notes,
                                     QPoint at)
{
    Nearest nearest(picture.scale, at.x());
    const ClientId lane = picture.rows->at(picture.layout.laneAt(at.y()));
    if (lane.valid()) {
        nearest.offer(picture.barsOf(lane));
        nearest.offer(picture.overlaysOf(lane));
        nearest.offer(picture.behindOf(lane));
    } else {
        nearest.offer(picture.bars);
        nearest.offer(picture.overlays);
    }
    for (const TimelineMark& mark : picture.marks)
        nearest.offer(mark.mark.at);
    for (const TimelineFlag& flag : picture.flags)
        nearest.offer(notes[flag.note].at);
    return nearest.best();
}

} // namespace lockscope::ui
