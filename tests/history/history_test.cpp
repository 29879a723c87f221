// A history over several files: which are read, in which order, and what is found in them.
#include "core/history/hold_times.h"
#include "tests/history/history_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

namespace lockscope::history {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using tests::kA;
using tests::kB;
using tests::kC;
using tests::LogWriter;
using State = HistoryReader::State;
using Kind = Damage::Kind;

TEST_F(HistoryTest, FilesInAnyOrder)
{
    LogWriter first, second(3);
    first.queue(kA, kFirst).queue(kB, kSecond);
    second.remove(kA, kFirst).remove(kB, kSecond);
    const auto a = first.writeTo(folder.path(), 1), b = second.writeTo(folder.path(), 3);
    for (const auto& paths :
         {std::vector{b, a}, std::vector{fs::path(folder.path())}, std::vector{a, b, a}}) {
        read(paths);
        EXPECT_EQ(history->transactions(), 4u);
        EXPECT_EQ(history->first().value, 1);
        EXPECT_EQ(history->last().value, 4);
        EXPECT_THAT(history->gaps(), IsEmpty());
        EXPECT_EQ(lock().ends, (EndCounts{.released = 2}));
    }
}

TEST(HistoryFiles, AreKnownByTheirNames)
{
    tests::TempFolder folder;
    fs::create_directory(folder / "log.toml");
    for (const char* name : {"", "log.toml", "log.1f", "snapshot.0.gz", "log.1.broken"})
        EXPECT_TRUE(isHistory(folder / name)) << name;
    for (const char* name : {"run.jsonl", "log.jsonl", "log.1.jsonl", "snapshot.toml", "five-clients"})
        EXPECT_FALSE(isHistory(folder / name)) << name;
}

TEST_F(HistoryTest, NothingThere)
{
    EXPECT_EQ(History::open({folder.path()}, {}).error().code, ErrorCode::badInput);
    EXPECT_EQ(History::open({folder / "none"}, {}).error().code, ErrorCode::badInput);
}

// As a user without the right to read it, even when root runs the tests.
struct OtherUser
{
    OtherUser()
        : changed(::geteuid() == 0 && ::seteuid(65534) == 0)
    {}
    ~OtherUser() { EXPECT_TRUE(!changed || ::seteuid(0) == 0); }
    const bool changed;
};

TEST_F(HistoryTest, ADirectoryWithoutRights)
{
    fs::create_directory(folder / "open");
    fs::create_directory(folder / "closed");
    LogWriter().queue(kA, kFirst).writeTo(folder / "open");
    LogWriter(2).remove(kA, kFirst).writeTo(folder / "closed", 2);
    fs::permissions(folder.path(), fs::perms(0755));
    fs::permissions(folder / "closed", fs::perms::none);
    const auto readAsOther = [&](const std::vector<fs::path>& paths) {
        const OtherUser other;
        return History::open(paths, {});
    };
    const auto refused = readAsOther({folder / "closed"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::badInput);
    EXPECT_NE(refused.error().text().find("closed"), std::string::npos);
    const auto part = readAsOther({folder / "closed", folder / "open"});
    ASSERT_TRUE(part) << "what can be read is";
    (*part)->read(1U << 30);
    EXPECT_EQ((*part)->transactions(), 1u);
    const auto damage = (*part)->takeDamage();
    ASSERT_THAT(damage, SizeIs(1));
    EXPECT_EQ(damage[0].kind, Kind::unreadable);
    fs::permissions(folder / "closed", fs::perms::owner_all);
}

TEST_F(HistoryTest, WhatARuleFinds)
{
    LogWriter log;
    log.queue(kA, "/l/x-lock-2147483645")
        .queue(kB, "/l/x-lock-2147483646")
        .expire(kA)
        .queue(kA + 9, "/l/0123456789abcdef0123456789abcdef__lock__2147483647");
    log.queue(kA, "/l/x-lock--2147483648").remove(kA, "/l/x-lock-2147483646");
    read({log.writeTo(folder.path())}, {.lock = "/l", .queueEntries = true});
    const auto violated = [this](Rule rule) {
        return history->findings().all()[static_cast<std::size_t>(rule)].violated;
    };
    EXPECT_EQ(violated(Rule::oneEntitled), 1u) << "who wrapped goes in front of who is there";
    EXPECT_EQ(violated(Rule::noOrphanNode), 1u);
    EXPECT_EQ(violated(Rule::noThirdPartyDelete), 1u);
    EXPECT_EQ(violated(Rule::oneNaming), 1u);
    EXPECT_EQ(violated(Rule::noSequenceWrap), 1u);
    for (const RuleFinding& finding : history->findings().all()) {
        EXPECT_EQ(finding.canBeChecked, finding.rule < Rule::noHerd) << name(finding.rule);
        EXPECT_EQ(finding.canBeChecked, finding.checked > 0) << name(finding.rule);
    }
}

// Neither counts the other's names, unless kazoo is told to: both may hold, and no log says that they may
// not.
TEST_F(HistoryTest, HoldsOfALibraryThatDoesNotWaitForTheOtherAreHolds)
{
    LogWriter log;
    log.queue(kA, kFirst);
    for (const char* number : {"1", "2", "3"}) {
        const std::string node = "/l/0123456789abcdef0123456789abcdef__lock__000000000" + std::string(number);
        log.queue(kB, node).remove(kB, node);
    }
    log.remove(kA, kFirst);
    read({log.writeTo(folder.path())}, {.queueEntries = true});
    EXPECT_EQ(lock().recipe, Recipe::mixed);
    EXPECT_EQ(lock().ends, (EndCounts{.released = 4}));
    const RuleFinding& finding = history->findings().all()[static_cast<std::size_t>(Rule::oneEntitled)];
    EXPECT_EQ(finding.violated, 0u);
    EXPECT_EQ(finding.unknown, 3u);
}

// A number that is far from the last one is no second holder: the log that is between is missing.
TEST_F(HistoryTest, AWrappedNumberAfterAMissingPartIsNoSecondHolder)
{
    LogWriter log;
    log.queue(kA, kFirst).queue(kB, kSecond).remove(kA, kFirst).queue(kA, "/l/x-lock--2147483648");
    read({log.writeTo(folder.path())}, {.lock = "/l", .queueEntries = true});
    const RuleFinding& finding = history->findings().all()[static_cast<std::size_t>(Rule::oneEntitled)];
    EXPECT_EQ(finding.violated, 0u);
    EXPECT_GT(finding.unknown, 0u);
}

// Who comes first in the log is taken for the first one until the holder from before it is named.
TEST_F(HistoryTest, AHolderFromBeforeTheLogIsNoSecondOne)
{
    LogWriter log(500);
    log.queue(kB, "/l/x-lock-0000000007")
        .remove(kA, "/l/x-lock-0000000006")
        .remove(kB, "/l/x-lock-0000000007");
    read({log.writeTo(folder.path(), 500)}, {.queueEntries = true});
    EXPECT_EQ(lock().ends, (EndCounts{.released = 2}));
    const RuleFinding& finding = history->findings().all()[static_cast<std::size_t>(Rule::oneEntitled)];
    EXPECT_EQ(finding.checked, 3u);
    EXPECT_EQ(finding.violated, 0u);
}

struct ThreeFiles : HistoryTest
{
    ThreeFiles()
    {
        LogWriter(1).at(0).queue(kA, kFirst).queue(kB, kSecond).writeTo(folder.path(), 1);
        LogWriter(3).at(20).remove(kA, kFirst).writeTo(folder.path(), 3);
        LogWriter(4).at(50).remove(kB, kSecond).writeTo(folder.path(), 4);
    }
};

TEST_F(ThreeFiles, EveryFileThatIsNotReadIsNamedOnce)
{
    const char* const names[] = {"log.5.bz2", "snapshot.2.snappy", "snapshot.1", "log.6", "snapshot.3.tmp"};
    for (const char* name : names)
        tests::writeBytes(folder / name, "what is it");
    for (const char* name : {"myid", "log.jsonl", "log.toml"})
        tests::writeBytes(folder / name, "no file of these");
    auto opened = History::open({folder.path()}, {});
    ASSERT_TRUE(opened);
    (*opened)->read(1U << 30);
    EXPECT_EQ((*opened)->transactions(), 4u);
    std::vector<std::string> files;
    for (const Damage& damage : (*opened)->takeDamage()) {
        files.push_back(fs::path(damage.file).filename().string());
        EXPECT_TRUE(isPartUnread(damage.kind)) << files.back();
    }
    EXPECT_THAT(files, ::testing::UnorderedElementsAreArray(names));
}

// A log of a much later epoch under a low name, among snapshots that are no longer whole.
TEST_F(ThreeFiles, AndALaterOneUnderALowName)
{
    constexpr std::int64_t kLater = 0x88'0000'0001;
    LogWriter(kLater).at(900).queue(kC, "/l/x-lock-0000000002").writeTo(folder.path(), kLater);
    fs::rename(folder / "log.8800000001", folder / "log.2");
    const std::string whole = tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kSecond, kB, 2}});
    tests::writeBytes(folder / "snapshot.3", whole.substr(0, 90));
    read({folder.path()});
    EXPECT_EQ(history->transactions(), 5u) << "none was read before";
    EXPECT_EQ(history->last().value, kLater);
    EXPECT_THAT(kinds, SizeIs(1));
    EXPECT_TRUE(!kinds.empty() && isPartUnread(kinds[0])) << "the snapshot";
    EXPECT_EQ(lock().ends, (EndCounts{.released = 2, .open = 1}));
}

// Two members' logs, of which each has what the other one lacks; and what both have, in other files.
TEST_F(HistoryTest, SeveralServersLogs)
{
    fs::create_directory(folder / "one");
    fs::create_directory(folder / "two");
    LogWriter one(kEpoch1 + 1), oneMore(kEpoch1 + 5), two(kEpoch1 + 2);
    one.at(0)
        .queue(kA, kFirst)
        .at(10)
        .queue(kB, kSecond)
        .at(20)
        .remove(kA, kFirst)
        .writeTo(folder / "one", kEpoch1 + 1);
    two.at(10).queue(kB, kSecond).at(20).remove(kA, kFirst).at(30).remove(kB, kSecond).at(40).open(kC);
    two.writeTo(folder / "two", kEpoch1 + 2);
    oneMore.at(40).open(kC).at(50).open(kC + 1).writeTo(folder / "one", kEpoch1 + 5);
    auto opened = History::open({folder / "two", folder / "one"}, {});
    ASSERT_TRUE(opened);
    history = std::move(*opened);
    history->read(1U << 30);
    EXPECT_EQ(history->transactions(), 6u);
    EXPECT_THAT(history->gaps(), IsEmpty());
    EXPECT_EQ(lock().ends, (EndCounts{.released = 2}));
    const auto damage = history->takeDamage();
    ASSERT_THAT(damage, SizeIs(1)) << "one line for all that is there twice";
    EXPECT_EQ(damage[0].kind, Kind::olderThanBefore);
    EXPECT_EQ(damage[0].records, 3u);
    EXPECT_FALSE(isPartUnread(damage[0].kind));
}

// The leader wrote two more transactions than anyone confirmed; the others went on without them.
TEST_F(HistoryTest, AnotherServersLogShowsWhatADeposedLeaderAloneHad)
{
    for (const bool inOneFile : {true, false}) {
        const fs::path leader = folder / (inOneFile ? "leader" : "leader2"),
                       other = folder / (inOneFile ? "other" : "other2");
        fs::create_directory(leader);
        fs::create_directory(other);
        LogWriter first(kEpoch1 + 1), second(kEpoch1 + 1), third(kEpoch2 + 1);
        first.at(0).queue(kA, kFirst).at(10).queue(kB, kSecond);
        second = first;
        first.at(20).remove(kA, kFirst).at(30).remove(kB, kSecond).writeTo(leader, kEpoch1 + 1);
        LogWriter& behind = inOneFile ? second : third;
        behind.zxid(kEpoch2 + 1).at(500).remove(kA, kFirst).at(600).remove(kB, kSecond);
        second.writeTo(other, kEpoch1 + 1);
        if (!inOneFile)
            third.writeTo(other, kEpoch2 + 1);
        read({leader, other});
        EXPECT_EQ(history->transactions(), 4u);
        EXPECT_THAT(history->gaps(), IsEmpty());
        EXPECT_EQ(lock().ends, (EndCounts{.released = 2}));
        EXPECT_EQ(lock().longestHoldMs, 500) << "the release that nobody confirmed is none";
        ASSERT_THAT(history->neverConfirmed(), SizeIs(1));
        EXPECT_EQ(history->neverConfirmed()[0].transactions, 2u);
    }
}

TEST_F(HistoryTest, TwoEnsemblesFilesDoNotMix)
{
    fs::create_directory(folder / "one");
    fs::create_directory(folder / "two");
    LogWriter().at(0).queue(kA, kFirst).writeTo(folder / "one");
    LogWriter().at(7).queue(kC, "/other/x-lock-0000000000").writeTo(folder / "two");
    read({folder / "one", folder / "two"});
    EXPECT_THAT(kinds, ElementsAre(Kind::conflicting));
    EXPECT_THAT(history->locks(), SizeIs(1));
}

// The server resumed from a snapshot that another member sent it. Both appear while the log is followed.
TEST_F(HistoryTest, FollowsOverASnapshot)
{
    LogWriter first(1), second(9);
    first.at(0).queue(kA, kFirst).at(10).queue(kB, kSecond).writeTo(folder.path(), 1);
    read({folder.path()}, {.queueEntries = true, .follow = true});
    EXPECT_EQ(history->read(1), State::waiting);
    tests::writeBytes(
        folder / "snapshot.8",
        tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0, tests::kStartMs, "", 3}, {kSecond, kB, 2}})
            .substr(0, 90));
    second.at(90).open(kC).writeTo(folder.path(), 9);
    EXPECT_EQ(history->read(1 << 20), State::waiting);
    EXPECT_EQ(history->transactions(), 2u) << "the snapshot is still being written";
    EXPECT_THAT(history->takeDamage(), IsEmpty());
    tests::writeBytes(
        folder / "snapshot.8",
        tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0, tests::kStartMs, "", 3}, {kSecond, kB, 2}}));
    while (history->read(1 << 20) == State::more) {
    }
    EXPECT_EQ(history->transactions(), 3u);
    ASSERT_THAT(history->gaps(), SizeIs(1));
    EXPECT_TRUE(history->gaps()[0].snapshot);
    EXPECT_EQ(lock().ends, (EndCounts{.open = 1, .endUnknown = 1}))
        << "one ended in the gap, the other one holds";
    EXPECT_EQ(lock().longestHoldMs, 0);
    EXPECT_THAT(history->takeDamage(), IsEmpty());
}

TEST_F(HistoryTest, WhoWroteToANodeAndWhoDeletedTheFolder)
{
    LogWriter log;
    log.at(0).queue(kA, kFirst).at(10).set(kA, kFirst, "host 1 a __HOLDS__").at(20).set(kB, kFirst, "mine");
    log.at(30).remove(kB, kFirst).at(40).remove(kB, "/l");
    read({log.writeTo(folder.path())}, {.lock = "/l", .queueEntries = true});
    ASSERT_THAT(history->queueEntries(), SizeIs(1));
    const QueueEntry& entry = history->queueEntries()[0];
    EXPECT_EQ(entry.reason, EndReason::deletedByOther);
    ASSERT_THAT(entry.writes, SizeIs(1)) << "its own announcement is none of another session";
    EXPECT_EQ(entry.writes[0].by.value, kB);
    EXPECT_EQ(entry.writes[0].timeMs, tests::kStartMs + 20);
    ASSERT_THAT(history->folderDeletions(), SizeIs(1));
    EXPECT_EQ(history->folderDeletions()[0].by.value, kB);
    EXPECT_EQ(history->folderDeletions()[0].parent, "/l");
    EXPECT_EQ(history->folderDeletions()[0].timeMs, tests::kStartMs + 40);
}

TEST_F(HistoryTest, WhatIsNoRegularFileIsNotRead)
{
    LogWriter(10).queue(kA, kFirst).writeTo(folder.path(), 10);
    const fs::path fifo(folder / "fifo"), log(folder / "log.b"), snapshot(folder / "snapshot.9"),
        directory(folder / "snapshot.1.gz");
    for (const fs::path& path : {fifo, log, snapshot})
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    fs::create_directory(directory);
    auto opened = History::open({folder.path(), fifo}, {});
    ASSERT_TRUE(opened) << opened.error().text();
    (*opened)->read(1U << 30);
    EXPECT_EQ((*opened)->transactions(), 1u);
    std::vector<fs::path> files;
    for (const Damage& damage : (*opened)->takeDamage()) {
        files.emplace_back(damage.file);
        EXPECT_EQ(damage.kind, Kind::unreadable);
        EXPECT_EQ(damage.detail.english(), "it is no regular file");
    }
    EXPECT_THAT(files, UnorderedElementsAre(fifo, log, snapshot, directory));
}

// It died before its first record; its next start begins the same file anew.
TEST_F(HistoryTest, FollowsALogThatBeginsAnew)
{
    tests::writeBytes(folder / "log.1", LogWriter::head() + std::string(1000, '\0'));
    read({folder.path()}, {.follow = true});
    fs::resize_file(folder / "log.1", 0);
    EXPECT_EQ(history->read(1), State::waiting);
    LogWriter log;
    log.queue(kA, kFirst);
    tests::writeBytes(folder / "log.1", log.bytes());
    EXPECT_EQ(history->read(1 << 20), State::waiting);
    EXPECT_EQ(history->transactions(), 1u);
    EXPECT_THAT(history->takeDamage(), IsEmpty());
}

TEST_F(HistoryTest, HowLongNodesHeldAndWaited)
{
    LogWriter log;
    log.at(0)
        .queue(kA, kFirst)
        .at(100)
        .queue(kB, kSecond)
        .at(5100)
        .remove(kA, kFirst)
        .at(5103)
        .remove(kB, kSecond);
    log.writeTo(folder.path());
    auto opened = History::open({folder.path()}, {});
    HoldTimes times;
    (*opened)->listen([&](const LockEvent& event) { times.add(event); });
    (*opened)->read(1U << 30);
    EXPECT_EQ(times.holds.count(), 2u);
    EXPECT_EQ(times.holds.longestMs(), 5100);
    EXPECT_EQ(times.holds.bar(1), 1u) << "from 2.15 to 4.64 ms";
    EXPECT_EQ(times.holds.bar(11), 1u) << "from 4.64 to 10 s";
    EXPECT_EQ(times.holds.percentileMs(0.5), 3);
    EXPECT_EQ(times.waits.bar(0), 1u);
    EXPECT_EQ(times.waits.percentileMs(0.99), 5000);
}

// Who was taken for the first one waited for a node from before the log, which is named at its end only.
TEST_F(HistoryTest, AWaitForAHolderFromBeforeTheLogIsOne)
{
    LogWriter log;
    log.at(0).queue(kB, kSecond).at(5000).remove(kA, kFirst).at(5003).remove(kB, kSecond);
    log.writeTo(folder.path());
    auto opened = History::open({folder.path()}, {});
    HoldTimes times;
    (*opened)->listen([&](const LockEvent& event) { times.add(event); });
    (*opened)->read(1U << 30);
    EXPECT_EQ(times.waits.count(), 1u);
    EXPECT_EQ(times.waits.bar(0), 0u);
    EXPECT_EQ(times.waits.percentileMs(0.5), 5000);
    EXPECT_EQ(times.holds.count(), 1u);
    EXPECT_EQ(times.holds.longestMs(), 3);
}

TEST(DurationHistogram, HasTheLongestAndTakesBack)
{
    DurationHistogram many;
    for (int ms = 1; ms <= 1000; ++ms)
        many.add(ms);
    EXPECT_NEAR(static_cast<double>(many.percentileMs(0.5)), 500, 50);
    EXPECT_EQ(many.percentileMs(1), 1000);
    EXPECT_EQ(many.bar(9), 1u) << "1000 begins its decade";
    many.add(5000);
    many.takeBack(5000);
    EXPECT_EQ(many.count(), 1000u);
    EXPECT_EQ(many.longestMs(), 1000);
}

TEST_F(HistoryTest, AClockThatWentBackIsNoted)
{
    LogWriter log;
    log.at(1000).queue(kA, kFirst).at(400).remove(kA, kFirst);
    read({log.writeTo(folder.path())});
    ASSERT_THAT(history->clockJumps(), SizeIs(1));
    EXPECT_EQ(history->clockJumps()[0].backMs, 600);
    EXPECT_EQ(lock().longestHoldMs, 0);
}

TEST_F(HistoryTest, OddRecordsAreCountedAndTheRestStays)
{
    LogWriter log;
    log.queue(kA, kFirst)
        .txn(kA, 1, 99, {})
        .txn(kA, 1, 2, std::move(jute::Writer().int32(1000)))
        .remove(kA, kFirst);
    read({log.writeTo(folder.path())});
    EXPECT_THAT(kinds, ElementsAre(Kind::unknownType, Kind::fieldBeyondRecord));
    EXPECT_EQ(lock().ends, (EndCounts{.released = 1}));
    EXPECT_THAT(history->gaps(), IsEmpty());
}

TEST_F(HistoryTest, WhoANodeBelongsTo)
{
    EXPECT_EQ(identityOf("10.1.2.3"), "10.1.2.3");
    EXPECT_EQ(identityOf("host 12 reader"), "host 12 reader");
    for (const char* other : {"", "password", "two words", "host 12 a b", "<b>1.2.3.4</b>", "\n1.2"})
        EXPECT_EQ(identityOf(other), "") << other;
}

TEST_F(HistoryTest, AServersDataDirectory)
{
    fs::create_directory(folder / "version-2");
    LogWriter().queue(kA, kFirst).writeTo(folder / "version-2");
    read({folder.path()});
    EXPECT_EQ(lock().ends.open, 1u);
}

} // namespace
} // namespace lockscope::history
