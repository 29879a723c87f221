// Texts about a lock that is only watched, because other programs use it: the state of its path, and the
// purpose of its nodes according to their names. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>

namespace lockscope::ui {

// Why there is no queue to show: the path was not read yet, does not exist, is a folder, or has no children.
QString watchedEmptyText(const replay::LockRow& lock);
// The owner that the server reports: "session 0x…2", "no session", "session not known".
QString watchedOwnerText(const replay::NodeRow& node);
// The purpose of a node: "not a lock node", "lock", "read lock", "write lock", "lease".
QString watchedKindText(const replay::NodeRow& node);
// Why it is unknown whether the node holds; empty when it is known.
QString watchedDoubtText(const replay::NodeRow& node);
// How long the node has waited: "34 min", or "≥ 8.2 s" if the server has not said when it was created.
QString watchedWaitText(const replay::NodeRow& node, TraceTime now);
// Replaces the details that only our own clients record.
QString watchedUnknownText();

} // namespace lockscope::ui
