// Threads as owners of a lock: each has an id of its own while it uses the lock, and only so long.
#include "core/lock/blocking/thread_owners.h"

#include <gtest/gtest.h>

#include <future>

namespace lockscope::tests {
namespace {

TEST(ThreadOwners, AThreadHasAnOwnerOnlyWhileItUsesTheLock)
{
    using lock::Caller;
    lock::ThreadOwners owners;
    const Caller me = Caller::current();
    const Caller other = std::async(std::launch::async, [] { return Caller::current(); }).get();
    const Caller third = std::async(std::launch::async, [] { return Caller::current(); }).get();
    EXPECT_NE(other.number, third.number) << "its std::thread::id may be the same";
    EXPECT_EQ(owners.enter(me).owner, OwnerId{0});
    owners.enter(me).waiting = true;
    EXPECT_EQ(owners.enter(other).owner, OwnerId{1});
    owners.leave(me.number);
    EXPECT_NE(owners.find(me.number), nullptr) << "it waits";
    owners.find(me.number)->waiting = false;
    owners.find(me.number)->level(lock::Side::shared).depth = 1;
    owners.leave(me.number);
    ASSERT_NE(owners.find(OwnerId{0}), nullptr) << "it holds";
    owners.find(OwnerId{0})->level(lock::Side::shared).depth = 0;
    owners.leave(me.number);
    EXPECT_EQ(owners.size(), 1U);
    EXPECT_EQ(owners.enter(third).owner, OwnerId{0}) << "the id is used again";
    EXPECT_EQ(owners.enter(me).owner, OwnerId{2});
}

} // namespace
} // namespace lockscope::tests
