// The order of a lock's children and finding one among them. Of a run's own lock Curator's rule, which its clients
// go by: the text after the last "lock-" of the name, or the whole name when it has none. Of a lock that is only
// watched each library's own (trace/node_name.h). Pure functions on a sorted vector of rows.
#pragma once

#include "core/replay/state/run_state.h"

#include <cstddef>
#include <limits>

namespace lockscope::replay::node_queue {

inline constexpr std::size_t kNotFound = std::numeric_limits<std::size_t>::max();

// A row with its name, sort key and sequence number set.
NodeRow makeRow(Text name, bool watched = false);
// The number at the end of the name of a run's own node; -1 when it has none.
std::int64_t sequenceOf(Text name);
// A node of a read/write lock's reader: it holds together with other readers.
bool isReader(Text name);
// A semaphore's: it holds together with as many others as there are permits.
bool isLease(Text name);
// Index of the node with this name, or kNotFound. O(log n).
std::size_t find(const std::vector<NodeRow>& queue, Text name, bool watched);
inline std::size_t find(const LockRow& lock, Text name) { return find(lock.queue, name, lock.watched); }
// Inserts behind those with an equal key and returns its index. The name must not be there yet.
std::size_t insert(std::vector<NodeRow>& queue, const NodeRow& row);

} // namespace lockscope::replay::node_queue
