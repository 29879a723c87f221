// Where a comparison's chain puts its circles and arrows: a star around what everybody watches, or rows that
// turn at their ends like a long queue. Pure geometry in logical pixels; any thread.
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
    std::size_t participant = 0; // who watches
};

struct CompareChainLayout
{
    qreal diameter = 0;
    QRectF hub; // of a star; empty in a chain
    std::vector<CompareDot> dots;
    std::vector<CompareArrow> arrows;
};

constexpr qreal kMinNamedDiameter = 18; // a circle so wide has room for a name

// Of the circle around the one who is next.
inline qreal ringRadius(qreal diameter) { return diameter / 2 + (diameter >= kMinNamedDiameter ? 3.5 : 2.5); }
// Half the side of the holder's square: large where it is found by its shape alone.
inline qreal holderHalfSide(qreal diameter) { return diameter / 2 + (diameter >= kMinNamedDiameter ? 1 : 2.5); }

CompareChainLayout layoutCompareChain(const ChainMoment& moment, const QSizeF& size);

} // namespace lockscope::ui
