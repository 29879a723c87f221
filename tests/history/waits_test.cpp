// Where the waits of a lock went, by a transaction log.
#include "core/history/waits.h"
#include "tests/history/history_fixture.h"

#include <optional>

namespace lockscope::history {
namespace {

using namespace tests;
using queue::WaitPart;

struct WaitsTest : HistoryTest
{
    static inline const std::string kThird = "/l/x-lock-0000000002";

    std::optional<queue::WaitSplit> waitOf(std::size_t entry, const std::string& lock = "/l")
    {
        log.writeTo(folder.path());
        read({folder.path()}, {.lock = lock, .queueEntries = true});
        const LockWaits waits(*history, lock);
        return waits.of(*waits.entries().at(entry));
    }

    LogWriter log;
};

TEST_F(WaitsTest, HaveTheirHoldersByName)
{
    log.at(0).queue(kA, kFirst).at(100).queue(kB, kSecond).at(200).queue(kC, kThird);
    log.at(400).remove(kA, kFirst).at(900).remove(kB, kSecond).at(950).remove(kC, kThird);
    const auto wait = waitOf(2);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->whole, 700);
    EXPECT_EQ(wait->of(WaitPart::held), 700);
    EXPECT_EQ(wait->of(WaitPart::notKnown), 0);
    ASSERT_THAT(wait->holders, ::testing::SizeIs(2));
    EXPECT_EQ(wait->holders[0].holder, 1U);
    EXPECT_EQ(wait->holders[0].span, 500);
    EXPECT_EQ(wait->holders[1].holder, 0U);
    EXPECT_EQ(wait->holders[1].span, 200);
    for (const WaitPart part : {WaitPart::noServer, WaitPart::silentHolder, WaitPart::handoff})
        EXPECT_EQ(wait->of(part), std::nullopt) << "in no log: " << words(part);
    EXPECT_EQ(wait->of(WaitPart::leaderChange), std::nullopt) << "a server without an ensemble";
    EXPECT_FALSE(waitOf(0)) << "it did not wait";
    EXPECT_EQ(waitOf(1)->of(WaitPart::held), 300) << "it does not wait for itself, nor for who came later";
}

// No server hears from it for its timeout, at least: LogWriter's sessions have one of 30 s.
TEST_F(WaitsTest, AHolderWhoseSessionExpiredWasSilent)
{
    log.at(0).open(kA).open(kB).queue(kA, kFirst).at(1'000).queue(kB, kSecond);
    log.at(45'000).expire(kA).at(46'000).remove(kB, kSecond);
    const auto wait = waitOf(1);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->whole, 44'000);
    EXPECT_EQ(wait->of(WaitPart::silentHolder), 30'000);
    EXPECT_EQ(wait->of(WaitPart::held), 14'000);
}

TEST_F(WaitsTest, ASessionOfAnUnknownTimeoutIsNotSaidToHaveBeenSilent)
{
    log.at(0).queue(kA, kFirst).at(1'000).queue(kB, kSecond).at(30'000).expire(kA);
    const auto wait = waitOf(1);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->of(WaitPart::silentHolder), std::nullopt);
    EXPECT_EQ(wait->of(WaitPart::held), 29'000);
}

TEST_F(WaitsTest, AChangeOfTheLeaderIsNoHold)
{
    log = LogWriter(kEpoch1 + 1);
    log.at(0).queue(kA, kFirst).at(100).queue(kB, kSecond).at(1'000).queue(kC, kThird);
    log.zxid(kEpoch2 + 1).at(3'500).queue(kC, "/l/x-lock-0000000003").at(4'000).remove(kA, kFirst);
    log.writeTo(folder.path(), kEpoch1 + 1);
    read({folder.path()}, {.lock = "/l", .queueEntries = true});
    const LockWaits waits(*history, "/l");
    const auto wait = waits.of(*waits.entries().at(1));
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->whole, 3'900);
    EXPECT_EQ(wait->of(WaitPart::leaderChange), 2'500);
    EXPECT_EQ(wait->of(WaitPart::held), 1'400);
}

TEST_F(WaitsTest, AReaderWaitsForWhomAWriterInFrontWaitsFor)
{
    log.at(0).queue(kA, "/l/x-__READ__0000000000").at(100).queue(kB, "/l/x-__WRIT__0000000001");
    log.at(200).queue(kC, "/l/x-__READ__0000000002").at(500).remove(kA, "/l/x-__READ__0000000000");
    log.at(900).remove(kB, "/l/x-__WRIT__0000000001");
    const auto wait = waitOf(2);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->whole, 700);
    EXPECT_EQ(wait->of(WaitPart::held), 700);
    ASSERT_THAT(wait->holders, ::testing::SizeIs(2));
    EXPECT_EQ(wait->holders[0].holder, 1U);
    EXPECT_EQ(wait->holders[1].span, 300) << "of the reader in front";
}

} // namespace
} // namespace lockscope::history
