// A server that says nothing: an acquire keeps its limit, long before its session is suspended, and what it
// leaves behind is deleted as soon as that can be.
#include "core/lock/semaphore.h"
#include "tests/lock/multi_lock_test.h"
#include "tests/lock/read_write_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SilentServer : public MultiLock
{
protected:
    void SetUp() override
    {
        MultiLock::SetUp();
        relay = std::make_unique<LossyRelay>(server().address());
        session = world->connect(std::chrono::seconds(30), relay->address());
    }
    void TearDown() override
    {
        session->close();
        MultiLock::TearDown();
        relay.reset();
    }
    // Nothing that the session sends reaches the server any more.
    void fallSilent() { relay->muteConnection(relay->connections()); }
    // The connection breaks, and the next one is a good one.
    void recover()
    {
        relay->cut();
        relay->heal();
        ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::connected));
    }
    // The acquire ends in time: the session has not noticed anything yet.
    void endsBeforeTheSessionIsSuspended(const Acquiring& acquiring)
    {
        EXPECT_EQ(refused(acquiring).code, ErrorCode::timedOut);
        EXPECT_EQ(session->phase(), zk::SessionPhase::connected);
    }

    std::unique_ptr<LossyRelay> relay;
    HubSessionPtr session;
};

TEST_F(SilentServer, AnAcquireKeepsItsLimit)
{
    makePath();
    options.path = path();
    lock::Mutex mutex(session, options);
    fallSilent();
    endsBeforeTheSessionIsSuspended(start(mutex, kOne, milliseconds(50)));
    endsBeforeTheSessionIsSuspended(start(mutex, kTwo, Duration{}));
    recover();
    acquireNow(mutex);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(SilentServer, ACancelIsKeptToo)
{
    makePath();
    options.path = path();
    lock::Mutex mutex(session, options);
    fallSilent();
    const lock::CancelToken cancel;
    const Acquiring acquiring = start(mutex, kOne, std::nullopt, cancel);
    cancel.request();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    EXPECT_EQ(session->phase(), zk::SessionPhase::connected);
}

// The node is there, and its owner does not know: neither it nor the clean-up may take it for another's.
TEST_F(SilentServer, WhatTheServerDidMeanwhileIsUndone)
{
    makePath();
    options.path = path();
    lock::Mutex mutex(session, options);
    ASSERT_TRUE(server().suspend());
    endsBeforeTheSessionIsSuspended(start(mutex, kOne, milliseconds(50)));
    const Acquiring again = start(mutex, kOne);
    ASSERT_TRUE(server().resume());
    const Grant grant = granted(again);
    EXPECT_TRUE(world->waitForChildren(path(), 1));
    EXPECT_THAT(queue(), ::testing::ElementsAre(grant.node));
}

TEST_F(SilentServer, AWaiterGivesUpInTime)
{
    makePath();
    LockClient& holder = addClient();
    acquireNow(*holder.mutex);
    options.path = path();
    lock::Mutex mutex(session, options);
    const Acquiring waiting = start(mutex, kOne, milliseconds(300));
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    fallSilent();
    endsBeforeTheSessionIsSuspended(waiting);
    EXPECT_THAT(queue(), SizeIs(2));
    recover();
    EXPECT_TRUE(world->waitForChildren(path(), 1)) << "the clean-up has gone on";
}

TEST_F(SilentServer, TheOtherRecipesKeepTheirLimits)
{
    lock::ReadWriteLock both(session, options);
    lock::SemaphoreMutex lease(session, options);
    lock::MultiLock& multi = add(session, {"a", "b"});
    fallSilent();
    std::vector<Acquiring> acquiring;
    for (lock::Lock* lock :
         std::initializer_list<lock::Lock*>{&both.readLock(), &both.writeLock(), &lease, &multi}) {
        acquiring.push_back(start(*lock, kOne, Duration{}));
        acquiring.push_back(start(*lock, kTwo, milliseconds(50)));
    }
    for (const Acquiring& one : acquiring)
        endsBeforeTheSessionIsSuspended(one);
}

// Inside, with a lease that is not enough: both the node and its place inside are given back.
TEST_F(SilentServer, AWaiterForALeaseGivesUpInTime)
{
    lock::SemaphoreMutex holder(world->connect(), options);
    acquireNow(holder);
    lock::SemaphoreMutex mutex(session, options);
    const Acquiring waiting = start(mutex, kOne, milliseconds(500));
    ASSERT_TRUE(world->waitForChildren(path() + "/leases", 2));
    fallSilent();
    endsBeforeTheSessionIsSuspended(waiting);
    recover();
    EXPECT_TRUE(world->waitForChildren(path() + "/leases", 1));
    EXPECT_TRUE(world->waitForChildren(path() + "/locks", 0));
}

} // namespace
} // namespace lockscope::tests
