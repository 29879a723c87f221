// Counts how often who waits for a lock is overtaken: see Statistics::longestOvertaking. The acquires that go
// on, in the order of their calls; a client that is granted or gives up leaves the list. Pure functions on the
// lock's book. O(log n) per call, apart from moving the list; O(n) when a wait fails.
#pragma once

#include "core/replay/state/bookkeeping.h"
#include "core/replay/state/statistics.h"

namespace lockscope::replay::overtaking {

void called(LockBookkeeping& book, EventIndex call);
// It stands in line: asleep for the first time.
void asleep(LockBookkeeping& book, EventIndex call, EventIndex at);
void granted(LockBookkeeping& book, EventIndex call, Statistics& statistics);
void failed(LockBookkeeping& book, EventIndex call, Statistics& statistics);

} // namespace lockscope::replay::overtaking
