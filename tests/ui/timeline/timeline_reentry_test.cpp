// How the timeline shows that a holder has entered again: inner bars and their numbers.
#include "tests/ui/timeline/timeline_test_fixture.h"

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
    EXPECT_EQ(drawn().pixelColor(at(0, 132)), theme.palette().holdsSoft);
}

// ada enters again at 110 (twice) and for a third time from 114 to 126 and from 128 to 131.
TimelineScript threeLevels()
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    script.reenters(0, 110);
    script.reenters(0, 114, 3);
    script.releasesOneLevel(0, 126, 3);
    script.reenters(0, 128, 3);
    script.releasesOneLevel(0, 131, 3);
    script.releasesOneLevel(0, 140);
    script.releases(0, 150);
    script.nothing(400);
    return script;
}

TEST_F(Timeline, AnInnermostBoxSaysOfEveryLevelInsideIt)
{
    open(threeLevels());
    int collapsed = 0;
    for (int length = 60; length < 3000; length += length / 8) {
        showRange(TraceTime(std::chrono::milliseconds(95)), std::chrono::milliseconds(length));
        const auto& depths = canvas->picture().depths;
        if (depths.size() != 1)
            continue;
        ++collapsed;
        EXPECT_EQ(depths[0].shownDepth, 3) << "the third level has no box of its own here";
        const QRect box = depths[0].rect;
        EXPECT_EQ(drawn().pixelColor(box.left() + 1, box.center().y()), theme.palette().holdsPale);
    }
    EXPECT_GT(collapsed, 0);
}

} // namespace
} // namespace lockscope::ui::test
