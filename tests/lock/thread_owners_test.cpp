// Threads as owners of a lock: each has an id of its own while it uses the lock, and only so long.
#include "core/lock/blocking/internal/thread_owners.h"

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
    EXPECT_EQ(owners.findOrAdd(me).owner, OwnerId{0});
    owners.findOrAdd(me).waiting = true;
    EXPECT_EQ(owners.findOrAdd(other).owner, OwnerId{1});
    owners.removeIfIdle(me.number);
    EXPECT_NE(owners.find(me.number), nullptr) << "it waits";
    owners.find(me.number)->waiting = false;
    owners.find(me.number)->holdState(Side::shared).depth = 1;
    owners.removeIfIdle(me.number);
    ASSERT_NE(owners.find(OwnerId{0}), nullptr) << "it holds";
    owners.find(OwnerId{0})->holdState(Side::shared).depth = 0;
    owners.removeIfIdle(me.number);
    EXPECT_EQ(owners.size(), 1U);
    EXPECT_EQ(owners.findOrAdd(third).owner, OwnerId{0}) << "the id is used again";
    EXPECT_EQ(owners.findOrAdd(me).owner, OwnerId{2});
}

} // namespace
} // namespace lockscope::tests
