// How the timeline shows that a holder has entered again: inner bars and their numbers.
#include "tests/ui/timeline/timeline_test_fixture.h"

#include <set>

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

TEST_F(Timeline, EachLevelHasItsOwnColourAndNumber)
{
    open(threeLevels());
    showRange(95ms, 155ms);
    ASSERT_EQ(canvas->picture().depths.size(), 3u);
    const QRect inner = canvas->picture().depths[1].rect;
    EXPECT_EQ(drawn().pixelColor(inner.left() + 1, inner.center().y()), theme.palette().holdsPale)
        << "not the hold's own";
    for (const TimelineDepth& bar : canvas->picture().depths)
        EXPECT_FALSE(bar.label.isEmpty());
}

TEST_F(Timeline, ANumberStandsInTheBoxOfItsLevelAndABoxWithoutOneIsAroundOneInAnyWidth)
{
    open(threeLevels());
    std::set<std::size_t> seen;
    for (int length = 20; length < 4000; length += length / 8) {
        showRange(TraceTime(std::chrono::milliseconds(95)), std::chrono::milliseconds(length));
        const TimelinePicture& picture = canvas->picture();
        const QFontMetrics metrics(picture.laneNumber);
        seen.insert(picture.depths.size());
        for (const TimelineDepth& bar : picture.depths) {
            const auto inside = [&](const TimelineDepth& other) {
                return other.depth > bar.depth && other.rect.intersects(bar.rect);
            };
            if (bar.label.isEmpty()) {
                EXPECT_TRUE(std::any_of(picture.depths.begin(), picture.depths.end(), inside))
                    << length << " ms";
                continue;
            }
            QRect number(0, 0, metrics.horizontalAdvance(TimelineText::depth(bar.shownDepth)), 1);
            number.moveCenter(bar.label.center());
            EXPECT_TRUE(bar.rect.contains(number)) << length << " ms, level " << bar.depth;
            for (const TimelineDepth& other : picture.depths)
                EXPECT_FALSE(inside(other) && other.rect.intersects(number)) << length << " ms";
        }
    }
    EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2, 3})) << "with less room, less is said";
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

TEST_F(Timeline, LevelsBeyondTheThirdAreNumberedToo)
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    for (std::uint16_t depth = 2; depth <= 7; ++depth)
        script.reenters(0, 100 + 10 * depth, depth);
    for (std::uint16_t depth = 7; depth >= 2; --depth)
        script.releasesOneLevel(0, 400 - 10 * depth, depth);
    script.releases(0, 400);
    script.nothing(410);
    open(script);
    showRange(90ms, 410ms);
    ASSERT_EQ(canvas->picture().depths.size(), 6u);
    for (const TimelineDepth& bar : canvas->picture().depths)
        EXPECT_FALSE(bar.label.isEmpty()) << bar.depth;
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
        const QFontMetrics small(theme.fonts().small);
        EXPECT_EQ(picture.depths.empty(), picture.layout.holdHeight() < small.capHeight() + 2)
            << "no half numbers: lanes of " << picture.layout.laneHeight;
        low += !picture.depths.empty() && picture.layout.holdHeight() * 64 / 100 < small.ascent() ? 1 : 0;
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
                        EXPECT_GE(bar.rect.width(),
                                  metrics.horizontalAdvance(TimelineText::depth(bar.depth)));
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
        if (canvas->picture().depths.empty())
            continue;
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

TEST_F(Timeline, TheCursorLeavesANumberWhole)
{
    open(twoClients());
    showRange(90ms, 290ms);
    ASSERT_EQ(canvas->picture().depths.size(), 1u);
    const TimelineDepth bar = canvas->picture().depths.front();
    const QColor ink = theme.palette().onHoldsSoft;
    const int whole = count(drawn(), bar.rect, ink);
    ASSERT_GT(whole, 3) << "in an ink that can be read there";
    for (int x = bar.rect.left() - 4; x < bar.rect.right() + 4; ++x) {
        run.seekTime(timeUnder(x));
        // Edges of letters are softer on some pixels than on others.
        EXPECT_GE(count(drawn(), bar.rect, ink), whole * 2 / 3) << "beside the line, " << x - bar.rect.left();
    }
    const QRect line(at(0, 155).x(), bar.rect.top() + 1, 2, bar.rect.height() - 2);
    run.seekTime(timeUnder(line.left()));
    EXPECT_EQ(count(drawn(), line, theme.palette().primary), 2 * line.height()) << "which is whole, too";
}

TEST_F(Timeline, TheCursorTakesTheRoomOfANumberThatHasNoOther)
{
    open(twoClients());
    int left = 0;
    for (Duration length = 1s; length < 2500ms; length += 50ms) {
        showRange(0ms, length);
        if (canvas->picture().depths.empty())
            continue;
        const QRect box = canvas->picture().depths.front().rect;
        run.seekTime(timeUnder(box.center().x()));
        left += count(drawn(), box, theme.palette().onHoldsSoft) == 0 ? 1 : 0;
        EXPECT_GT(count(drawn(), box, theme.palette().primary), box.height()) << "nothing is written over it";
    }
    EXPECT_GT(left, 0);
}

} // namespace
} // namespace lockscope::ui::test
