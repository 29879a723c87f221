// Where the cards of a star go: on a round around the middle, as small cards, then as circles, and when these
// would be too small to see, as a strip of cells below the middle. Everybody keeps a place, whoever comes and
// goes. Pure.
#pragma once

#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_places.h"

#include <vector>

namespace lockscope::ui::chain {

struct StarPlaces
{
    Scale scale = Scale::empty;
    QRectF middle;
    std::vector<QRectF> rects; // content coordinates
    QRectF legend;             // above the strip; null on a round
    double height = 0;         // of the content
};

// `cards`: whether those around may be cards. They are circles in any case where a star has no nodes of
// theirs.
StarPlaces starPlaces(const ChainQuery& query, const ChainAreas& rooms, std::size_t count, bool cards);

} // namespace lockscope::ui::chain
