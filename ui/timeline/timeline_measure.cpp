#include "ui/timeline/timeline_measure.h"

#include <algorithm>
#include <ranges>

namespace lockscope::ui {

MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store, std::size_t drained,
                               TraceTime one, TraceTime other)
{
    MeasuredStretch stretch;
    stretch.from = std::min(one, other);
    stretch.to = std::max(one, other);
    const TraceTime after = stretch.to + Duration(1);
    stretch.handoffs = timeline.handoffsBefore(after) - timeline.handoffsBefore(stretch.from);
    const auto eventsBefore = [&](TraceTime time) {
        const auto all = std::views::iota(std::size_t{0}, drained);
        return *std::ranges::partition_point(all, [&](std::size_t i) { return store.at(i).at < time; });
    };
    stretch.events = eventsBefore(after) - eventsBefore(stretch.from);
    return stretch;
}

} // namespace lockscope::ui
