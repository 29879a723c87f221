// The way from writing to reading: a writer may read before it stops writing, and no other writer gets in
// between.
#include "core/sim/teaching/old_read_write_lock.h"
#include "tests/lock/read_write_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

// A writer that was queued before the read node was made has a smaller number of a node, and holds later:
// with the read node's own number as its token, a resource would refuse that writer.
TEST_F(ReadWriteLockTest, TokensOfWritersGrowAcrossADowngrade)
{
    RwClient& ada = add();
    RwClient& bo = add();
    const Grant write = acquireNow(ada.write());
    const Acquiring writer = queueUp(bo, bo.write());
    const Grant read = acquireNow(ada.read());
    EXPECT_EQ(read.token, write.token) << "it is the same place in the queue";
    ASSERT_TRUE(release(ada.write()));
    ASSERT_TRUE(release(ada.read()));
    EXPECT_GT(granted(writer).token, read.token);
}

// What Curator did before 5.5, as a teaching recipe does: the reader that was a writer is behind the queued
// one.
TEST_F(ReadWriteLockTest, TheOldDowngradeLetsAQueuedWriterInBesideTheReader)
{
    const HubSessionPtr session = world->connect();
    lock::OldReadWriteLock ada(session, options);
    RwClient& bo = add();
    acquireNow(ada.writeLock());
    const Acquiring writer = queueUp(bo, bo.write());
    const Grant read = acquireNow(ada.readLock());
    EXPECT_THAT(read.node, HasSubstr("-__READ__")) << "behind the writer, with a number of its own";
    ASSERT_TRUE(release(ada.writeLock()));
    EXPECT_LT(granted(writer).token, read.token);
    EXPECT_EQ(ada.readLock().depth(kOne), 1) << "both hold";
    ASSERT_TRUE(release(ada.readLock()));
}

// Curator testDowngrading
TEST_F(ReadWriteLockTest, GoesFromWritingToReading)
{
    RwClient& ada = add();
    RwClient& bo = add();
    const Grant write = acquireNow(ada.write());
    const Grant read = acquireNow(ada.read());
    EXPECT_EQ(read.node.substr(read.node.size() - 10), write.node.substr(write.node.size() - 10))
        << "the reader has the writer's number";
    EXPECT_THAT(read.node, HasSubstr("-__READ__"));
    ASSERT_TRUE(release(ada.write()));
    EXPECT_FALSE(canHave(bo.write()));
    EXPECT_TRUE(canHave(bo.read()));
    EXPECT_EQ(ada.read().depth(kOne), 1);
    ASSERT_TRUE(release(bo.read()));
    ASSERT_TRUE(release(ada.read()));
    EXPECT_TRUE(canHave(bo.write()));
}

// Curator testContendingDowngrading (CURATOR-621): a writer that waits already does not slip in.
TEST_F(ReadWriteLockTest, AQueuedWriterStaysBehindTheReaderThatWasAWriter)
{
    RwClient& ada = add();
    RwClient& bo = add();
    acquireNow(ada.write());
    const Acquiring writer = queueUp(bo, bo.write());
    acquireNow(ada.read());
    ASSERT_TRUE(release(ada.write()));
    EXPECT_TRUE(stillWaits(writer, bo));
    ASSERT_TRUE(release(ada.read()));
    granted(writer);
}

// Curator testThatDowngradingRespectsThreads
TEST_F(ReadWriteLockTest, OnlyTheOwnerThatWritesMayReadMeanwhile)
{
    RwClient& ada = add();
    acquireNow(ada.write(), OwnerId{1});
    EXPECT_FALSE(canHave(ada.read(), OwnerId{2}));
    EXPECT_TRUE(canHave(ada.read(), OwnerId{1}));
}

// The node of a downgraded reader is made without a number of the server's: its create can be lost all the
// same.
TEST_F(ReadWriteLockTest, ADowngradeWhoseCreateWasNotAnsweredIsFoundAgain)
{
    LossyRelay relay(server().address());
    makePath();
    RwClient& ada = add(relay.address());
    RwClient& bo = add();
    acquireNow(ada.write());
    const Acquiring writer = queueUp(bo, bo.write());
    relay.loseReplyTo(LossyRelay::Op::create);
    acquireNow(ada.read());
    EXPECT_EQ(relay.losses(), 1);
    ASSERT_TRUE(release(ada.write()));
    EXPECT_TRUE(stillWaits(writer, bo));
    ASSERT_TRUE(release(ada.read()));
    granted(writer);
    ada.lock.reset();
    ada.session->close();
}

} // namespace
} // namespace lockscope::tests
