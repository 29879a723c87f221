// What the locks of a history went through, by each recipe's rule.
#include "core/history/lock_table.h"

#include "core/history/history.h"
#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace lockscope::history {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::kA;
using tests::kB;
using tests::kC;
using tests::LogWriter;

struct LockTableTest : ::testing::Test
{
    // The locks of the log, by path.
    std::vector<LockSummary> locks(History::Options options = {})
    {
        log.writeTo(folder.path());
        auto opened = History::open({folder.path()}, std::move(options));
        EXPECT_TRUE(opened);
        history = std::move(*opened);
        EXPECT_EQ(history->read(1U << 30), HistoryReader::State::ended);
        return history->locks();
    }
    LockSummary only()
    {
        const auto all = locks();
        EXPECT_THAT(all, SizeIs(1));
        return all.empty() ? LockSummary{} : all.front();
    }
    static std::string node(const std::string& kind, int number, const std::string& path = "/l")
    {
        std::string digits = std::to_string(number);
        return path + "/_c_0e59e3d5-9c1c-4a0e-bb3f-0a3c2d1e4f50-" + kind +
               std::string(10 - digits.size(), '0') + digits;
    }

    tests::TempFolder folder;
    LogWriter log;
    std::unique_ptr<History> history;
};

TEST_F(LockTableTest, EachEndHasItsReason)
{
    log.queue(kA, node("lock-", 0)).expire(kA, {node("lock-", 0)}); // as of 3.6
    log.queue(kA + 9, node("lock-", 1)).expire(kA + 9);             // before
    log.queue(kB, node("lock-", 2)).close(kB);
    log.queue(kC, node("lock-", 3)).remove(kA + 8, node("lock-", 3));
    log.queue(kC, node("lock-", 4)).queue(kC, node("lock-", 5)).remove(kC, node("lock-", 5)); // gave up
    EXPECT_EQ(only().ends, (EndCounts{.released = 0,
                                      .gaveUp = 1,
                                      .sessionClosed = 1,
                                      .sessionExpired = 2,
                                      .deletedByOther = 1,
                                      .open = 1}));
    EXPECT_EQ(only().ends.acquisitions(), 5u);
}

// All that one transaction ends goes at once: who is behind two nodes of one session is handed over to once.
TEST_F(LockTableTest, ASessionWithSeveralNodesEnds)
{
    log.queue(kA, node("lock-", 0))
        .queue(kA, node("lock-", 1))
        .queue(kB, node("lock-", 2))
        .close(kA)
        .remove(kB, node("lock-", 2));
    const LockSummary lock = only();
    EXPECT_EQ(lock.ends, (EndCounts{.released = 1, .gaveUp = 1, .sessionClosed = 1}));
    EXPECT_EQ(lock.handoffs, 1u);
}

TEST_F(LockTableTest, ReadersHoldTogether)
{
    log.queue(kA, node("__READ__", 0))
        .queue(kB, node("__READ__", 1))
        .queue(kC, node("__WRIT__", 2))
        .queue(kA, node("__READ__", 3));
    log.remove(kA, node("__READ__", 0))
        .remove(kB, node("__READ__", 1))
        .remove(kC, node("__WRIT__", 2))
        .remove(kA, node("__READ__", 3));
    const LockSummary lock = only();
    EXPECT_EQ(lock.recipe, Recipe::readWrite);
    EXPECT_EQ(lock.ends, (EndCounts{.released = 4}));
    EXPECT_EQ(lock.handoffs, 2u);
    EXPECT_EQ(lock.deepestQueue, 4u);
}

// Its own reader, with the writer's number as of Curator 5.5, or with one of its own before.
TEST_F(LockTableTest, AWriterReads)
{
    for (const int number : {0, 2}) {
        log = LogWriter();
        log.queue(kA, node("__WRIT__", 0))
            .queue(kB, node("__WRIT__", 1))
            .create(kA, node("__READ__", number), true, 3);
        log.remove(kA, node("__WRIT__", 0))
            .remove(kA, node("__READ__", number))
            .remove(kB, node("__WRIT__", 1));
        EXPECT_EQ(only().ends, (EndCounts{.released = 3})) << number;
    }
}

TEST_F(LockTableTest, ASemaphoreIsOneLock)
{
    const auto entrance = [](int n) { return node("lock-", n, "/s/locks"); };
    const auto lease = [](int n) { return node("lease-", n, "/s/leases"); };
    int number = 0;
    for (const std::int64_t session : {kA, kB}) { // there is room
        log.queue(session, entrance(number)).queue(session, lease(number)).remove(session, entrance(number));
        ++number;
    }
    log.at(10)
        .queue(kC, entrance(2))
        .queue(kC, lease(2))
        .queue(kC + 1, entrance(3)); // C waits for a lease, the next for C
    log.at(30).remove(kA, lease(0)).remove(kC, entrance(2));
    log.at(31).remove(kC + 1, entrance(3)); // gives up at the entrance: was first there, had no lease
    log.at(40).remove(kB, lease(1)).remove(kC, lease(2));
    const LockSummary lock = only();
    EXPECT_EQ(lock.path, "/s");
    EXPECT_EQ(lock.recipe, Recipe::semaphore);
    EXPECT_EQ(lock.ends, (EndCounts{.released = 3}));
    EXPECT_EQ(lock.handoffs, 1u);
    EXPECT_EQ(lock.deepestQueue, 4u);
    EXPECT_EQ(lock.longestWaitMs, 20);
}

TEST_F(LockTableTest, SeveralLeasesThroughOneEntrance)
{
    log.queue(kA, node("lock-", 0, "/s/locks"))
        .queue(kA, node("lease-", 0, "/s/leases"))
        .queue(kA, node("lease-", 1, "/s/leases"));
    log.remove(kA, node("lock-", 0, "/s/locks"))
        .remove(kA, node("lease-", 0, "/s/leases"))
        .remove(kA, node("lease-", 1, "/s/leases"));
    EXPECT_EQ(only().ends, (EndCounts{.released = 2}));
}

TEST_F(LockTableTest, KazoosSemaphore)
{
    const std::string hex = "0123456789abcdef0123456789abcdef";
    log.queue(kA, "/p-__lock__/" + hex + "__lock__0000000000").create(kA, "/p/" + hex, true);
    log.remove(kA, "/p-__lock__/" + hex + "__lock__0000000000").remove(kA, "/p/" + hex);
    EXPECT_EQ(only().path, "/p");
    EXPECT_EQ(only().recipe, Recipe::kazooSemaphore);
    EXPECT_EQ(only().ends, (EndCounts{.released = 1}));
}

// A worker's slot that another one takes over looks the same: only who asks for it by its path says that it
// is a lock.
TEST_F(LockTableTest, AFixedNameMayBeALockOrARegistration)
{
    log.at(0).create(kA, "/w/1", true).at(5).remove(kA, "/w/1").create(kA, "/w/1", true).remove(kA, "/w/1");
    EXPECT_THAT(locks(), IsEmpty());
    log.at(10).create(kB, "/w/1", true).at(30).expire(kB).create(kA, "/w/1", true);
    const LockSummary unknown = only();
    EXPECT_EQ(unknown.path, "/w/1");
    EXPECT_EQ(unknown.recipe, Recipe::fixedName);
    EXPECT_FALSE(unknown.showsHolders);
    EXPECT_EQ(unknown.ends, EndCounts{});
    EXPECT_EQ(unknown.handoffs + unknown.deepestQueue, 0u);
    EXPECT_EQ(unknown.longestHoldMs + unknown.longestWaitMs, 0);

    const LockSummary asked = locks({.fixedNames = {"/w/1/"}, .queueEntries = true}).at(0);
    EXPECT_EQ(asked.recipe, Recipe::fixedName);
    EXPECT_EQ(asked.ends, (EndCounts{.released = 2, .sessionExpired = 1, .open = 1}));
    EXPECT_EQ(asked.longestHoldMs, 20);
    EXPECT_THAT(history->queueEntries(), SizeIs(4));
}

TEST_F(LockTableTest, WhatIsNoLock)
{
    log.create(kA, "/q/item-0000000000", false)
        .create(kA, "/days/2026112300", true, 9)
        .remove(kA, "/q/item-0000000000");
    EXPECT_THAT(locks(), IsEmpty());
}

TEST_F(LockTableTest, TwoNamingsOnOnePath)
{
    log.queue(kA, node("lock-", 0)).queue(kB, "/l/0123456789abcdef0123456789abcdef__lock__0000000001");
    EXPECT_EQ(only().recipe, Recipe::mixed);
}

// The holder was there before the log begins: who came first in the log was not first.
TEST_F(LockTableTest, ANodeFromBeforeTheLogIsSeenWhenItEnds)
{
    log.zxid(500)
        .at(0)
        .queue(kB, node("lock-", 7))
        .at(20)
        .remove(kA, node("lock-", 6))
        .at(30)
        .remove(kB, node("lock-", 7));
    log.remove(kC, node("lock-", 9)); // a number that was not given yet
    const LockSummary lock = only();
    EXPECT_EQ(lock.ends, (EndCounts{.released = 2}));
    EXPECT_EQ(lock.handoffs, 1u);
    EXPECT_EQ(lock.longestWaitMs, 20);
    EXPECT_EQ(lock.longestHoldMs, 10);
    EXPECT_EQ(lock.deepestQueue, 2u);
}

TEST_F(LockTableTest, OnlyWhatIsAskedFor)
{
    log.at(0)
        .queue(kA, node("lock-", 0))
        .at(10)
        .queue(kB, node("lock-", 1))
        .at(20)
        .remove(kA, node("lock-", 0));
    log.at(30)
        .queue(kA, node("lock-", 0, "/l2"))
        .at(40)
        .remove(kB, node("lock-", 1))
        .at(50)
        .remove(kA, node("lock-", 0, "/l2"));
    EXPECT_THAT(locks({.lock = "/l"}), SizeIs(1));
    EXPECT_THAT(locks({.lock = "/"}), SizeIs(2));
    auto some = locks({.session = SessionId{kB}});
    ASSERT_THAT(some, SizeIs(1));
    EXPECT_EQ(some[0].ends, (EndCounts{.released = 1}));
    some = locks({.sinceMs = tests::kStartMs + 15, .untilMs = tests::kStartMs + 30});
    ASSERT_THAT(some, SizeIs(2));
    EXPECT_EQ(some[0].ends, (EndCounts{.released = 1, .open = 1}));
    EXPECT_EQ(history->transactions(), 2u);
}

TEST_F(LockTableTest, ChoosesWholePathsOnly)
{
    log.queue(kA, node("lock-", 0, "/l"))
        .queue(kA, node("lock-", 0, "/l2"))
        .queue(kA, node("lock-", 0, "/l/sub"));
    log.queue(kA, "/x-lock-0000000000").queue(kA, "no-path-lock-0000000000");
    EXPECT_THAT(locks({.lock = "/l/"}), SizeIs(2));
    EXPECT_THAT(locks({.locks = {"/l2", "/l/sub"}}), SizeIs(2));
    EXPECT_THAT(locks({.locks = {"/"}}), SizeIs(5));
    EXPECT_EQ(locks().front().path, "/") << "of the root's children";
    EXPECT_THAT(locks({.lock = "/none"}), IsEmpty());
}

// After 2^31 - 1 the number of the parent's creations wraps.
TEST_F(LockTableTest, TheLastSequenceNumber)
{
    constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
    log.create(kA, "/l/n_2147483646", true, kLast).create(kB, "/l/n_2147483647", true, -kLast - 1);
    log.create(kC, "/l/n_1234567890", true, 7); // its digits are no number of the server's
    EXPECT_EQ(only().deepestQueue, 2u);
}

// What one transaction changes happens together.
TEST_F(LockTableTest, ATransactionThatTakesTheHoldersPlace)
{
    const auto part = [](std::int32_t type, const jute::Writer& body) {
        return jute::Writer().int32(type).buffer(body.bytes()).bytes();
    };
    jute::Writer create;
    create.buffer(node("lock-", 1)).buffer("").int32(0).boolean(true).int32(2);
    log.queue(kA, node("lock-", 0));
    log.txn(
        kA, 5, 14,
        jute::Writer().int32(2).raw(part(1, create)).raw(part(2, jute::Writer().buffer(node("lock-", 0)))));
    const LockSummary lock = only();
    EXPECT_EQ(lock.deepestQueue, 1u);
    EXPECT_EQ(lock.ends, (EndCounts{.released = 1, .open = 1}));
    EXPECT_EQ(lock.handoffs, 0u);
}

// A holder from before the log announces its hold again: then it is known, with its session.
TEST_F(LockTableTest, AnAnnouncementMentionsANode)
{
    for (const char* data : {"10.1.2.3 __HOLDS__", "__HOLDS__"}) {
        log = LogWriter();
        log.at(0).set(kA, node("lock-", 3), data).at(10).queue(kB, node("lock-", 4)).at(30).expire(kA);
        log.set(kA, "/config/version-0000000001", "a plain node");
        const LockSummary lock = only();
        EXPECT_EQ(lock.ends, (EndCounts{.sessionExpired = 1, .open = 1})) << data;
        EXPECT_EQ(lock.handoffs, 1u) << data;
        EXPECT_EQ(lock.deepestQueue, 2u) << data;
    }
}

// Who seemed to be handed over to was not first: a node from before the log was in front.
TEST_F(LockTableTest, AHandoffThatWasNone)
{
    log.queue(kB, node("lock-", 4))
        .queue(kC, node("lock-", 5))
        .remove(kB, node("lock-", 4))
        .remove(kA, node("lock-", 3));
    EXPECT_EQ(only().handoffs, 1u);
    EXPECT_EQ(only().ends, (EndCounts{.released = 2, .open = 1}));
}

TEST_F(LockTableTest, TellsEachStay)
{
    log.at(0)
        .queue(kA, node("lock-", 0), "host.example 4711 worker")
        .at(10)
        .queue(kB, node("lock-", 1), "secret words");
    log.at(20).remove(kC, node("lock-", 0));
    locks({.queueEntries = true});
    ASSERT_THAT(history->queueEntries(), SizeIs(2));
    const QueueEntry& first = history->queueEntries()[0];
    EXPECT_EQ(first.identity, "host.example 4711 worker");
    EXPECT_EQ(first.reason, EndReason::deletedByOther);
    EXPECT_EQ(first.endedBy.value, kC);
    EXPECT_EQ(first.endedMs, tests::kStartMs + 20);
    const QueueEntry& second = history->queueEntries()[1];
    EXPECT_EQ(second.identity, "");
    EXPECT_EQ(second.dataBytes, 12u);
    EXPECT_EQ(second.data, "");
    EXPECT_EQ(second.entitledMs, tests::kStartMs + 20);
    EXPECT_FALSE(second.endedMs);
}

} // namespace
} // namespace lockscope::history
