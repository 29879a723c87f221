#include "ui/chain/chain_zoom.h"

#include "ui/chain/chain_places.h"
#include "ui/chain/chain_star.h"

#include <QFontMetricsF>

#include <algorithm>

namespace lockscope::ui::chain {

using replay::LockRow;

namespace {

bool inOneRow(const Places& places) { return places.rects.back().top() <= places.rects.front().top(); }

} // namespace

double unitOf(const Fonts& fonts) { return std::max(0.8, QFontMetricsF(fonts.text).height() / 16.0); }

double zoomFor(const ChainQuery& query)
{
    constexpr double kMaxZoom = 1.35, kStep = 0.05;
    constexpr std::size_t kMaxBoxes = 100; // no view has room for more
    const LockRow* lock = query.state->lock(query.lock);
    if (!lock || isStar(*lock))
        return 1;
    const std::size_t most = std::max({std::size_t{1}, lock->queue.size(), query.state->clients.size()});
    const ChainAreas rooms = areasFor(query.viewport, query.unit, query.boxes);
    const Places usual = most > kMaxBoxes ? Places() : placesFor(most, most, rooms, query.unit);
    if (usual.scale == Scale::empty || usual.scale == Scale::cells)
        return 1;
    for (double zoom = kMaxZoom; zoom > 1 + kStep / 2; zoom -= kStep) {
        const double unit = query.unit * zoom;
        const ChainAreas larger = areasFor(query.viewport, unit, query.boxes);
        const Places places = placesFor(most, most, larger, unit);
        const bool around = larger.wakeLane >= rooms.wakeLane &&
                            larger.explainBox.isNull() == rooms.explainBox.isNull() &&
                            larger.serverBox.isNull() == rooms.serverBox.isNull();
        // The zoomed box must not be narrower relative to its type, unless each line has the box's width to
        // itself. Except for circles, it must not need more rows.
        const bool tall = usual.scale == Scale::compact && isTall(usual.rects.front(), query.unit);
        const bool sameLines = tall ? isTall(places.rects.front(), unit)
                                    : places.rects.front().width() >= usual.rects.front().width() * zoom - 1;
        if (around && places.scale == usual.scale && sameLines &&
            (usual.scale == Scale::circles || inOneRow(places) == inOneRow(usual)))
            return zoom;
    }
    return 1;
}

} // namespace lockscope::ui::chain
