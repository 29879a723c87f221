// A client's state in words: the pill and the line under its name. Pure; the same words in every view.
#pragma once

#include <QString>

#include "core/replay/run_state.h"
#include "ui/models/tone.h"

#include <optional>

namespace lockscope::ui {

struct Phrase
{
    QString text;
    Tone tone = Tone::plain;
};

// `place` is the index of its node in the lock's queue, if it has one there.
Phrase clientPhrase(const replay::ClientRow& client, std::optional<std::size_t> place);
// `quietSince`: since when it is frozen or suspended, if it is and if that is known.
Phrase clientDetail(const replay::ClientRow& client, TraceTime now, std::optional<TraceTime> quietSince);
// Which locks it holds and waits for, when there are several: "holds left, waits for right". Empty otherwise.
QString engagementWords(const replay::RunState& state, const replay::ClientRow& client);
// How a lock is called among several: the last part of its path, "pool", "pool entrance".
QString lockLabel(const replay::RunState& state, LockId lock);
// A step of the protocol that can be held up: "list", "going on after create".
QString stepWords(trace::GateStep step);
// "stands before list", "stands after create".
QString standsWords(trace::GateStep step);
// Whether clientDetail() changes as time goes by.
bool detailTicks(const replay::ClientRow& client);

Phrase nodePhrase(const replay::NodeRow& node);
QString ordinal(std::size_t place); // "1st", "2nd", "3rd", "11th"

} // namespace lockscope::ui
