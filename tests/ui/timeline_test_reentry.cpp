// How the timeline shows that a holder has entered again: inner bars and their numbers.
#include "tests/ui/timeline_test_fixture.h"

namespace lockscope::ui::test {
namespace {

using Timeline = TimelineFixture;

TEST_F(Timeline, ReentryIsAnInnerBarWithItsDepth)
{
    open(twoClients());
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().depths.size(), 1u);
    const TimelineDepth& inner = canvas->picture().depths.front();
    EXPECT_EQ(inner.depth, 2);
    EXPECT_NEAR(inner.rect.left(), at(0, 130).x(), 1);
    EXPECT_NEAR(inner.rect.right(), at(0, 180).x(), 1);
    EXPECT_FALSE(inner.label.isEmpty());
    EXPECT_EQ(drawn().pixelColor(at(0, 132)), look.palette().holdsSoft);
}

TEST_F(Timeline, AReentryTooShortForEachLevelsNumberSaysTheDeepest)
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    script.reenters(0, 110);
    script.reenters(0, 118, 3);
    script.leavesOneLevel(0, 126, 3);
    script.leavesOneLevel(0, 134);
    script.releases(0, 150);
    script.nothing(400);
    open(script);
    showRange(0ms, 700ms);
    const std::vector<TimelineDepth>& depths = canvas->picture().depths;
    ASSERT_EQ(depths.size(), 1u) << "the level inside has no room";
    EXPECT_FALSE(depths.front().label.isEmpty());
    EXPECT_EQ(depths.front().depth, 2);
    EXPECT_EQ(depths.front().said, 3);
    showRange(80ms, 160ms);
    ASSERT_EQ(canvas->picture().depths.size(), 2u);
    const QRect inner = depths.back().rect;
    EXPECT_EQ(drawn().pixelColor(inner.left() + 1, inner.center().y()), look.palette().holdsPale)
        << "not the hold's own";
    for (const TimelineDepth& bar : canvas->picture().depths) {
        EXPECT_FALSE(bar.label.isEmpty());
        EXPECT_EQ(bar.said, bar.depth) << "with room each level has its own";
    }
}

TEST_F(Timeline, ALevelWithoutRoomForItsNumberIsToldByTheOneAroundItInAnyWidth)
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    script.reenters(0, 110);
    script.reenters(0, 114, 3);
    script.leavesOneLevel(0, 126, 3);
    script.reenters(0, 128, 3);
    script.leavesOneLevel(0, 131, 3);
    script.leavesOneLevel(0, 140);
    script.releases(0, 150);
    script.nothing(400);
    open(script);
    bool both = false, one = false, plain = false;
    for (int length = 20; length < 4000; length += length / 8) {
        showRange(TraceTime(std::chrono::milliseconds(95)), std::chrono::milliseconds(length));
        const std::vector<TimelineDepth>& depths = canvas->picture().depths;
        for (const TimelineDepth& bar : depths)
            EXPECT_TRUE(!bar.label.isEmpty() || depths.size() == 1) << length << " ms";
        both = both || depths.size() == 3;
        if (depths.size() == 1) {
            EXPECT_EQ(depths.front().said, 3) << length << " ms: the deepest, at any width";
            (depths.front().label.isEmpty() ? plain : one) = true;
        }
    }
    EXPECT_TRUE(both && one && plain);
}

TEST_F(Timeline, ALowLaneSaysTheNumberOfReentriesAcrossTheHold)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const int tall = canvas->picture().layout.laneHeight;
    int low = 0;
    for (int height = 340; height > 90; height -= 2) {
        view.resize(900, height);
        const TimelinePicture& picture = canvas->picture();
        const QFontMetrics small(look.fonts().small);
        if (picture.depths.empty())
            break;
        const TimelineDepth& inner = picture.depths.front();
        if (picture.layout.holdHeight() < small.capHeight() + 2)
            EXPECT_TRUE(inner.label.isEmpty()) << "no half numbers";
        else
            EXPECT_FALSE(inner.label.isEmpty()) << "lanes of " << picture.layout.laneHeight;
        low += !inner.label.isEmpty() && picture.layout.holdHeight() * 64 / 100 < small.ascent() ? 1 : 0;
    }
    EXPECT_GT(low, 0) << "lanes lower than " << tall << " were seen";
}

TEST_F(Timeline, TheNumberOfReentriesStaysWithinItsBar)
{
    open(twoClients());
    for (const int width : {400, 500, 600, 700, 800, 900})
        for (const int height : {150, 170, 190, 220, 260, 340, 900})
            for (const Duration length : {Duration(200ms), Duration(800ms), Duration(1500ms), Duration(3s)}) {
                view.resize(width, height);
                showRange(0ms, length);
                const TimelinePicture& picture = canvas->picture();
                const QFontMetrics metrics(picture.laneNumber);
                for (const TimelineDepth& bar : picture.depths)
                    if (!bar.label.isEmpty()) {
                        EXPECT_GE(bar.rect.width(), metrics.horizontalAdvance(TimelineText::depth(bar.said)));
                        EXPECT_GE(bar.rect.height(), metrics.capHeight());
                        EXPECT_GE(bar.label.left(), bar.rect.left());
                        EXPECT_LE(bar.label.right(), bar.rect.right());
                    }
            }
}

TEST_F(Timeline, AReentryNearlyWideEnoughForItsNumberIsDrawnWithIt)
{
    open(twoClients());
    int said = 0;
    for (const Duration length : {Duration(2500ms), Duration(3s), Duration(3500ms)}) {
        showRange(0ms, length);
        ASSERT_EQ(canvas->picture().depths.size(), 1u);
        const TimelineDepth& bar = canvas->picture().depths.front();
        const int exact = at(0, 180).x() - at(0, 130).x();
        said += !bar.label.isEmpty();
        EXPECT_LE(bar.rect.width(), 2 * exact + 2) << "not much wider than it lasted";
        const auto bars = canvas->picture().barsOf(ClientId{0});
        EXPECT_TRUE(std::any_of(bars.begin(), bars.end(), [&](const TimelineBar& hold) {
            return hold.span.kind == replay::SpanKind::holding && hold.rect.contains(bar.rect);
        })) << "and within its hold";
    }
    EXPECT_GT(said, 0);
}

TEST_F(Timeline, TheNumberOfADepthStaysInItsBlockAndBeforeTheCursor)
{
    open(twoClients());
    showRange(90ms, 290ms);
    ASSERT_EQ(canvas->picture().depths.size(), 1u);
    const TimelineDepth bar = canvas->picture().depths.front();
    ASSERT_FALSE(bar.label.isEmpty());
    EXPECT_GE(bar.label.left(), bar.rect.left());
    EXPECT_LE(bar.label.right(), bar.rect.right());
    const QRect words = QRect(bar.label.center() - QPoint(3, 3), QSize(7, 7));
    const QImage without = drawn().copy(words);
    run.seekTime(timeUnder(bar.label.center().x()));
    ASSERT_EQ(canvas->picture().depths.front().label, bar.label);
    EXPECT_EQ(drawn().copy(words), without) << "the cursor's line passes behind the number";
    const QRect above(bar.label.center().x() - 2, canvas->picture().layout.laneRect(0).top() + 1, 5, 2);
    EXPECT_GT(count(drawn(), above, look.palette().primary), 0) << "and is seen beside it";
    EXPECT_GT(count(drawn(), bar.rect, look.palette().onHoldsSoft), 3) << "in an ink that can be read there";
}

} // namespace
} // namespace lockscope::ui::test
