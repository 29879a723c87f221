// A client's state in words: the pill and the line under its name. Pure; the same words in every view.
#pragma once

#include <QString>

#include "core/replay/state/run_state.h"
#include "ui/models/tone.h"

#include <optional>

namespace lockscope::ui {

struct TonedText
{
    QString text;
    Tone tone = Tone::plain;
};

// Where a node stands in its lock's queue.
struct QueuePlace
{
    std::size_t ahead = 0; // nodes in front of it
    bool next = false;     // all of them hold: it comes after them
    bool operator==(const QueuePlace&) const = default;
};

// How many at the front hold, or are about to let go.
std::size_t holdersInFront(const replay::LockRow& lock);
// Of this node of the client; empty when it is not in the queue.
std::optional<QueuePlace> queuePlace(const replay::RunState& state, LockId lock, trace::Text node);
// Whether this node of the lock is first and its owner, which waits, is not asleep: it was woken, or was
// never behind anybody.
bool isWoken(const replay::RunState& state, const replay::LockRow& lock, const replay::NodeRow& node);

// `place` is that of its node, if it has one.
TonedText clientStatus(const replay::ClientRow& client, std::optional<QueuePlace> place);
// It cannot hear from the server and waits, with a node that the server does not have any more.
bool isWaitingWithoutNode(const replay::ClientRow& client, bool hasNode);
// `quietSince`: since when it is frozen or suspended, if it is and if that is known.
TonedText clientDetail(const replay::ClientRow& client, TraceTime now, std::optional<TraceTime> quietSince);
// Which locks it holds and waits for, when there are several: "holds left, waits for right". Empty otherwise.
QString lockUseText(const replay::RunState& state, const replay::ClientRow& client);
// How a lock is called among several: the last part of its path, "pool", "pool entrance".
QString lockLabel(const replay::RunState& state, LockId lock);
// A step of the protocol that can be held up: "list", "continue after create".
QString gateStepText(trace::GateStep step);
// "before list", "after create": where a client stands that is stopped there.
QString gatePositionText(trace::GateStep step);
// "stopped before list", "stopped after create".
QString stoppedAtText(trace::GateStep step);
// Whether clientDetail() changes as time goes by.
bool hasRunningTime(const replay::ClientRow& client);

// `woken`: isWoken().
TonedText nodeStatus(const replay::NodeRow& node, bool woken = false);

} // namespace lockscope::ui
