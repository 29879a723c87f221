// Sorts a lock's children and finds them by name. The order for a run's own lock is Curator's, which its
// clients follow: by the text after the last "lock-" in the name, or by the whole name if that is missing.
// The order for a watched lock is that of each node's library (queue/scheme.h). Pure functions on a sorted
// vector of rows.
#pragma once

#include "core/replay/state/run_state.h"

#include <cstddef>
#include <limits>

namespace lockscope::replay::node_queue {

inline constexpr std::size_t kNotFound = std::numeric_limits<std::size_t>::max();

// The same as ==, in less time: equal names are usually one text of the store, and others usually differ in
// their last digit.
inline bool sameName(Text a, Text b)
{
    if (a.size() != b.size() || a.data() == b.data() || a.empty())
        return a.size() == b.size();
    return a.back() == b.back() && a == b;
}
// Makes a row with its name, sort key and sequence number.
NodeRow makeRow(Text name, bool watched = false);
// The number at the end of the name of a run's own node; -1 if there is none.
std::int64_t sequenceOf(Text name);
// Whether the node is a reader's of a read/write lock, which holds together with other readers.
bool isReader(Text name);
// Whether the node is a lease of a semaphore; as many leases as there are permits are held together.
bool isLease(Text name);
// Index of the node with this name, or kNotFound. O(log n).
std::size_t find(const std::vector<NodeRow>& queue, Text name, bool watched);
inline std::size_t find(const LockRow& lock, Text name) { return find(lock.queue, name, lock.watched); }
// Inserts the row after those with an equal key and returns its index. The name must not be in the queue yet.
std::size_t insert(std::vector<NodeRow>& queue, const NodeRow& row);
// Orders rows with equal keys, of which only a list of the server knows the order: the row at `ahead`, or
// kNotFound, is the last before the one at `own`. Returns the new index of the latter.
std::size_t orderEqual(std::vector<NodeRow>& queue, std::size_t own, std::size_t ahead);

} // namespace lockscope::replay::node_queue
