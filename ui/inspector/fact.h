// What the Inspector shows of the selected thing: facts under headings, each with the event that said so.
// Plain values; texts point into the TraceStore.
#pragma once

#include <QJsonValue>
#include <QString>

#include "core/trace/event.h"
#include "ui/models/selection.h"
#include "ui/models/tone.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::ui {

struct Fact
{
    QString id;        // "client.state": stays the same from moment to moment, and is its place in JSON
    QString label;     // of a heading: its words
    QString value;     // plain and capped
    trace::Text whole; // of a value from outside: all of it
    QJsonValue exact;  // for programs: numbers in whole units, names as traces have them
    Tone tone = Tone::plain;
    std::optional<std::uint16_t> colour; // of the client that the value names
    Selected names;                      // what the value names, if that can be selected
    EventIndex event = EventIndex::none();
    std::optional<Duration> lasted; // of a part of the whole, for its share of a bar
    bool heading = false;

    const QString& key() const { return id; }
    // A text of any length that stays as it is: broken into lines instead of being cut.
    bool wraps() const { return !whole.empty() || id.startsWith(QLatin1String("event.")); }
    bool hasTarget() const { return names.kind != Selected::Kind::nothing; }
    // Nothing to paint again; `exact` and `whole` follow from what is compared.
    bool operator==(const Fact& other) const
    {
        return id == other.id && label == other.label && value == other.value && tone == other.tone &&
               colour == other.colour && names == other.names && event == other.event &&
               lasted == other.lasted;
    }
};

struct Inspection
{
    Selected what;
    QString title; // "bo", "…0186", "ada → bo", "event 18,204"
    QString kind;  // "client", for a person
    std::optional<std::uint16_t> colour;
    TraceTime at{};           // the moment that it is told for
    std::size_t position = 0; // events before it
    std::vector<Fact> facts;  // none: nothing is selected, or it is not known at this moment
};

} // namespace lockscope::ui
