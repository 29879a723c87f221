// What the watch chain shows, as a value: nodes, arrows, texts and their places. Made by layOutChain(), drawn
// by ChainPainter, hit-tested by ChainView. Node texts point into the trace. Queue content (nodes, arrows,
// wake-up) is in content coordinates and scrolls inside `queueArea`; the rest is in viewport coordinates.
#pragma once

#include "core/replay/state/run_state.h"
#include "ui/texts/chain_text.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

namespace lockscope::ui::chain {

enum class Scale { empty, large, compact, circles, cells };

struct ChainNode : NodeTexts
{
    QRectF rect;
    Scale as = Scale::large;
    replay::Text node;
    EventIndex key = EventIndex::none(); // created the node: identifies it in the next scene
    ClientId owner = ClientId::none();
    std::uint16_t colour = 0;
    bool silent() const { return frozen || suspended; }
    bool selected = false;
    bool pointed = false; // under the mouse
    std::uint16_t depth = 0;
    bool standing = false; // stopped before a step
    bool inCycle = false;  // its owner is in a cycle of waiting clients
    bool next = false;     // its owner has the lock after the release that is shown
    bool writes = false;   // of a read/write lock
    // Beside a circle: the name, and the number is inside. Null where there is no room, and for other nodes:
    // the name is inside.
    QRectF labelRect;
    bool labelAtLeft = false; // aligned left, beside an arrow
};

enum class ArrowKind {
    ahead, // to the node directly in front
    elsewhere,
    outside, // not in the queue
    wakes    // from a deleted node to a client that this woke
};

// How the watch of an arrow compares with the server's watch table.
enum class WatchMark {
    none,
    missing /* the server does not have it */,
    stray /* the server alone has it */,
    prescribed /* by the recipe: transaction logs contain no watches */
};

struct Arrow
{
    int from = 0, to = -1; // indexes into nodes; to is -1 when outside
    ArrowKind kind = ArrowKind::ahead;
    QPointF begin, end;
    QPointF bend1, bend2; // control points; = begin and end when straight
    QString label;        // empty when there is no room
    QPointF labelAt;      // center
    WatchMark mark = WatchMark::none;
    QString tip; // about the mark
};

struct Wake
{
    bool shown = false;
    double opacity = 0;
    double travel = 0; // progress along its arrow, or along all arrows of a herd: 0 to 1
    QPointF begin, end, bend1, bend2;
    QString text;
    QRectF textRect;
    QString stub; // names the deleted node when no box stands for it
    QRectF stubRect;
};

struct StaleClient
{
    QRectF rect;
    ClientId client = ClientId::none();
    std::uint16_t colour = 0;
    QString text;
};

// A cycle of waiting clients: a chip for each, an arrow to the next, and the first one again at the end; of a
// long cycle the first clients, and a chip for the others.
struct CycleChip
{
    QRectF rect;
    ClientId client = ClientId::none(); // none(): the others
    std::uint16_t colour = 0;
    QString name;
    QString wants; // the lock it waits for, on the arrow to the next; empty at the end
};
struct Cycle
{
    QRectF rect; // null: there is no cycle
    QString title;
    std::vector<CycleChip> chips;
};

// An entry of the legend: the look of a cell, and its meaning.
struct LegendEntry
{
    NodeState state = NodeState::waits;
    bool frozen = false;
    bool suspended = false;
    QString text;
};

struct ChainScene
{
    Scale scale = Scale::empty;
    std::vector<ChainNode> nodes; // the queue in order; a placeholder is at its old place
    std::vector<Arrow> arrows;
    Wake wake;
    QString more;                    // "and 962 more", between the boxes and the cells
    std::vector<LegendEntry> legend; // of the cells, on the same line
    QString named; // the cell under the mouse, else the selected one; at the end of that line
    QRectF moreRect;
    bool star = false; // all waiters stand around one node: the lock node, or the parent of their nodes
    std::vector<StaleClient> stale;
    Cycle cycle;
    QString outside; // the clients that are not in the queue
    QRectF outsideRect;
    QString empty; // instead of nodes
    QRectF emptyRect;
    QRectF queueArea;             // clip of the scrolled content, in the viewport
    double contentHeight = 0;     // of the queue content; more than queueArea's height: scrolls
    QRectF explainBox, serverBox; // null when there is no room

    // Null: there is no such node or client.
    const ChainNode* nodeOf(replay::Text node) const;
    const ChainNode* nodeOf(ClientId client) const; // the first one in the queue
    const ChainNode* selected() const;
    // The node under a point of the viewport. `scrolled`: the scroll offset.
    const ChainNode* nodeAt(QPointF point, double scrolled) const;
    const StaleClient* staleAt(QPointF point) const;
    ClientId cycleAt(QPointF point) const; // none(): no chip is there
    const Arrow* markedArrowAt(QPointF point, double scrolled) const;
    int hiddenHeight() const; // of the queue content beyond its area; it scrolls if this is above 0
};

} // namespace lockscope::ui::chain
