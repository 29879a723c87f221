// What the protocol log and its filter need to know of an event besides its line: whether it is logged, its
// verb, kind and node. Pure; any thread; cheap.
#pragma once

#include <QLatin1String>
#include <QString>

#include "core/trace/event.h"
#include "core/trace/store.h"

#include <array>

namespace lockscope::ui {

bool isLogged(const trace::Event& event);
// The name of the operation or occurrence that a filter can match: "getData", "NodeDeleted", "acquired".
QString logVerb(const trace::Event& event);

inline constexpr std::array<QLatin1String, 6> kLogKinds{{QLatin1String("request"), QLatin1String("reply"),
                                                         QLatin1String("watch"), QLatin1String("lock"),
                                                         QLatin1String("session"), QLatin1String("run")}};
QLatin1String logKind(const trace::Event& event); // one of kLogKinds
QString logNode(const trace::Event& event);       // empty: none

// Whether this request sets a watch on the client's own node, which notifies a holder when the node is
// deleted. A waiter watches the node that its last decision named.
bool watchesOwnNode(const trace::Event& event, const trace::TraceStore& store);

} // namespace lockscope::ui
