// What the protocol log and its filter ask of an event besides its line: is it shown, and its verb, kind and
// node. Pure and cheap.
#pragma once

#include <QLatin1String>
#include <QString>

#include "core/trace/event.h"
#include "core/trace/store.h"

#include <array>

namespace lockscope::ui {

// Whether the log shows this event at all.
bool isLogged(const trace::Event& event);
// The name of the operation, or of what happened, that a filter asks for: "getData", "NodeDeleted",
// "acquired".
QString logVerb(const trace::Event& event);

inline constexpr std::array<QLatin1String, 6> kLogKinds{{QLatin1String("request"), QLatin1String("reply"),
                                                         QLatin1String("watch"), QLatin1String("lock"),
                                                         QLatin1String("session"), QLatin1String("run")}};
QLatin1String logKind(const trace::Event& event); // one of kLogKinds
QString logNode(const trace::Event& event);       // empty when it names none

// Whether this is a request for a watch on the client's own node, by which a holder is told when that goes.
// What a waiter watches follows from what it decided; nothing else brings a holder to watch.
bool watchesOwnNode(const trace::Event& event, const trace::TraceStore& store);

} // namespace lockscope::ui
