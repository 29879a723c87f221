// One event as a line of the protocol log: client, direction and text. Text from outside is made plain. Pure;
// any thread.
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

QString arrowText(LogArrow arrow); // one character, so that the direction does not depend on a colour alone

// `state` gives the names: any state that has the event's client. `store`: of the event; without it, a watch
// on the client's own node is not marked.
LogLine logLine(const trace::Event& event, const replay::RunState& state,
                const trace::TraceStore* store = nullptr);

} // namespace lockscope::ui
