// A client's state as text: the pill and the line below its name. All views use the same texts. Pure; any
// thread.
#pragma once

#include <QString>

#include "core/replay/state/run_state.h"
#include "ui/models/style/tone.h"

#include <optional>

namespace lockscope::ui {

struct TonedText
{
    QString text;
    Tone tone = Tone::plain;
};

// The position of a node in its lock's queue.
struct QueuePlace
{
    std::size_t ahead = 0; // nodes in front of it
    bool next = false;     // all nodes in front of it hold the lock
    bool operator==(const QueuePlace&) const = default;
};

// The number of nodes at the front that hold or release.
std::size_t holdersInFront(const replay::LockRow& lock);
// Empty when the node is not in the queue.
std::optional<QueuePlace> queuePlace(const replay::RunState& state, LockId lock, trace::Text node);
// Whether the node's owner waits without sleeping, and the node is first or a deletion woke the owner to list
// again.
bool isWoken(const replay::RunState& state, const replay::LockRow& lock, const replay::NodeRow& node);

// `place`: the position of its node, if it has one.
TonedText clientStatus(const replay::ClientRow& client, std::optional<QueuePlace> place);
// Whether the client waits with a node that the server no longer has, while nothing from the server reaches
// it.
bool isWaitingWithoutNode(const replay::ClientRow& client, bool hasNode);
// `quietSince`: since when the client has been frozen or suspended, if known.
TonedText clientDetail(const replay::ClientRow& client, TraceTime now, std::optional<TraceTime> quietSince);
// The locks that it holds and waits for, if there are several: "holds left, waits for right". Otherwise
// empty.
QString lockUseText(const replay::RunState& state, const replay::ClientRow& client);
// Plain and capped; "client 7" when it has none, "a client" for ClientId::none().
QString clientName(const replay::RunState& state, ClientId client);
// The short name of a lock among several: the last part of its path, "pool", "pool entrance".
QString lockLabel(const replay::RunState& state, LockId lock);
// A step of the protocol before which a client can stop: "list", "continue after create".
QString gateStepText(GateStep step);
// Where a stopped client stands: "before list", "after create".
QString gatePositionText(GateStep step);
// "stopped before list", "stopped after create".
QString stoppedAtText(GateStep step);
// Whether clientDetail() contains a running time.
bool hasRunningTime(const replay::ClientRow& client);

// `woken`: isWoken().
TonedText nodeStatus(const replay::NodeRow& node, bool woken = false);

} // namespace lockscope::ui
