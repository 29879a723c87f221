// Places the nodes of a queue: chooses the scale and a rectangle for each place. Rows change direction at
// their ends; rows of cells do not. Computes with counts and sizes only.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QSizeF>

#include <vector>

namespace lockscope::ui::chain {

// The fixed parts of the view around the queue.
struct ChainAreas
{
    QRectF queueArea;    // the nodes and the wake-up's lane above them
    double wakeLane = 0; // height of that lane
    QRectF stale, outside, explainBox, serverBox;
};
// `boxes`: with the explanation and the server's view, in a view that is high enough. `moreLines`: additional
// lines of text for which they are higher than their minimum.
ChainAreas areasFor(QSizeF viewport, double unit, bool boxes, int moreLines = 0);

struct Places
{
    Scale scale = Scale::empty;
    std::vector<QRectF> rects; // content coordinates
    std::size_t leading = 0;   // the boxes in front of the cells
    QRectF more;               // the line between these boxes and the cells
    double height = 0;         // of the content, the wake-up's lane included
};
// Whether a small box has a line of its own for details.
bool isTall(const QRectF& compact, double unit);
// `slotCount`: the places to choose the scale for; `count`, at most slotCount: the filled places.
Places placesFor(std::size_t slotCount, std::size_t count, const ChainAreas& rooms, double unit);

} // namespace lockscope::ui::chain
