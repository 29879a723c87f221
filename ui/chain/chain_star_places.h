// Places the nodes of a star: on an ellipse around the middle, as small boxes or circles; circles that would
// be too small become rows of cells below the middle. Clients keep their places while others come and go.
// Pure.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_places.h"

#include <vector>

namespace lockscope::ui::chain {

struct StarPlaces
{
    Scale scale = Scale::empty;
    QRectF middle;
    std::vector<QRectF> rects;  // content coordinates
    std::vector<QRectF> labels; // of the circles, on their outer side; empty: there is no room
    QRectF legend;              // above the cells; null on an ellipse
    double height = 0;          // of the content
};

// `boxes`: whether the nodes around the middle may be boxes. Clients without a node are always circles.
StarPlaces starPlaces(const ChainQuery& query, const ChainAreas& rooms, std::size_t count, bool boxes);

} // namespace lockscope::ui::chain
