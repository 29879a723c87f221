// What the tests of everything that is a lock::Lock share: two owners, and acquiring and releasing for them.
// Test thread only.
#pragma once

#include "tests/lock/lock_test.h"

namespace lockscope::tests {

inline constexpr OwnerId kOne{1};
inline constexpr OwnerId kTwo{2};

class AnyLockTest : public LockTest
{
protected:
    using LockTest::acquireNow;
    using LockTest::release;

    Acquiring start(lock::Lock& lock, OwnerId owner = kOne, std::optional<Duration> limit = std::nullopt,
                    lock::CancelToken cancel = lock::CancelToken::never())
    {
        const Acquiring acquiring = world->start(lock.acquire(owner, limit, std::move(cancel)));
        world->runReady();
        return acquiring;
    }
    Grant acquireNow(lock::Lock& lock, OwnerId owner = kOne) { return granted(start(lock, owner)); }
    Result<void> release(lock::Lock& lock, OwnerId owner = kOne)
    {
        const auto releasing = world->start(lock.release(owner));
        world->runUntil([&] { return releasing.arrived(); }, "the release");
        return *releasing;
    }
};

} // namespace lockscope::tests
