// What the watch chain shows, as a value: cards, arrows, texts and their places. Made by layOutChain() from a
// state, drawn by ChainPainter, asked for hits by ChainView. Knows no widget. Node texts point into the
// trace. Queue content (cards, arrows, wake) is in content coordinates: it scrolls inside `queueArea`; the
// rest stays.
#pragma once

#include "core/replay/state/run_state.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

namespace lockscope::ui::chain {

enum class Scale { empty, cards, compact, circles, cells };

enum class NodeState {
    joins,
    holds,
    waits,
    woken /* first, and not asleep any more */,
    releases,
    foreign,
    orphan,
    sessionGone,
    gone /* the ghost of a node */,
    parent /* the lock's own node, whose children are watched */
};

struct ChainNode
{
    QRectF rect;
    Scale as = Scale::cards;
    int place = -1; // in the queue; -1 = the ghost of a node that went
    replay::Text node;
    EventIndex key = EventIndex::none(); // what created the node: the same card in the next scene
    ClientId owner = ClientId::none();
    std::uint16_t colour = 0;
    NodeState state = NodeState::joins;
    bool frozen = false;
    bool selected = false;
    bool pointed = false; // under the mouse
    std::uint16_t depth = 0;
    bool standing = false; // held before a step
    bool inCycle = false;  // waits in a circle of clients
    bool writes = false;   // of a read/write lock
    QString kind;          // of a read/write lock: "R" or "W", in the person's language; else empty
    QString also;          // what else its owner holds or waits for
    // A circle has its owner's name only, a cell none.
    QString zeros, number, ownerName, nodeShort, pill, detail, detailMedium, detailShort;
};

enum class ArrowKind {
    ahead, // to the node directly in front
    elsewhere,
    outside, // not in the queue
    wakes    // from the one node to somebody it just woke
};

// What the server's watch table says to the watch that an arrow stands for.
enum class WatchMark {
    none,
    missing /* the server does not have it */,
    stray /* the server alone has it */,
    prescribed /* by the rule of the recipe: watches are in no log */
};

struct Arrow
{
    int from = 0, to = -1; // indexes into cards; to is -1 when outside
    ArrowKind kind = ArrowKind::ahead;
    QPointF begin, end;
    QPointF bend1, bend2; // control points; = begin and end when straight
    QString label;        // empty when there is no room
    QPointF labelAt;      // centre
    WatchMark mark = WatchMark::none;
    QString tip; // about the mark
};

struct Wake
{
    bool shown = false;
    double opacity = 0;
    double travel = 0; // how far the news has come along its arrow, or along all of a herd's: 0 .. 1
    QPointF begin, end, bend1, bend2;
    QString text;
    QRectF textRect;
    QString stub; // names the node that went, when no card stands for it
    QRectF stubRect;
};

struct StaleClient
{
    QRectF rect;
    ClientId client = ClientId::none();
    std::uint16_t colour = 0;
    QString text;
};

// Who waits for whom in a circle: a chip for each, an arrow to the next, the first one again at the end.
struct CycleChip
{
    QRectF rect;
    ClientId client = ClientId::none();
    std::uint16_t colour = 0;
    QString name;
    QString wants; // the lock it waits for, on the arrow to the next; empty at the end
};
struct Cycle
{
    QRectF rect; // null: nobody does
    QString title;
    std::vector<CycleChip> chips;
};

// What a square looks like, and the words for it.
struct LegendEntry
{
    NodeState state = NodeState::waits;
    bool frozen = false;
    QString text;
};

struct ChainScene
{
    Scale scale = Scale::empty;
    std::vector<ChainNode> cards; // the queue in order; a ghost stands before the node it woke
    std::vector<Arrow> arrows;
    Wake wake;
    QString more;                // "and 962 more", between the cards and the cells
    std::vector<LegendEntry> legend; // of the cells there are, behind that
    QString named;               // the cell under the mouse, else the selected one; at the end of that line
    QRectF moreRect;
    bool star = false; // all wait around one node: the one there is, or the parent of their own
    std::vector<StaleClient> stale;
    Cycle cycle;
    QString outside; // who is not in the queue
    QRectF outsideRect;
    QString empty; // instead of cards
    QRectF emptyRect;
    QRectF queueArea;             // clip of the scrolled content, in the viewport
    double contentHeight = 0;     // of the queue content; more than queueArea's height: scrolls
    QRectF explainBox, serverBox; // null when there is no room

    const ChainNode* cardOf(replay::Text node) const;
    // The card under a point of the viewport, scrolled by so much; null when there is none.
    const ChainNode* cardAt(QPointF point, double scrolled) const;
    const StaleClient* staleAt(QPointF point) const;
    ClientId cycleAt(QPointF point) const; // none when there is no chip
    const Arrow* markedArrowAt(QPointF point, double scrolled) const;
};

} // namespace lockscope::ui::chain
