// Lays out the circles and arrows of a comparison's chain: a star around the watched node, or rows that turn
// at their ends. Pure geometry in logical pixels; any thread.
#pragma once

#include "ui/compare/chain_moment.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace lockscope::ui {

struct CompareDot
{
    QPointF centre;
    std::size_t participant = 0; // index into ChainMoment::people
};

struct CompareArrow
{
    QPointF from, to;
    std::size_t participant = 0; // the client that watches
};

struct CompareChainLayout
{
    qreal diameter = 0;
    QRectF hub; // of a star; empty in a chain
    std::vector<CompareDot> dots;
    std::vector<CompareArrow> arrows;
};

constexpr qreal kMinNamedDiameter = 18; // a circle of this diameter has room for a name

// The radius of the ring around the next holder.
inline qreal ringRadius(qreal diameter) { return diameter / 2 + (diameter >= kMinNamedDiameter ? 3.5 : 2.5); }
// Half the side of the holder's square. Small squares are enlarged, because only the shape marks them.
inline qreal holderHalfSide(qreal diameter)
{
    return diameter / 2 + (diameter >= kMinNamedDiameter ? 1 : 2.5);
}

CompareChainLayout layoutCompareChain(const ChainMoment& moment, const QSizeF& size);

} // namespace lockscope::ui
