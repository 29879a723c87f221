// Our read/write lock and other libraries' on one path. Debian's Curator is 5.4: it knows nothing of the fix
// that keeps a queued writer behind a downgraded reader (CURATOR-621, 5.5.0), and shows what happens without.
#include "core/lock/read_write_lock.h"
#include "tests/interop/interop_test.h"

#include <filesystem>

namespace lockscope::tests {
namespace {

using ::testing::SizeIs;

class ReadWriteTest : public InteropTest
{
protected:
    struct Ours
    {
        HubSessionPtr session;
        std::unique_ptr<lock::ReadWriteLock> lock;
        lock::QueueLock& read() const { return lock->readLock(); }
        lock::QueueLock& write() const { return lock->writeLock(); }
    };
    Ours makeOurs(lock::ReadWriteLock::Naming naming = {})
    {
        const HubSessionPtr session = connectOurs();
        lock::LockOptions own;
        own.path = path();
        return {session, std::make_unique<lock::ReadWriteLock>(session, own, std::move(naming))};
    }
    // The node that was not there before `known` were.
    std::string theirNode(const std::vector<std::string>& known)
    {
        for (const std::string& node : queue())
            if (std::find(known.begin(), known.end(), node) == known.end())
                return node;
        ADD_FAILURE() << "they have no node";
        return {};
    }
    void TearDown() override
    {
        peer.reset();
        InteropTest::TearDown();
    }

    std::unique_ptr<PeerProcess> peer;
};

class ReadWriteBesideCurator : public ReadWriteTest
{
protected:
    void SetUp() override
    {
        ReadWriteTest::SetUp();
        const auto command = PeerProcess::curatorCommand(server().address());
        if (!command)
            GTEST_SKIP() << "needs libcurator-recipes-java and ecj: " << command.error().text();
        peer = startPeer(command, 2);
        ASSERT_TRUE(peer);
    }
};

TEST_F(ReadWriteBesideCurator, ReadersOfBothHoldTogether)
{
    const Ours ours = makeOurs();
    take(ours.read());
    peerAcquires(*peer, 1, "read");
    const Ours others = makeOurs();
    take(others.read());
    EXPECT_THAT(queue(), SizeIs(3));
}

TEST_F(ReadWriteBesideCurator, OurWriterKeepsTheirReaderAndTheirWriterOut)
{
    const Ours ours = makeOurs();
    const Grant grant = take(ours.write());
    peerWaitsBehind(*peer, 1, "read", grant.node);
    peerWaitsBehind(*peer, 2, "write", theirNode({grant.node}));
    giveBack(ours.write());
    expect(*peer, "acquired 1");
    EXPECT_FALSE(peer->has("acquired 2"));
    peerReleases(*peer, 1, "read");
    expect(*peer, "acquired 2");
}

TEST_F(ReadWriteBesideCurator, TheirWriterKeepsOurReaderAndOurWriterOut)
{
    peerAcquires(*peer, 1, "write");
    const std::string theirs = onlyNode();
    const Ours reader = makeOurs();
    const Acquiring reading = waitBehind(reader.read(), reader.session, theirs);
    const Ours writer = makeOurs();
    const Acquiring writing = waitBehind(writer.write(), writer.session, theirNode({theirs}));
    peerReleases(*peer, 1, "write");
    granted(reading);
    world->settle(*writer.session);
    EXPECT_FALSE(writing.arrived());
    giveBack(reader.read());
    granted(writing);
}

TEST_F(ReadWriteBesideCurator, ReadersOfOneSideKeepWritersOfTheOtherOut)
{
    const Ours ours = makeOurs();
    const Grant reading = take(ours.read());
    peerWaitsBehind(*peer, 1, "write", reading.node);
    giveBack(ours.read());
    expect(*peer, "acquired 1");
    peerReleases(*peer, 1, "write");

    peerAcquires(*peer, 1, "read");
    const Acquiring writing = waitBehind(ours.write(), ours.session, onlyNode());
    peerReleases(*peer, 1, "read");
    granted(writing);
}

// A reader behind a waiting writer of any library waits for it: fair.
TEST_F(ReadWriteBesideCurator, AReaderBehindAWaitingWriterOfTheOtherSideWaits)
{
    const Ours ours = makeOurs();
    const Grant reading = take(ours.read());
    peerWaitsBehind(*peer, 1, "write", reading.node);
    const std::string theirWriter = theirNode({reading.node});
    const Ours late = makeOurs();
    const Acquiring lateReads = waitBehind(late.read(), late.session, theirWriter);
    giveBack(ours.read());
    expect(*peer, "acquired 1");
    EXPECT_FALSE(lateReads.arrived());
    peerReleases(*peer, 1, "write");
    granted(lateReads);
}

TEST_F(ReadWriteBesideCurator, OurDowngradeKeepsTheirQueuedWriterOut)
{
    const Ours ours = makeOurs();
    const Grant writing = take(ours.write());
    peerWaitsBehind(*peer, 1, "write", writing.node);
    const Grant reading = take(ours.read());
    giveBack(ours.write());
    world->runUntil([&] { return isWatchedByPeer(reading.node) || peer->has("acquired"); },
                    "their writer to wait behind the reader");
    EXPECT_FALSE(peer->has("acquired"));
    giveBack(ours.read());
    expect(*peer, "acquired 1");
}

// CURATOR-621: before 5.5 the reader goes to the end of the queue, so that a writer that queued up before it
// gets in.
TEST_F(ReadWriteBesideCurator, TheDowngradeOfCurator54LetsAQueuedWriterIn)
{
    if (!std::filesystem::exists("/usr/share/java/curator-recipes-5.4.0.jar"))
        GTEST_SKIP() << "this is not Curator 5.4";
    peerAcquires(*peer, 1, "write");
    const Ours ours = makeOurs();
    const Acquiring writing = waitBehind(ours.write(), ours.session, onlyNode());
    peerAcquires(*peer, 1, "read");
    peerReleases(*peer, 1, "write");
    granted(writing);
    EXPECT_FALSE(peer->has("released")) << "their reader is still inside";
    EXPECT_THAT(queue(), SizeIs(2));
}

TEST_F(ReadWriteBesideCurator, WritersOfBothAreNeverInsideTogether)
{
    const Ours one = makeOurs();
    const Ours two = makeOurs();
    EXPECT_EQ(mixedRun(*peer, "write", {&one.write(), &two.write()}, 20), 0);
}

TEST_F(ReadWriteBesideCurator, TheEndOfAWritersSessionLetsTheOthersIn)
{
    peerAcquires(*peer, 1, "write");
    const Ours ours = makeOurs();
    const Acquiring writing = waitBehind(ours.write(), ours.session, onlyNode());
    peer->writeLine("kill 1");
    expect(*peer, "killed 1");
    const Grant grant = granted(writing);
    peerWaitsBehind(*peer, 2, "read", grant.node);
    ASSERT_TRUE(world->kill(*ours.session));
    expect(*peer, "acquired 2");
}

class ReadWriteBesideKazoo : public ReadWriteTest
{
protected:
    void SetUp() override
    {
        ReadWriteTest::SetUp();
        const auto command = PeerProcess::kazooCommand(server().address(), withPatterns());
        if (!command)
            GTEST_SKIP() << "needs python3-kazoo: " << command.error().text();
        peer = startPeer(command, 2);
        ASSERT_TRUE(peer);
    }
    virtual bool withPatterns() const { return true; }
    Ours makeOursWithKazoo()
    {
        return makeOurs({lock::NodeNaming::readWithKazoo(), lock::NodeNaming::writeWithKazoo()});
    }
};
class ReadWriteGapsBesideKazoo : public ReadWriteBesideKazoo
{
    bool withPatterns() const override { return false; }
};

TEST_F(ReadWriteGapsBesideKazoo, NoClientWaitsForTheOthersByDefault)
{
    const Ours ours = makeOurs();
    take(ours.write());
    peerAcquires(*peer, 1, "write"); // while our writer is inside
    giveBack(ours.write());
    take(ours.read()); // while their writer is inside
    giveBack(ours.read());
    take(ours.write());
    EXPECT_FALSE(peer->has("released"));
    peerReleases(*peer, 1, "write");
    peerAcquires(*peer, 2, "read"); // while our writer is inside
    EXPECT_THAT(queue(), SizeIs(2));
}

// One of theirs at a time: kazoo 2.8's own readers also wait for writers that came later (its pull request
// 650).
TEST_F(ReadWriteBesideKazoo, OurWriterKeepsTheirReaderAndTheirWriterOutWithNamesOnBothSides)
{
    const Ours ours = makeOursWithKazoo();
    for (const char* kind : {"read", "write"}) {
        const Grant grant = take(ours.write());
        peerWaitsBehind(*peer, 1, kind, grant.node);
        giveBack(ours.write());
        expect(*peer, "acquired 1");
        peerReleases(*peer, 1, kind);
    }
}

TEST_F(ReadWriteBesideKazoo, TheirWriterKeepsOurReaderAndOurWriterOutWithNamesOnBothSides)
{
    const Ours ours = makeOursWithKazoo();
    for (lock::QueueLock* side : {&ours.read(), &ours.write()}) {
        peerAcquires(*peer, 1, "write");
        const Acquiring waiting = waitBehind(*side, ours.session, onlyNode());
        peerReleases(*peer, 1, "write");
        granted(waiting);
        giveBack(*side);
    }
}

TEST_F(ReadWriteBesideKazoo, ReadersOfBothHoldTogetherAndKeepOurWriterOutWithNamesOnBothSides)
{
    const Ours reader = makeOursWithKazoo();
    const Grant reading = take(reader.read());
    peerAcquires(*peer, 1, "read");
    const Ours writer = makeOursWithKazoo();
    const Acquiring writing = waitBehind(writer.write(), writer.session, theirNode({reading.node}));
    giveBack(reader.read());
    world->settle(*writer.session);
    EXPECT_FALSE(writing.arrived());
    peerReleases(*peer, 1, "read");
    granted(writing);
}

TEST_F(ReadWriteBesideKazoo, WritersOfBothAreNeverInsideTogetherWithNamesOnBothSides)
{
    const Ours one = makeOursWithKazoo();
    const Ours two = makeOursWithKazoo();
    EXPECT_EQ(mixedRun(*peer, "write", {&one.write(), &two.write()}, 20), 0);
}

} // namespace
} // namespace lockscope::tests
