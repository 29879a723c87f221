// The texts of the watch chain: pills, times, clients outside the queue, tool tips. Names from outside go
// through format::plain(). Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QCoreApplication>
#include <QString>

namespace lockscope::ui::chain {

enum class NodeState {
    joins,
    holds,
    waits,
    woken /* first, and no longer asleep */,
    releases,
    foreign,
    orphan,
    sessionGone,
    gone /* the placeholder ("ghost") of a deleted node */,
    parent /* the lock's own node, whose children are watched */
};

// What the card of a node says. ChainText::fill() writes the strings from what stands before them.
struct NodeTexts
{
    int place = -1; // in the queue; -1: the placeholder of a deleted node
    NodeState state = NodeState::joins;
    bool frozen = false;
    bool suspended = false; // its owner has no contact with the server
    bool ownerless = false; // of a watched lock: no session that is known owns it, so it has no colour
    QString kind;           // of a read/write lock: "R" or "W", in the user's language; otherwise empty
    QString also;           // the other locks that its owner holds or waits for
    // A circle has only its owner's name and its number, a cell no text.
    QString zeros, number, ownerName, nodeShort, pill, detail, detailMedium, detailShort;
    QString rarePart; // of the pill, for a card too narrow for all of it; may be empty
};

class ChainText
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    static NodeState stateOf(const replay::RunState& state, const replay::LockRow& lock,
                             const replay::NodeRow& node);
    static QString pill(NodeState state, bool frozen, bool suspended = false);
    // Fills the texts of a node's box.
    static void fill(NodeTexts& box, const replay::RunState& state, const replay::LockRow& lock,
                     const replay::NodeRow& node, TraceTime now);
    // The owner's use of other locks: "waits for right". May be empty.
    static QString also(const replay::RunState& state, const replay::ClientRow& owner, LockId lock);
    static QString prescribedWatch();
    static QString cycleTitle();
    static QString cycleWhy(const replay::RunState& state);
    static QString caption(const replay::LockRow* lock);
    // `explainsNext`: the text also predicts what the next client will do.
    static QString empty(const replay::RunState& state, const replay::LockRow* lock,
                         bool explainsNext = true);
    static QString outside(const replay::RunState& state, const replay::LockRow& lock,
                           bool explainsNext = true);
    static QString wake(const replay::RunState& state, const replay::WakeUp& wake, trace::WatchKind kind,
                        bool explains = true);
    static QString wakeOfHerd(const replay::RunState& state, const replay::WakeUp& wake,
                              trace::WatchKind kind);
    static QString goneStub(const replay::WakeUp& wake, trace::WatchKind kind);
    static QString more(std::size_t count, bool allSeen);
    // Describes one cell in a line of text.
    static QString named(const replay::RunState& state, const replay::LockRow& lock, const NodeTexts& box);
    static QString kind(const replay::LockRow& lock, const replay::NodeRow& node);
    static QString watchLabel();
    static QString goneLabel();
    static QString noNodeYet(); // in the middle of a herd
    static QString strayLabel();
    static QString watching(std::size_t count); // in a star with too many waiters to draw every arrow
    static QString kindLegend();                // of the cells of a read/write lock
    static QString shapeLegend();               // of circles too small for a letter
    static QString stale(const replay::RunState& state, const replay::ClientRow& client, TraceTime now);
    static QString staleMore(std::size_t count);
    // Lines of plain text.
    static QString toolTip(const replay::RunState& state, const replay::LockRow& lock, int place,
                           TraceTime now);

private:
    static QString ownerWords(const replay::RunState& state, const replay::LockRow& lock,
                              const replay::NodeRow& node, NodeState nodeState);
    static QString outsideWatched(const replay::LockRow& lock);
    static void fillWatched(NodeTexts& box, const replay::NodeRow& node, TraceTime now);
};

} // namespace lockscope::ui::chain
