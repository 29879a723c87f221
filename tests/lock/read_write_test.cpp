// The read/write lock: readers together, a writer alone, first come first served.
#include "tests/lock/read_write_test.h"
#include "core/base/random.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// kazoo test_read_lock
TEST_F(ReadWriteLockTest, ReadersHoldTogetherAndKeepAWriterOut)
{
    RwClient& ada = add();
    RwClient& bo = add();
    RwClient& cyd = add();
    const Grant first = acquireNow(ada.read());
    const Grant second = acquireNow(bo.read());
    EXPECT_LT(first.token, second.token);
    EXPECT_FALSE(canHave(cyd.write()));
    ASSERT_TRUE(release(ada.read()));
    EXPECT_FALSE(canHave(cyd.write())) << "one reader is left";
    ASSERT_TRUE(release(bo.read()));
    EXPECT_TRUE(canHave(cyd.write()));
}

// kazoo test_write_lock
TEST_F(ReadWriteLockTest, AWriterExcludesAllOthers)
{
    RwClient& ada = add();
    RwClient& bo = add();
    acquireNow(ada.write());
    EXPECT_FALSE(canHave(bo.read()));
    EXPECT_FALSE(canHave(bo.write()));
    EXPECT_THAT(queue(), SizeIs(1)) << "tries leave no node behind";
    ASSERT_TRUE(release(ada.write()));
    EXPECT_TRUE(canHave(bo.read()));
}

// kazoo test_rw_lock and issue 649: who comes later is not waited for.
TEST_F(ReadWriteLockTest, ServesReadersAndWritersInTheOrderOfArrival)
{
    RwClient& ada = add();
    RwClient& bo = add();
    RwClient& cyd = add();
    RwClient& dee = add();
    acquireNow(ada.read());
    const Acquiring writer = queueUp(bo, bo.write());
    const Acquiring reader = queueUp(cyd, cyd.read());
    const Acquiring lastWriter = queueUp(dee, dee.write());
    EXPECT_TRUE(stillWaits(reader, cyd)) << "a writer is in front of it";
    ASSERT_TRUE(release(ada.read()));
    granted(writer);
    EXPECT_TRUE(stillWaits(reader, cyd));
    ASSERT_TRUE(release(bo.write()));
    granted(reader);
    EXPECT_TRUE(stillWaits(lastWriter, dee));
    ASSERT_TRUE(release(cyd.read()));
    granted(lastWriter);
}

TEST_F(ReadWriteLockTest, AllReadersBehindAWriterWatchItAndComeInTogether)
{
    RwClient& ada = add();
    acquireNow(ada.write());
    std::vector<RwClient*> clients;
    std::vector<Acquiring> readers;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(&add());
        readers.push_back(queueUp(*clients.back(), clients.back()->read()));
    }
    EXPECT_EQ(world->watchesUnder(path()), 4U);
    ASSERT_TRUE(release(ada.write()));
    for (const Acquiring& reader : readers)
        granted(reader);
    EXPECT_THAT(queue(), SizeIs(4));
}

// Curator testThatUpgradingIsDisallowed
TEST_F(ReadWriteLockTest, GoingFromReadingToWritingTimesOut)
{
    RwClient& ada = add();
    acquireNow(ada.read());
    EXPECT_FALSE(canHave(ada.write()));
    EXPECT_EQ(refused(start(ada.write(), kOne, std::chrono::milliseconds(100))).code, ErrorCode::timedOut);
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_EQ(ada.read().depth(kOne), 1);
}

TEST_F(ReadWriteLockTest, BothSidesAreReentrant)
{
    RwClient& ada = add();
    RwClient& bo = add();
    EXPECT_EQ(acquireNow(ada.write()).depth, 1);
    EXPECT_EQ(acquireNow(ada.write()).depth, 2);
    EXPECT_EQ(acquireNow(ada.read()).depth, 1);
    EXPECT_EQ(acquireNow(ada.read()).depth, 2);
    for (lock::QueueLock* side : {&ada.write(), &ada.write(), &ada.read()}) {
        ASSERT_TRUE(release(*side));
        EXPECT_FALSE(canHave(bo.write()));
    }
    ASSERT_TRUE(release(ada.read()));
    EXPECT_TRUE(canHave(bo.write()));
    EXPECT_EQ(release(ada.read()).error().code, ErrorCode::notOwner);
}

// Curator testGetParticipantNodes
TEST_F(ReadWriteLockTest, ListsReadersAndWritersApart)
{
    RwClient& ada = add();
    RwClient& bo = add();
    std::vector<std::string> readers;
    for (std::uint32_t owner = 0; owner < 5; ++owner)
        readers.push_back(acquireNow(ada.read(), OwnerId{owner}).node);
    std::vector<Acquiring> writers;
    for (std::uint32_t owner = 0; owner < 3; ++owner)
        writers.push_back(queueUp(bo, bo.write(), OwnerId{owner}));
    const auto listed = world->start(ada.lock->participants());
    world->runUntil([&] { return listed.arrived(); }, "the list");
    ASSERT_TRUE(*listed);
    EXPECT_EQ((*listed)->readers, readers);
    EXPECT_THAT((*listed)->writers, SizeIs(3));
}

// Curator testSetNodeData
TEST_F(ReadWriteLockTest, NodesCarryTheDataThatIsAskedFor)
{
    options.nodeData = "who: ada";
    RwClient& ada = add();
    const Grant write = acquireNow(ada.write());
    EXPECT_EQ(world->get(world->observer(), path() + "/" + write.node).bytes, "who: ada");
}

// Curator testLockPath
TEST_F(ReadWriteLockTest, TheNodeOfAKilledWriterGoesAndAReaderComesIn)
{
    RwClient& ada = add();
    RwClient& bo = add();
    const Grant write = acquireNow(ada.write());
    const Acquiring reader = queueUp(bo, bo.read());
    ASSERT_TRUE(world->kill(*ada.session));
    granted(reader);
    EXPECT_FALSE(world->exists(path() + "/" + write.node));
    world->runUntil([&] { return ada.write().depth(kOne) == 0; }, "the writer to be notified");
}

TEST_F(ReadWriteLockTest, AReaderWhoseCreateWasNotAnsweredIsFoundAgain)
{
    LossyRelay relay(server().address());
    makePath();
    RwClient& ada = add(relay.address());
    relay.loseReplyTo(LossyRelay::Op::create);
    const Grant read = acquireNow(ada.read());
    EXPECT_EQ(relay.losses(), 1);
    EXPECT_THAT(queue(), ElementsAre(read.node));
    ASSERT_TRUE(release(ada.read()));
    EXPECT_THAT(queue(), IsEmpty());
    ada.lock.reset();
    ada.session->close();
}

// Curator testBasic
TEST_F(ReadWriteLockTest, NeverAdmitsAWriterBesideOthers)
{
    struct LockUsers
    {
        int readers = 0;
        int writers = 0;
        int mostReaders = 0;
        int wrong = 0;
    } inside;
    constexpr int kClients = 8;
    constexpr int kCycles = 40;
    const auto work = [](lock::ReadWriteLock* lock, LockUsers* in, std::uint64_t seed) -> zk::Awaitable<int> {
        Random random(seed);
        int done = 0;
        for (; done < kCycles; ++done) {
            const bool writes = random.uniform(1, 10) == 1;
            lock::Lock& side = writes ? lock->writeLock() : lock->readLock();
            const Result<Grant> got = co_await side.acquire(kOne).asResult();
            if (!got)
                break;
            int& count = writes ? in->writers : in->readers;
            ++count;
            in->mostReaders = std::max(in->mostReaders, in->readers);
            in->wrong += in->writers > 1 || (in->writers == 1 && in->readers > 0) ? 1 : 0;
            co_await lock::sleepFor(&side.scheduler(), std::chrono::microseconds(500));
            --count;
            const Result<void> released = co_await side.release(kOne).asResult();
            if (!released)
                break;
        }
        co_return done;
    };
    std::vector<Later<int>> runs;
    for (int i = 0; i < kClients; ++i)
        runs.push_back(world->start(work(add().lock.get(), &inside, 17 + i)));
    world->runUntil(
        [&] { return std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.arrived(); }); },
        "all to end");
    for (const Later<int>& run : runs)
        EXPECT_EQ(*run, kCycles);
    EXPECT_EQ(inside.wrong, 0);
    EXPECT_GT(inside.mostReaders, 1);
    EXPECT_THAT(queue(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
