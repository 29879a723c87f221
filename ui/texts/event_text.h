// The texts about an event, in three lengths that are written side by side: a line of the protocol log with
// its client and direction; a label, with shorter forms for little room; and sentences with the reason, for a
// person who learns the recipe. Log, protocol, timeline, inspector and explanations take their texts from
// here. Text from outside is made plain. Pure; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include "core/replay/state/run_state.h"
#include "core/trace/store.h"
#include "ui/models/style/tone.h"

#include <cstdint>
#include <optional>

namespace lockscope::ui {

enum class LogArrow { none, toServer, fromServer, watch, gained, released, fault };

struct LogLine
{
    QString who;                         // a client's name, "zk" for the server, "you" for a command
    std::optional<std::uint16_t> colour; // the client's
    LogArrow arrow = LogArrow::none;
    QString text; // empty for events that are not logged
    Tone tone = Tone::plain;
};

// From the longest to the shortest; the first that fits is drawn. Without the names of clients and locks.
struct EventLabel
{
    QStringList variants;
    Tone tone = Tone::plain;
};

struct Explanation
{
    QString what; // what happened; never empty
    QString why;  // why, or what follows; may be empty
};

QString arrowText(LogArrow arrow); // one character, so that the direction does not depend on a color alone

// `state` gives the names: any state that has the event's client. `store`: the event's store; without it, a
// watch on the client's own node is not marked.
LogLine logLine(const trace::Event& event, const replay::RunState& state,
                const trace::TraceStore* store = nullptr);
EventLabel eventLabel(const trace::Event& event, const trace::TraceStore& store);
// `state`: at about the time of the event, for names and the recipe.
Explanation explain(const replay::RunState& state, const trace::Event& event);

} // namespace lockscope::ui
