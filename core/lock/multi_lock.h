// Several locks as one, all or none (the InterProcessMultiLock of Curator). They are acquired in the order of
// their paths, so that two multi-locks over the same locks never deadlock; each path may occur once.
// Reentrant if its parts are. All parts must share one scheduler. Scheduler thread.
#pragma once

#include "core/lock/recipe_lock.h"

#include <memory>
#include <vector>

namespace lockscope::lock {

// acquire(): the grant has a token for each part. The limit and the cancellation apply to the whole acquire.
// When a part fails or is lost meanwhile, the acquired parts are released and the error of that part is
// returned. It waits for these releases for Timeouts::cleanUp at most; then they continue in the background,
// so that a part without a connection does not block the caller. Own errors: badUsage (two parts have the
// same path), busy (the owner is already acquiring it), limitExceeded (it holds it kMaxDepth times).
// release(): releases one level of every part, even if other parts fail; returns the first error in the order
// of the paths. When a part was lost, it releases all levels of the others. Parts that the server refuses to
// release (noAuth) stay held: the next release tries them again, the next acquire continues with them. The
// multi-lock is held only while all its parts are; depth() is that of this lock, not of its parts. onLost():
// called once per hold when a part is lost; the others stay held until release() or the next acquire().
class MultiLock final : public RecipeLock
{
public:
    // The path is that of all parts: "/a + /b". Throws std::invalid_argument when there is no part, or a null
    // part.
    explicit MultiLock(std::vector<std::shared_ptr<Lock>> parts, Timeouts timeouts = {});
};

} // namespace lockscope::lock
