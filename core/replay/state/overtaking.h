// Counts how often each waiter of a lock is overtaken: see Statistics::longestOvertaking.
// LockBookkeeping::waits lists the acquires in progress in the order of their calls; one that is granted or
// fails is removed. Pure functions on the lock's bookkeeping. O(log n) to find a wait and O(n) to insert or
// erase it, n = the lock's open waits.
#pragma once

#include "core/replay/state/bookkeeping.h"
#include "core/replay/state/statistics.h"

namespace lockscope::replay::overtaking {

void called(LockBookkeeping& book, EventIndex call);
// It falls asleep; only the first time counts.
void asleep(LockBookkeeping& book, EventIndex call, EventIndex at);
void granted(LockBookkeeping& book, EventIndex call, Statistics& statistics);
void failed(LockBookkeeping& book, EventIndex call, Statistics& statistics);

} // namespace lockscope::replay::overtaking
