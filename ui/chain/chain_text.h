// The words of the watch chain: pills, times, who is not in the queue, tooltips. Pure; names from outside are
// shown through format::plain().
#pragma once

#include "core/replay/state/run_state.h"
#include "ui/chain/chain_scene.h"

#include <QCoreApplication>
#include <QString>

namespace lockscope::ui::chain {

class ChainText
{
    Q_DECLARE_TR_FUNCTIONS(ChainText)
public:
    static QString clientName(const replay::RunState& state,
                              ClientId client); // "client 7" when it is not known
    static NodeState stateOf(const replay::RunState& state, const replay::LockRow& lock,
                             const replay::NodeRow& node);
    static QString pill(NodeState state, bool frozen);
    // Fills the texts of a card for a node.
    static void fill(ChainNode& card, const replay::RunState& state, const replay::LockRow& lock,
                     const replay::NodeRow& node, TraceTime now);
    // What its owner has to do with other locks: "waits for right". Empty when nothing.
    static QString also(const replay::RunState& state, const replay::ClientRow& owner, LockId lock);
    static QString prescribedWatch();
    static QString cycleTitle();
    static QString cycleWhy(const replay::RunState& state);
    static QString caption(const replay::LockRow* lock);
    static QString empty(const replay::RunState& state, const replay::LockRow* lock);
    static QString outside(const replay::RunState& state, const replay::LockRow& lock);
    static QString wake(const replay::RunState& state, const replay::WakeUp& wake, trace::WatchKind kind);
    static QString wakeOfHerd(const replay::RunState& state, const replay::WakeUp& wake,
                              trace::WatchKind kind);
    static QString goneStub(const replay::WakeUp& wake, trace::WatchKind kind);
    static QString more(std::size_t count, bool allSeen);
    // One square of many, in a line.
    static QString named(const replay::RunState& state, const replay::LockRow& lock, const ChainNode& card);
    static QString kind(const replay::LockRow& lock, const replay::NodeRow& node);
    static QString watchLabel();
    static QString goneLabel();
    static QString noNodeYet(); // in the middle of a herd
    static QString strayLabel();
    static QString watching(std::size_t count); // in a star too large to draw every arrow
    static QString kindLegend();                // of the cells of a read/write lock
    static QString shapeLegend();               // of circles too small for a letter
    static QString stale(const replay::RunState& state, const replay::ClientRow& client, TraceTime now);
    static QString staleMore(std::size_t count);
    // Lines of plain text.
    static QString toolTip(const replay::RunState& state, const replay::LockRow& lock, int place,
                           TraceTime now);

private:
    static QString ownerWords(const replay::RunState& state, const replay::LockRow& lock,
                              const replay::NodeRow& node, NodeState card);
    static QString outsideWatched(const replay::LockRow& lock);
    static void fillWatched(ChainNode& card, const replay::NodeRow& node, TraceTime now);
};

} // namespace lockscope::ui::chain
