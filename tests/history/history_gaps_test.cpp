// What a history knows where parts of the log are missing: gaps, and snapshots that fill them.
#include "tests/history/history_fixture.h"

#include <zlib.h>

namespace lockscope::history {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::kA;
using tests::kB;
using tests::kC;
using tests::LogWriter;
using State = HistoryReader::State;
using Kind = Damage::Kind;

TEST_F(HistoryTest, ANewEpochIsNoGapAndAHoleIsOne)
{
    LogWriter log;
    log.queue(kA, kFirst).zxid(kEpoch2 + 1).remove(kA, kFirst).zxid(kEpoch2 + 5).queue(kB, kSecond);
    read({log.writeTo(folder.path())});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(history->gaps()[0].after.value, kEpoch2 + 1);
    EXPECT_EQ(history->gaps()[0].before.value, kEpoch2 + 5);
    EXPECT_FALSE(history->gaps()[0].unconfirmed);
}

// A former leader whose last transactions the new one does not have: it went on from the new one's snapshot.
TEST_F(HistoryTest, AHoleBehindAnotherLeaderIsUnconfirmed)
{
    LogWriter first, second(kEpoch2 + 4);
    first.queue(kA, kFirst).queue(kB, kSecond);
    second.remove(kA, kFirst);
    const auto a = first.writeTo(folder.path(), 1), b = second.writeTo(folder.path(), kEpoch2 + 4);
    tests::writeBytes(folder / "snapshot.200000003",
                      tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kFirst, kA, 1}}));
    read({folder.path()});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_TRUE(history->gaps()[0].unconfirmed);
    EXPECT_TRUE(history->gaps()[0].snapshot);
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1}))
        << "the parent's cversion shows that the other one never was";
    ASSERT_THAT(history->neverConfirmed(), SizeIs(1));
    EXPECT_EQ(history->neverConfirmed()[0].first.value, 2);
    EXPECT_EQ(history->neverConfirmed()[0].transactions, 1u);
}

TEST_F(HistoryTest, ASnapshotSaysWhatWasThereBefore)
{
    tests::writeBytes(folder / "snapshot.9",
                      tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kFirst, kA, 3}, {kSecond, kB, 4}}));
    LogWriter log(10);
    log.at(50).open(kA + 7).at(60).close(kA);
    log.writeTo(folder.path(), 10);
    read({folder.path()}, {.queueEntries = true});
    EXPECT_THAT(history->gaps(), IsEmpty());
    EXPECT_EQ(lock().ends, (EndCounts{.sessionClosed = 1, .open = 1}));
    EXPECT_EQ(lock().handoffs, 1u);
    EXPECT_EQ(lock().longestWaitMs, 60);
    ASSERT_THAT(history->queueEntries(), SizeIs(2));
    EXPECT_TRUE(history->queueEntries()[0].beforeLog);
    EXPECT_EQ(history->queueEntries()[0].session.value, kA);
}

TEST_F(HistoryTest, ANodeOfASnapshotIsAsOldAsItIsThere)
{
    tests::writeBytes(folder / "snapshot.9", tests::snapshotBytes({{"", 0, 0},
                                                                   {"/l", 0, 0},
                                                                   {kFirst, kA, 3, tests::kStartMs - 500},
                                                                   {"/m", kB, 4, tests::kStartMs - 400}}));
    LogWriter log(10);
    log.at(50).open(kC).at(60).close(kB);
    log.writeTo(folder.path(), 10);
    read({folder.path()}, {.fixedNames = {"/m"}, .queueEntries = true});
    ASSERT_THAT(history->queueEntries(), SizeIs(2));
    EXPECT_EQ(history->queueEntries()[0].createdMs, tests::kStartMs - 500);
    EXPECT_EQ(history->queueEntries()[1].createdMs, tests::kStartMs - 400);
    for (const QueueEntry& entry : history->queueEntries())
        EXPECT_TRUE(entry.beforeLog) << entry.node;
}

// The log of a server that removes old files begins before its oldest snapshot.
TEST_F(HistoryTest, ALaterSnapshotHasNodesFromBeforeTheLog)
{
    LogWriter log(10);
    log.queue(kB, kSecond).open(kA + 7).remove(kA, kFirst);
    log.writeTo(folder.path(), 10);
    tests::writeBytes(folder / "snapshot.b",
                      tests::snapshotBytes({{"", 0, 0}, {kFirst, kA, 3}, {kSecond, kB, 10}}));
    read({folder.path()});
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1, .open = 1}));
    EXPECT_EQ(lock().handoffs, 1u);
}

// Ten digits at the end of a name are a sequence number only when the parent gave so many.
TEST_F(HistoryTest, ASnapshotsNodesWithDigits)
{
    tests::writeBytes(folder / "snapshot.9",
                      tests::snapshotBytes({{"", 0, 0},
                                            {"/hosts", 0, 1, tests::kStartMs, "", 4},
                                            {"/hosts/host-1700000000", kA, 3},
                                            {"/l", 0, 1, tests::kStartMs, "", 5},
                                            {"/l/n_0000000004", kB, 4, tests::kStartMs - 500}}));
    LogWriter log(10);
    log.open(kC);
    log.writeTo(folder.path(), 10);
    read({folder.path()});
    EXPECT_EQ(lock().path, "/l");
    EXPECT_EQ(lock().lastUsedMs, tests::kStartMs - 500) << "when it was created";
}

// The new epoch's first transaction is there, the old one's last are not: a snapshot has them.
TEST_F(HistoryTest, ALogThatIsMissingBeforeANewEpoch)
{
    LogWriter first(kEpoch1 + 1), second(kEpoch2 + 1);
    first.queue(kA, kFirst).queue(kB, kSecond);
    second.remove(kB, kSecond);
    first.writeTo(folder.path(), kEpoch1 + 1);
    second.writeTo(folder.path(), kEpoch2 + 1);
    read({folder.path()});
    EXPECT_THAT(history->gaps(), IsEmpty());
    tests::writeBytes(folder / "snapshot.200000000",
                      tests::snapshotBytes({{"", 0, 0}})); // of a leader that begins
    read({folder.path()});
    EXPECT_THAT(history->gaps(), IsEmpty());
    fs::remove(folder / "snapshot.200000000");
    tests::writeBytes(folder / "snapshot.100000009",
                      tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kSecond, kB, kEpoch1 + 2}}));
    read({folder.path()});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(history->gaps()[0].after.value, kEpoch1 + 2);
    EXPECT_EQ(history->gaps()[0].before.value, kEpoch2 + 1);
    EXPECT_FALSE(history->gaps()[0].unconfirmed) << "the snapshot has what comes before";
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1, .endUnknown = 1}));
}

TEST_F(HistoryTest, ATailThatNothingConfirms)
{
    LogWriter log(kEpoch1 + 1);
    log.queue(kA, kFirst).queue(kB, kSecond);
    log.writeTo(folder.path(), kEpoch1 + 1);
    read({folder.path()});
    ASSERT_TRUE(history->unconfirmedTail());
    EXPECT_EQ(history->unconfirmedTail()->after.value, 0);
    EXPECT_EQ(history->unconfirmedTail()->transactions, 2);
    tests::writeBytes(folder / "snapshot.100000001",
                      tests::snapshotBytes({{"", 0, 0}, {kFirst, kA, kEpoch1 + 1}}));
    read({folder.path()});
    EXPECT_EQ(history->unconfirmedTail()->after.value, kEpoch1 + 1);
    log.zxid(kEpoch2 + 1).remove(kA, kFirst);
    log.writeTo(folder.path(), kEpoch1 + 1);
    read({folder.path()});
    EXPECT_EQ(history->unconfirmedTail()->after.value, kEpoch1 + 2) << "the next epoch has all before it";
    EXPECT_EQ(history->unconfirmedTail()->transactions, 1);
    read({folder.path()}, {.untilMs = tests::kStartMs - 1});
    EXPECT_FALSE(history->unconfirmedTail()) << "what comes then was not read";
    LogWriter alone;
    alone.queue(kA, kFirst);
    fs::create_directory(folder / "alone");
    read({alone.writeTo(folder / "alone")});
    EXPECT_FALSE(history->unconfirmedTail()) << "a server without an ensemble";
}

// A file is missing, and no snapshot says what was there after it: who is named yet was there all the time.
TEST_F(HistoryTest, ANodeThatOutlivesAGap)
{
    LogWriter first, second(10);
    first.at(0).queue(kA, kFirst).at(10).queue(kB, kSecond).queue(kC, "/l/x-lock-0000000002");
    second.at(50).open(kA + 9).at(70).remove(kA, kFirst).at(90).remove(kB, kSecond);
    first.writeTo(folder.path(), 1);
    second.writeTo(folder.path(), 10);
    read({folder.path()}, {.lock = "/l", .queueEntries = true});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(lock().ends, (EndCounts{.released = 2, .unknown = 1}))
        << "the last one may have held in the end";
    EXPECT_EQ(lock().longestHoldMs, 70);
    ASSERT_THAT(history->queueEntries(), SizeIs(3));
    EXPECT_EQ(history->queueEntries()[0].session.value, kA);
    EXPECT_EQ(history->queueEntries()[0].entitledMs, tests::kStartMs);
    EXPECT_EQ(history->queueEntries()[0].endedMs, tests::kStartMs + 70);
    EXPECT_EQ(history->queueEntries()[0].reason, EndReason::released);
    EXPECT_EQ(history->queueEntries()[1].reason, EndReason::released);
    EXPECT_EQ(history->queueEntries()[1].entitledMs, tests::kStartMs + 70) << "since it was first";
    EXPECT_EQ(history->queueEntries()[2].reason, EndReason::unknown);
    EXPECT_TRUE(history->queueEntries()[2].unsure);
    EXPECT_EQ(history->queueEntries()[2].knownUntilMs, tests::kStartMs + 10);
}

// The holder of the snapshot may have ended in the part that is missing: who comes next may hold, or wait for
// it.
TEST_F(HistoryTest, ASnapshotThatTheLogDoesNotContinue)
{
    tests::writeBytes(
        folder / "snapshot.3",
        tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 1, tests::kStartMs, "", 1}, {kFirst, kA, 2}}));
    LogWriter log(9);
    log.at(50).queue(kB, "/l/x-lock-0000000003").at(60).remove(kB, "/l/x-lock-0000000003");
    log.at(70).queue(kB, "/l/x-lock-0000000004").queue(kC, "/l/x-lock-0000000005").at(90);
    log.remove(kC, "/l/x-lock-0000000005").error(kC, -110);
    log.writeTo(folder.path(), 9);
    read({folder.path()}, {.lock = "/l", .queueEntries = true});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(history->gaps()[0].after.value, 3);
    EXPECT_EQ(history->gaps()[0].before.value, 9);
    EXPECT_FALSE(history->gaps()[0].snapshot);
    EXPECT_EQ(lock().ends, (EndCounts{.gaveUp = 1, .endUnknown = 1, .unknown = 2}));
    EXPECT_EQ(lock().longestHoldMs, 0);
    EXPECT_EQ(lock().missedCreates, 2u);
    ASSERT_THAT(history->queueEntries(), SizeIs(4));
    EXPECT_EQ(history->queueEntries()[0].reason, EndReason::unknown);
    EXPECT_EQ(history->queueEntries()[0].knownUntilMs, tests::kStartMs) << "the newest that the snapshot has";
    EXPECT_EQ(history->queueEntries()[1].reason, EndReason::left);
    EXPECT_TRUE(history->queueEntries()[1].unsure);
    EXPECT_FALSE(history->queueEntries()[2].endedMs);
    EXPECT_TRUE(history->queueEntries()[2].unsure);
    EXPECT_EQ(history->queueEntries()[3].reason, EndReason::gaveUp) << "another one was in front for certain";
    for (const Rule rule : {Rule::oneEntitled, Rule::orderKept, Rule::noOrphanNode, Rule::noThirdPartyDelete})
        EXPECT_GT(history->findings().all()[static_cast<std::size_t>(rule)].unknown, 0u) << name(rule);

    log.at(200).close(kA, 7, {"/other"}).at(210).remove(kB, "/l/x-lock-0000000004");
    log.writeTo(folder.path(), 9);
    read({folder.path()}, {.lock = "/l", .queueEntries = true});
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1, .gaveUp = 1, .endUnknown = 1, .unknown = 1}))
        << "its session's end does not name it any more";
    EXPECT_EQ(lock().longestWaitMs, 20) << "since when the other one holds is unknown";
    EXPECT_TRUE(history->queueEntries()[2].sinceUnknown);
}

// As where the last log of an epoch was lost: the next epoch's first transaction does not show it.
TEST_F(HistoryTest, AParentsCversionShowsWhatTheZxidsDoNot)
{
    LogWriter first(kEpoch1 + 1), second(kEpoch2 + 1);
    first.at(0).queue(kA, kFirst);
    second.at(50).queue(kB, "/l/x-lock-0000000004").at(60).remove(kB, "/l/x-lock-0000000004");
    first.writeTo(folder.path(), kEpoch1 + 1);
    second.writeTo(folder.path(), kEpoch2 + 1);
    read({folder.path()});
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_TRUE(history->gaps()[0].byCversion);
    EXPECT_EQ(history->gaps()[0].after.value, kEpoch1 + 1);
    EXPECT_EQ(history->gaps()[0].before.value, kEpoch2 + 1);
    EXPECT_EQ(lock().missedCreates, 3u);
    EXPECT_EQ(lock().ends, (EndCounts{.endUnknown = 1, .unknown = 1}));
    EXPECT_EQ(lock().longestHoldMs, 0);
}

TEST_F(HistoryTest, AHistoryThatBeginsInsideAQueue)
{
    LogWriter log(9);
    log.at(50).queue(kB, "/l/x-lock-0000000003").at(60).queue(kC, "/m/x-lock-0000000000");
    read({log.writeTo(folder.path(), 9)});
    ASSERT_THAT(history->locks(), SizeIs(2));
    EXPECT_EQ(history->locks()[0].knownSince.value, 9);
    EXPECT_EQ(history->locks()[0].knownSinceMs, tests::kStartMs + 50);
    EXPECT_FALSE(history->locks()[1].knownSince.valid()) << "it is known from its first node on";
}

// The ids of its sessions begin as the owner of a node with a time to live does.
TEST_F(HistoryTest, ASnapshotOfAServer255)
{
    const auto session = static_cast<std::int64_t>(0xff0018bcfe560000),
               ttl = static_cast<std::int64_t>(0xff00000000001388);
    tests::writeBytes(
        folder / "snapshot.9",
        tests::snapshotBytes(
            {{"", 0, 0}, {"/l", 0, 0, tests::kStartMs, "", 2}, {kFirst, session, 3}, {kSecond, ttl, 4}}));
    read({folder.path()}, {.lock = "/l", .queueEntries = true});
    ASSERT_THAT(history->queueEntries(), SizeIs(2));
    EXPECT_EQ(history->queueEntries()[0].session.value, session);
    EXPECT_FALSE(history->queueEntries()[1].session.valid()) << "a node with a time to live";
    EXPECT_EQ(history->snapshot().value, 9);
}

TEST_F(HistoryTest, AGapBehindTheEndIsNotRead)
{
    LogWriter first, second(10);
    first.at(0).queue(kA, kFirst);
    second.at(50).open(kA + 9);
    first.writeTo(folder.path(), 1);
    second.writeTo(folder.path(), 10);
    read({folder.path()}, {.untilMs = tests::kStartMs + 20, .queueEntries = true});
    EXPECT_THAT(history->gaps(), IsEmpty());
    EXPECT_EQ(history->lastMs(), tests::kStartMs);
    ASSERT_THAT(history->queueEntries(), SizeIs(1));
    EXPECT_FALSE(history->queueEntries()[0].endedMs) << "it holds at that time";
}

TEST_F(HistoryTest, AGapInWhichTheCountingBegins)
{
    LogWriter first, second(10), third(20);
    first.at(0).queue(kA, kFirst);
    second.at(20).queue(kB, kSecond);
    third.at(100).open(kC);
    first.writeTo(folder.path(), 1);
    second.writeTo(folder.path(), 10);
    third.writeTo(folder.path(), 20);
    read({folder.path()}, {.sinceMs = tests::kStartMs + 50});
    EXPECT_EQ(history->transactions(), 1u);
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(history->gaps()[0].after.value, 10);
    EXPECT_EQ(history->gaps()[0].before.value, 20);
}

TEST_F(HistoryTest, ASnapshotAloneIsAsOldAsItsNewestNode)
{
    constexpr std::int64_t newestMs = tests::kStartMs - 200;
    tests::writeBytes(folder / "snapshot.9",
                      tests::snapshotBytes({{"", 0, 0},
                                            {"/l", 0, 0},
                                            {kFirst, kA, 3, tests::kStartMs - 500},
                                            {kSecond, kB, 4, newestMs},
                                            {"/l/x-lock-0000000002", kC, 5, tests::kStartMs - 300}}));
    for (const auto since : {std::optional<std::int64_t>(), std::optional(tests::kStartMs)}) {
        auto opened = History::open({folder.path()}, {.sinceMs = since});
        ASSERT_TRUE(opened);
        history = std::move(*opened);
        std::vector<std::int64_t> times;
        history->listen([&times](const LockEvent& event) { times.push_back(event.timeMs); });
        EXPECT_EQ(history->read(1U << 30), State::ended);
        EXPECT_THAT(times, ElementsAre(newestMs, newestMs, newestMs, newestMs));
        EXPECT_EQ(lock().longestWaitMs, 100);
        EXPECT_EQ(history->lastMs(), newestMs);
    }
}

TEST_F(HistoryTest, CompressedAndBrokenSnapshots)
{
    const std::string bytes = tests::snapshotBytes({{"", 0, 0}, {kFirst, kA, 3}});
    LogWriter(10).close(kA).writeTo(folder.path(), 10);
    const std::string compressed = folder / "snapshot.9.gz";
    gzFile file = ::gzopen(compressed.c_str(), "wb");
    ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    ::gzclose(file);
    tests::writeBytes(folder / "snapshot.8.snappy", "whatever");
    read({folder.path()});
    EXPECT_EQ(lock().ends, (EndCounts{.sessionClosed = 1}));
    EXPECT_THAT(kinds, ElementsAre(Kind::snapshotCompressed));

    fs::remove(compressed);
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        // What 3.6 appends may be missing altogether: the snapshot of an older server.
        const bool wholeAsOfOld = size == bytes.size() - 33;
        tests::writeBytes(folder / "snapshot.9", std::string_view(bytes).substr(0, size));
        read({folder.path()});
        EXPECT_THAT(kinds, SizeIs(wholeAsOfOld ? 1 : 2)) << size;
    }
    for (std::size_t at = 0; at < bytes.size(); at += 5) {
        std::string broken = bytes;
        broken[at] = static_cast<char>(broken[at] ^ 1);
        tests::writeBytes(folder / "snapshot.9", broken);
        read({folder.path()});
        EXPECT_THAT(kinds, SizeIs(2)) << at;
    }
}

TEST_F(HistoryTest, ARecordInTheMiddleThatIsBrokenIsAGap)
{
    LogWriter log;
    log.queue(kA, kFirst).queue(kB, kSecond);
    const std::size_t at = log.size();
    log.error(kA, -110).remove(kA, kFirst);
    log.bytes()[at + 20] = 'x';
    read({log.writeTo(folder.path())});
    EXPECT_THAT(history->gaps(), SizeIs(1));
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1, .unknown = 1})) << "the other one may have ended in it";
}

} // namespace
} // namespace lockscope::history
