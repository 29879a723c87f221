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

TEST(TimeScale, GlidingMovesEverythingByTheSameWholePixels)
{
    const TimeScale before = makeTimeScale(1s, 1200ms, 80, 901);
    for (int step = 1; step < 200; ++step) {
        const TimeScale after = makeTimeScale(1s + step * 777us, 1200ms, 80, 901);
        const int moved = before.pixelAt(1500ms) - after.pixelAt(1500ms);
        for (TraceTime at = 1s; at < 2300ms; at += 13'377us)
            ASSERT_EQ(before.pixelAt(at) - after.pixelAt(at), moved) << "step " << step;
    }
}

TEST(TimeScale, FarAwayTimesStayFinite)
{
    const TimeScale scale = makeTimeScale(0s, 10us, 0, 100);
    EXPECT_GT(scale.pixelAt(kForever), scale.right());
    EXPECT_LT(scale.pixelAt(-24h), scale.left);
    EXPECT_EQ(makeTimeScale(0s, 0s, 0, 0).pixelAt(0s), 0); // degenerate, but defined
}

TEST(TimeTicks, StepIsOneTwoOrFiveAndWideEnough)
{
    EXPECT_EQ(niceTickStep(makeTimeScale(0s, 1200ms, 0, 1200), 90), Duration(100ms));
    EXPECT_EQ(niceTickStep(makeTimeScale(0s, 1200ms, 0, 600), 90), Duration(200ms));
    EXPECT_EQ(niceTickStep(makeTimeScale(0s, 1200ms, 0, 300), 90), Duration(500ms));
    EXPECT_EQ(niceTickStep(makeTimeScale(0s, 10us, 0, 1000), 100), Duration(1us));
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

TEST(TimelineLayout, LanesGetLowerBeforeTheyScroll)
{
    const TimelineTextSizes text{14, 40};
    EXPECT_EQ(layoutTimeline({900, 340}, 3, 0, text).laneHeight, TimelineLayout::kMaxLaneHeight);
    const TimelineLayout medium = layoutTimeline({900, 340}, 12, 0, text);
    EXPECT_LT(medium.laneHeight, TimelineLayout::kMaxLaneHeight);
    EXPECT_EQ(medium.maxScroll(), 0);
    const TimelineLayout many = layoutTimeline({900, 340}, 1000, 0, text);
    EXPECT_GE(many.laneHeight, text.lineHeight) << "each has room for its name";
    EXPECT_GT(many.maxScroll(), 0);
    EXPECT_EQ(many.plot.height() % many.laneHeight, 0) << "none is cut";
    EXPECT_EQ(many.maxScroll() % many.laneHeight, 0);
    const TimelineLayout low = layoutTimeline({900, 340}, 1000, 0, text, {.compactLanes = true});
    EXPECT_EQ(low.laneHeight, TimelineLayout::kMinLaneHeight) << "asked for";
    const TimelineLayout atTurn = layoutTimeline({900, 640}, 1000, 0, text, {.byAcquisition = true});
    EXPECT_GT(atTurn.laneHeight, many.laneHeight) << "where few are at turn, they use the room";
    EXPECT_GE(atTurn.wholeLanes(), 16);
    EXPECT_LE(many.lastVisibleLane() - many.firstVisibleLane() + 1, many.plot.height() / many.laneHeight + 2);
}

TEST(TimelineLayout, FewLanesGrowInAHighTimelineWithTheirType)
{
    const TimelineTextSizes text{14, 40};
    const TimelineLayout usual = layoutTimeline({900, 200}, 5, 0, text);
    EXPECT_LE(usual.laneHeight, TimelineLayout::kMaxLaneHeight);
    EXPECT_EQ(usual.typeScale(), 1.0);
    const TimelineLayout high = layoutTimeline({1800, 440}, 5, 0, text);
    EXPECT_GT(high.contentHeight(), high.plot.height() * 4 / 5) << "the room is used";
    EXPECT_GT(high.typeScale(), 1.2);
    EXPECT_GE(high.plot.left() - high.nameLeft(), static_cast<int>(text.labelWidth * high.typeScale()));
    const TimelineLayout highest = layoutTimeline({2500, 1400}, 5, 0, text);
    EXPECT_EQ(highest.laneHeight, TimelineLayout::kMaxGrownLaneHeight) << "but not without end";
    EXPECT_LT(highest.typeScale(), 2);
}

// A timeline of twice the size, in a font of twice the size, is the same picture but for the margins.
TEST(TimelineLayout, HeightsFollowTheFont)
{
    for (const int lanes : {3, 5, 12, 1000}) {
        const TimelineLayout one = layoutTimeline({900, 400}, lanes, 0, {15, 40});
        const TimelineLayout two = layoutTimeline({1800, 800}, lanes, 0, {30, 80});
        EXPECT_NEAR(two.laneHeight, 2 * one.laneHeight, one.laneHeight / 10 + 1) << lanes;
        EXPECT_NEAR(two.dotSize(), 2 * one.dotSize(), 4) << lanes;
        EXPECT_EQ(two.compact(), one.compact()) << lanes;
        EXPECT_NEAR(two.typeScale(), one.typeScale(), 0.1) << lanes;
        EXPECT_EQ(two.legend.isEmpty(), one.legend.isEmpty()) << lanes;
        EXPECT_EQ(two.overview.isEmpty(), one.overview.isEmpty()) << lanes;
    }
    EXPECT_TRUE(layoutTimeline({900, 340}, 12, 0, {30, 80}).compact()) << "a name does not fit between lines";
}

TEST(TimelineLayout, RowsOfHoldersLeaveTheRoomToTheLanes)
{
    const TimelineLayout some = layoutTimeline({900, 340}, 1000, 0, {14, 40}, {false, 2, 1000});
    EXPECT_EQ(some.holderRows, 2);
    EXPECT_LT(some.holders.bottom() + TimelineLayout::kNameOverhang, some.plot.top());
    EXPECT_GE(some.holders.top(), some.band.bottom());
    EXPECT_EQ(some.columns().bottom(), some.plot.bottom());
    EXPECT_EQ(layoutTimeline({900, 340}, 12, 0, {14, 40}, {false, 2, 12}).holderRows, 0)
        << "all are in sight";
    const TimelineLayout many = layoutTimeline({900, 200}, 1000, 0, {14, 40}, {false, 50, 1000});
    EXPECT_LE(many.holders.height(), many.plot.height());
    EXPECT_GT(many.holderRows, 0);
    EXPECT_EQ(layoutTimeline({900, 340}, 5, 0, {14, 40}, {false, 2, 1000}).holderRows, 2)
        << "as long as a filter hides lanes, too";
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
