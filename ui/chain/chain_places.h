// Where the nodes of a queue go: picks the scale and gives every place its rectangle, in rows that turn at
// the ends like a snake (cells run in plain rows). Pure arithmetic of counts and sizes.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QSizeF>

#include <vector>

namespace lockscope::ui::chain {

// Squares in plain rows, in whole pixels and as large as lets all of them be seen at once.
struct CellGrid
{
    CellGrid(const QRectF& area, std::size_t count, double unit);
    QRectF at(std::size_t cell) const;

    QPoint origin;
    int pitch = 0, side = 0;
    std::size_t perRow = 1;
};

// The fixed parts of the view around the queue.
struct ChainAreas
{
    QRectF queueArea;    // cards, the wake-up's lane above them included
    double wakeLane = 0; // height of that lane
    QRectF stale, outside, explainBox, serverBox;
};
// `moreLines`: for which the boxes are higher than they are at least.
ChainAreas areasFor(QSizeF viewport, double unit, int moreLines = 0);

struct Places
{
    Scale scale = Scale::empty;
    std::vector<QRectF> rects; // content coordinates
    std::size_t leading = 0;   // how many of them are cards before the cells begin
    QRectF more;               // the line between those cards and the cells
    double height = 0;         // of the content, the wake-up's lane included
};
// A compact card with a line of its own for what else there is to say.
bool isTall(const QRectF& compact, double unit);
// `slotCount`: how many places to choose the scale for; `count` (at most that): how many are filled.
Places placesFor(std::size_t slotCount, std::size_t count, const ChainAreas& rooms, double unit);

} // namespace lockscope::ui::chain
