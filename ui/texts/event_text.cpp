#include "ui/texts/event_text.h"

#include "ui/texts/event_narrator.h"

#include <utility>

namespace lockscope::ui {

namespace {

EventText textOf(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store,
                 bool explains)
{
    return EventNarrator(event, state, store, explains).text();
}

} // namespace

QString arrowText(LogArrow arrow)
{
    switch (arrow) {
    case LogArrow::none:
        return QStringLiteral("·");
    case LogArrow::toServer:
        return QStringLiteral("→");
    case LogArrow::fromServer:
        return QStringLiteral("←");
    case LogArrow::watch:
        return QStringLiteral("⚡");
    case LogArrow::gained:
        return QStringLiteral("●");
    case LogArrow::released:
        return QStringLiteral("○");
    case LogArrow::fault:
        return QStringLiteral("!");
    }
    return {};
}

LogLine logLine(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store)
{
    return textOf(event, state, store, false).line;
}

EventLabel eventLabel(const trace::Event& event, const trace::TraceStore& store)
{
    static const replay::RunState kNoState;
    EventText text = textOf(event, kNoState, &store, false);
    return {std::move(text.labels), text.line.tone};
}

Explanation explain(const replay::RunState& state, const trace::Event& event)
{
    return textOf(event, state, nullptr, true).sentences;
}

} // namespace lockscope::ui
