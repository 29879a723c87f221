#include "ui/timeline/timeline_folded.h"

#include <algorithm>

namespace lockscope::ui {

using replay::Span;
using replay::SpanKind;

namespace {

constexpr int kStep = 6; // pixels

// The worst that any lane does, for each step of the picture's width.
class WorstStates
{
public:
    WorstStates(const TimelineInput& input, const TimelinePicture& picture)
        : m_scale(picture.scale)
        , m_runEnd(input.runEnd)
        , m_kinds(static_cast<std::size_t>(picture.scale.width / kStep + 1))
    {}
    void add(const std::vector<Span>& spans)
    {
        for (const Span& span : spans) {
            if (span.begin > m_runEnd)
                continue;
            const int first = std::max(m_scale.pixelAt(span.begin), m_scale.left);
            const int last = std::min(std::max(first, m_scale.pixelAt(std::min(span.end, m_runEnd)) - 1), m_scale.right() - 1);
            for (int step = (first - m_scale.left) / kStep; step * kStep <= last - m_scale.left; ++step)
                m_kinds[static_cast<std::size_t>(step)] = std::max(m_kinds[static_cast<std::size_t>(step)], span.kind);
        }
    }
    // A bar for each run of steps of one kind; none of them names a lane.
    std::vector<TimelineBar> bars(const TimelineLayout& layout, int row) const
    {
        std::vector<TimelineBar> result;
        for (std::size_t i = 0, next = 0; i < m_kinds.size(); i = next) {
            for (next = i; next < m_kinds.size() && m_kinds[next] == m_kinds[i];)
                ++next;
            if (m_kinds[i] == SpanKind::none)
                continue;
            const int x0 = m_scale.left + static_cast<int>(i) * kStep;
            const int x1 = m_scale.left + static_cast<int>(next) * kStep;
            const int height = m_kinds[i] == SpanKind::waiting ? layout.waitHeight() : layout.holdHeight() * 3 / 4;
            Span span;
            span.begin = m_scale.timeAt(x0);
            span.end = m_scale.timeAt(x1);
            span.kind = m_kinds[i];
            result.push_back({QRect(x0, layout.laneCentre(row) - height / 2, x1 - x0, height), span,
                              ClientId::none(), row});
        }
        return result;
    }

private:
    const TimeScale& m_scale;
    TraceTime m_runEnd;
    std::vector<SpanKind> m_kinds;
};

} // namespace

void addFoldedLanes(const TimelineInput& input, TimelinePicture& picture, int row)
{
    const replay::Timeline& timeline = *input.timeline;
    const TraceTime begin = picture.scale.begin();
    const TraceTime end = std::min(picture.scale.end(), input.runEnd + Duration(1));
    const Duration step = picture.scale.resolution() * kStep;
    WorstStates states(input, picture);
    WorstStates overlays(input, picture);
    std::vector<Span> spans;
    const auto collect = [&](WorstStates& into) {
        into.add(spans);
        picture.queriedSpans += spans.size();
        spans.clear();
    };
    for (const ClientId lane : picture.rows->folded()) {
        timeline.spans(lane, begin, end, step, spans);
        collect(states);
        timeline.overlays(lane, begin, end, step, spans);
        collect(overlays);
    }
    picture.queriedLanes += picture.rows->folded().size();
    for (const auto& [from, to] : {std::pair(&states, &picture.bars), std::pair(&overlays, &picture.overlays)})
        for (const TimelineBar& bar : from->bars(picture.layout, row))
            to->push_back(bar);
}

} // namespace lockscope::ui
