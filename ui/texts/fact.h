// The facts that the Inspector shows about the selected item, under headings, each with its source event.
// Plain values.
#pragma once

#include <QJsonValue>
#include <QString>

#include "core/trace/event.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/tone.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::ui {

struct Fact
{
    QString id;        // "client.state": constant over time; also its place in JSON
    QString label;     // or the text of a heading
    QString value;     // plain and capped
    std::string whole; // the complete text of a value from outside
    QJsonValue exact;  // for programs: numbers in whole units, names as traces have them
    Tone tone = Tone::plain;
    std::optional<std::uint16_t> colour; // of the client in the value
    Selected target;                     // the item in the value, if it can be selected
    EventIndex event = EventIndex::none();
    std::optional<Duration> duration; // only of a part of a handoff, for its share of the bar
    bool heading = false;

    const QString& key() const { return id; }
    // Whether the value is wrapped instead of elided: it may have any length and does not change.
    bool wraps() const { return !whole.empty() || id.startsWith(QLatin1String("event.")); }
    bool hasTarget() const { return target.kind != Selected::Kind::nothing; }
    // True when nothing has to be repainted; `exact` and `whole` follow from the compared members.
    bool operator==(const Fact& other) const
    {
        return id == other.id && label == other.label && value == other.value && tone == other.tone &&
               colour == other.colour && target == other.target && event == other.event &&
               duration == other.duration;
    }
};

struct Inspection
{
    Selected what;
    QString title; // "bo", "…0186", "ada → bo", "event 18,204"
    QString kind;  // "client", for a person
    std::optional<std::uint16_t> colour;
    TraceTime at{};           // the time of the facts
    std::size_t position = 0; // events before it
    std::vector<Fact> facts;  // empty: nothing is selected, or it is unknown at this time
};

} // namespace lockscope::ui
