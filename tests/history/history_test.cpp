// A history over several files: in the order of the zxids, with gaps and snapshots.
#include "core/history/history.h"
#include "core/history/hold_times.h"

#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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
using tests::SnapshotEntry;
using State = HistoryReader::State;
using Kind = Damage::Kind;

constexpr std::int64_t kEpoch1 = 0x100000000;
constexpr std::int64_t kEpoch2 = 0x200000000;
const std::string kFirst = "/l/x-lock-0000000000", kSecond = "/l/x-lock-0000000001";

struct HistoryTest : ::testing::Test
{
    void read(const std::vector<fs::path>& paths, History::Options options = {})
    {
        auto opened = History::open(paths, std::move(options));
        ASSERT_TRUE(opened) << opened.error().text();
        history = std::move(*opened);
        history->read(1U << 30);
        kinds.clear();
        for (const Damage& damage : history->takeDamage())
            kinds.push_back(damage.kind);
    }
    LockSummary lock() const
    {
        const auto all = history->locks();
        EXPECT_THAT(all, SizeIs(1));
        return all.empty() ? LockSummary{} : all.front();
    }

    tests::TempFolder folder;
    std::unique_ptr<History> history;
    std::vector<Kind> kinds;
};

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
