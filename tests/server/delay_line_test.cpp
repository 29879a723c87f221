// When bytes arrive under latency, jitter and bandwidth: in order, by the rules, the same for the same seed.
#include "core/server/relay/delay_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;

std::vector<Duration> arrivals(const LinkRules& rules, std::uint64_t seed, Duration every, int count)
{
    DelayLine line(seed);
    line.setRules(rules, MonotonicTime());
    std::vector<Duration> times;
    for (int i = 0; i < count; ++i) {
        line.push("12345", MonotonicTime(i * every));
        times.push_back(line.due().time_since_epoch());
        line.pop(5);
    }
    return times;
}

TEST(DelayLine, WithoutARuleEverythingIsDueAtOnce)
{
    EXPECT_FALSE(DelayLine(1).isDelaying());
    EXPECT_EQ(arrivals({}, 1, 1ms, 3), (std::vector<Duration>{0ms, 1ms, 2ms}));
}

TEST(DelayLine, LatencyShiftsEverything)
{
    EXPECT_EQ(arrivals({.latency = 10ms}, 1, 1ms, 3), (std::vector<Duration>{10ms, 11ms, 12ms}));
}

TEST(DelayLine, JitterStaysWithinItsBoundsAndNeverOvertakes)
{
    const auto times = arrivals({.latency = 10ms, .jitter = 4ms}, 3, 1ms, 1000);
    bool varies = false;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const auto sent = Duration(1ms) * static_cast<int>(i);
        EXPECT_GE(times[i], times[i - 1]);
        EXPECT_GE(times[i], sent + 6ms);
        EXPECT_LE(times[i], sent + 14ms);
        varies = varies || times[i] - times[i - 1] != Duration(1ms);
    }
    EXPECT_TRUE(varies);
}

TEST(DelayLine, JitterBeyondTheLatencyNeverGoesBackInTime)
{
    const auto times = arrivals({.latency = 1ms, .jitter = 50ms}, 3, 1ms, 100);
    for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_GE(times[i], Duration(1ms) * static_cast<int>(i));
}

TEST(DelayLine, TheSameSeedGivesTheSameTimes)
{
    const LinkRules rules{.latency = 10ms, .jitter = 4ms};
    EXPECT_EQ(arrivals(rules, 3, 1ms, 50), arrivals(rules, 3, 1ms, 50));
    EXPECT_NE(arrivals(rules, 3, 1ms, 50), arrivals(rules, 4, 1ms, 50));
}

TEST(DelayLine, BandwidthSpacesWhatComesAtOnce)
{
    EXPECT_EQ(arrivals({.bytesPerSecond = 1000}, 1, 0ms, 3), (std::vector<Duration>{5ms, 10ms, 15ms}));
    EXPECT_EQ(arrivals({.latency = 1s, .bytesPerSecond = 1000}, 1, 0ms, 2),
              (std::vector<Duration>{1005ms, 1010ms}));
}

TEST(DelayLine, ASlowLineTakesSmallPiecesAndSaysWhenTheNext)
{
    DelayLine line(1);
    line.setRules({.bytesPerSecond = 1000}, MonotonicTime());
    EXPECT_LE(line.chunkLimit(), 100u);
    line.push("12345", MonotonicTime());
    EXPECT_EQ(line.readableAt(), MonotonicTime(5ms));
    line.setRules({.bytesPerSecond = 1}, MonotonicTime());
    EXPECT_EQ(line.chunkLimit(), 1u);
}

TEST(DelayLine, IsFullBeforeItGrowsWithoutBound)
{
    DelayLine line(1);
    line.setRules({.latency = 1h}, MonotonicTime());
    std::size_t bytes = 0;
    while (!line.full() && bytes < 100u << 20) {
        line.push(std::string(line.chunkLimit(), 'a'), MonotonicTime());
        bytes += line.chunkLimit();
    }
    EXPECT_LE(bytes, DelayLine::kMaxBuffered + DelayLine::kMaxChunk);
    line.pop(DelayLine::kMaxChunk);
    EXPECT_FALSE(line.full());
}

TEST(DelayLine, AShorterRuleBringsForwardWhatIsUnderWay)
{
    DelayLine line(1);
    line.setRules({.latency = 1h}, MonotonicTime());
    line.push("a", MonotonicTime());
    line.push("b", MonotonicTime());
    line.setRules({.latency = 5ms}, MonotonicTime(1s));
    EXPECT_EQ(line.due(), MonotonicTime(1005ms));
    line.pop(1);
    line.pop(1);
    line.push("c", MonotonicTime(2s));
    EXPECT_EQ(line.due(), MonotonicTime(2005ms));
}

TEST(DelayLine, GivesOutBytesPieceByPieceAndTheEndLast)
{
    DelayLine line(1);
    line.push("abc", MonotonicTime());
    line.pushEnd(LinkEnd::closed, MonotonicTime());
    line.pop(2);
    EXPECT_EQ(line.bytes(), "c");
    EXPECT_EQ(line.end(), LinkEnd::none);
    line.pop(1);
    EXPECT_EQ(line.end(), LinkEnd::closed);
    EXPECT_TRUE(line.bytes().empty());
    line.pop(0);
    EXPECT_TRUE(line.empty());
}

} // namespace
} // namespace lockscope::server
