// Handoff arrows of the timeline: from one hold to the next, with a head that is seen however short they are.
#include "tests/ui/timeline/timeline_test_fixture.h"

#include <QLineF>

#include <algorithm>
#include <vector>

namespace lockscope::ui::test {
namespace {

using TimelineArrowsTest = TimelineFixture;

// The same client twice in one pixel: no arrow says which of the two it was.
TEST_F(TimelineArrowsTest, AnArrowBelongsToOneHoldAndNotToABlockOfSeveral)
{
    TimelineScript script({"ada", "bo", "cyd"});
    script.acquires(0, 100);
    script.releases(0, 100.1);
    script.acquires(0, 100.2);
    script.handsOff(0, 1, 100.3, {10, 20, 10, 10, 10});
    script.handsOff(1, 2, 300, {10, 20, 10, 10, 10});
    script.releases(2, 400);
    script.nothing(900);
    open(script);
    showRange(100ms, 100'600us);
    EXPECT_EQ(canvas->picture().arrows.front().handoff, 0u) << "zoomed in, each is drawn";
    showRange(0ms, 900ms);
    ASSERT_EQ(canvas->picture().barsOf(ClientId{0}).front().span.merged, 2u);
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    EXPECT_EQ(canvas->picture().arrows.front().handoff, 1u)
        << "far away only the one between two that are seen";
}

// Five clients that pass the lock on every 2 ms: for each two of them whose holds are narrower than an
// arrow's place there is a line all along the timeline.
TEST_F(TimelineArrowsTest, HandoffsBetweenHoldsOfAPixelAreCondensedAndNotHidden)
{
    constexpr unsigned kClients = 5, kTurns = 400;
    TimelineScript script = TimelineScript::ofClients(kClients);
    script.acquires(0, 10);
    for (unsigned turn = 0; turn < kTurns; ++turn)
        script.handsOff(turn % kClients, (turn + 1) % kClients, 12 + 2 * turn, {10, 40, 20, 10, 20});
    script.nothing(820);
    open(script);
    canvas->setLaneOrder(LaneOrder::added);
    showRange(10ms, 810ms); // about a pixel for each hold
    const TimelinePicture& picture = canvas->picture();
    for (unsigned from = 0; from < kClients; ++from) {
        const int below = picture.layout.laneCentre(static_cast<int>(from));
        std::vector<double> places;
        for (const auto* all : {&picture.arrows, &picture.condensed})
            for (const TimelineArrow& arrow : *all)
                if (static_cast<int>(arrow.from.y()) == below)
                    places.push_back(arrow.to.x());
        places.push_back(picture.layout.plot.left());
        places.push_back(picture.layout.plot.right());
        std::sort(places.begin(), places.end());
        double widest = 0; // stretch without one
        for (std::size_t i = 1; i < places.size(); ++i)
            widest = std::max(widest, places[i] - places[i - 1]);
        EXPECT_LT(widest, 40) << "from lane " << from;
    }
    const QRect gap(picture.layout.plot.left(), picture.layout.laneTop(1) - 2, picture.layout.plot.width(),
                    1);
    const QImage image = drawn();
    int violet = 0;
    for (int x = gap.left(); x <= gap.right(); ++x) {
        const QColor colour = image.pixelColor(x, gap.top());
        violet += colour.blue() > colour.green() + 30 && colour.red() > colour.green() + 10 ? 1 : 0;
    }
    EXPECT_GT(violet, gap.width() / 20);
}

} // namespace
} // namespace lockscope::ui::test
