// One event as a line of the protocol log: who, which way, and the words. Pure; text from outside is made
// safe.
#pragma once

#include <QString>

#include "core/replay/state/run_state.h"
#include "core/trace/store.h"
#include "ui/models/tone.h"

#include <optional>

namespace lockscope::ui {

enum class LogArrow { none, toServer, fromServer, watch, gained, released, fault };

struct LogLine
{
    QString who;                         // a client's name, "zk" for the server, "you" for a command
    std::optional<std::uint16_t> colour; // the client's
    LogArrow arrow = LogArrow::none;
    QString text;
    Tone tone = Tone::plain;
};

QString arrowText(LogArrow arrow); // one character: the arrow has a shape besides its colour

// `state` gives the names; any state that knows the event's client will do. `store`: where the event is from;
// without it a watch on the own node is not told from another.
LogLine logLine(const trace::Event& event, const replay::RunState& state,
                const trace::TraceStore* store = nullptr);

} // namespace lockscope::ui
