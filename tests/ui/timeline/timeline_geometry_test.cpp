// Time to pixel and lane to pixel: arithmetic that needs no window.
#include "ui/canvas/ticks.h"
#include "ui/canvas/time_scale.h"
#include "ui/timeline/timeline_layout.h"

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(TimeScale, PixelHoldsTheTimeItWasAskedFor)
{
    for (const Duration length : {Duration(10us), Duration(1200ms), Duration(90min)})
        for (const TraceTime begin : {TraceTime(0), TraceTime(123'456'789), TraceTime(7h)}) {
            const TimeScale scale = makeTimeScale(begin, length, 80, 900);
            for (int x = scale.left; x < scale.right(); x += 7)
                EXPECT_EQ(scale.pixelAt(scale.timeAt(x + 0.5)), x)
                    << length.count() << " from " << begin.count();
        }
}

TEST(TimeScale, PositionIsTheInverseOfTime)
{
    const TimeScale scale = makeTimeScale(3s, 1200ms, 80, 900);
    for (const TraceTime at : {TraceTime(3s), TraceTime(3600ms), TraceTime(4200ms)})
        EXPECT_NEAR(static_cast<double>(scale.timeAt(scale.xAt(at)).count()), static_cast<double>(at.count()),
                    1.0);
}

TEST(TimeScale, FarAwayTimesStayFinite)
{
    const TimeScale scale = makeTimeScale(0s, 10us, 0, 100);
    EXPECT_GT(scale.pixelAt(kForever), scale.right());
    EXPECT_LT(scale.pixelAt(-24h), scale.left);
    EXPECT_EQ(makeTimeScale(0s, 0s, 0, 0).pixelAt(0s), 0); // degenerate, but defined
}

TEST(TimeTicks, StayAtFixedTimesWhenTheWindowMoves)
{
    const auto ticks = [](TraceTime begin) {
        const TimeScale scale = makeTimeScale(begin, 1200ms, 0, 1200);
        return ticksWithin(scale.begin(), scale.end(), 100ms);
    };
    ASSERT_EQ(ticks(0s).size(), 12u);
    for (const TraceTime at : ticks(2345ms))
        EXPECT_EQ(at % 100ms, Duration::zero());
    EXPECT_EQ(ticks(2345ms).front(), TraceTime(2400ms));
}

TEST(TimeTicks, AreAtRoundTimesOfTheClockOnTheWall)
{
    const Duration zero = 1'700'000'000s + 30ms + 7us;
    const auto ticks = ticksWithin(TraceTime(0s), TraceTime(1200ms), 100ms, zero);
    ASSERT_EQ(ticks.size(), 12U);
    for (const TraceTime at : ticks)
        EXPECT_EQ((at + zero) % 100ms, Duration::zero());
    EXPECT_EQ(ticks.front(), TraceTime(70ms - 7us));
}

TEST(TimelineLayout, LaneRoundTrip)
{
    for (const int scroll : {0, 5, 3000, 1'000'000}) {
        const TimelineLayout layout = layoutTimeline({900, 340}, 1000, scroll, {14, 40});
        EXPECT_LE(layout.scroll, layout.maxScroll());
        for (int lane = layout.firstVisibleLane() + 1; lane < layout.lastVisibleLane(); ++lane)
            ASSERT_EQ(layout.laneAt(layout.laneCentre(lane)), lane);
    }
    EXPECT_EQ(layoutTimeline({900, 340}, 1000, 1'000'000, {14, 40}).lastVisibleLane(), 999);
}

TEST(TimelineLayout, NothingOverlapsAtAnySize)
{
    for (const QSize size : {QSize(220, 100), QSize(700, 200), QSize(1600, 900), QSize(40, 30)}) {
        const TimelineLayout layout = layoutTimeline(size, 12, 0, {14, 400});
        EXPECT_LT(layout.labels.right(), layout.plot.left());
        EXPECT_LT(layout.band.bottom(), layout.plot.top());
        EXPECT_FALSE(layout.axis.intersects(layout.plot));
        EXPECT_FALSE(layout.overview.intersects(layout.axis));
    }
}

} // namespace
} // namespace lockscope::ui
