// What is said of a lock of others that is only watched: what is at its path, and what its nodes are by their names
// alone. Pure, any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>

namespace lockscope::ui {

// Why there is no queue to be shown: the path was not read yet, does not exist, is a folder, or has no children.
QString watchedEmptyText(const replay::LockRow& lock);
// Whose the node is, as the server says: "session 0x…2", "no session", "session not known".
QString watchedOwnerText(const replay::NodeRow& node);
// What it is there for: "no lock node", "lock", "read lock", "write lock", "lease".
QString watchedKindText(const replay::NodeRow& node);
// Why nobody can tell whether it holds; empty when that can be told.
QString watchedDoubtText(const replay::NodeRow& node);
// "who does what there is not known": instead of what only clients of ours tell.
QString watchedUnknownText();

} // namespace lockscope::ui
