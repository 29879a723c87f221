// Handoff arrows of the timeline: from one hold to the next, with a head that is seen however short they are.
#include "tests/ui/timeline_test_fixture.h"

#include <QLineF>

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
    script.handsOn(0, 1, 100.3, {10, 20, 10, 10, 10});
    script.handsOn(1, 2, 300, {10, 20, 10, 10, 10});
    script.releases(2, 400);
    script.nothing(900);
    open(script);
    showRange(100ms, 100'600us);
    EXPECT_EQ(canvas->picture().arrows.front().handoff, 0u) << "near by each is told";
    showRange(0ms, 900ms);
    ASSERT_EQ(canvas->picture().barsOf(ClientId{0}).front().span.merged, 2u);
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    EXPECT_EQ(canvas->picture().arrows.front().handoff, 1u)
        << "far away only the one between two that are seen";
}

TEST_F(TimelineArrowsTest, HaveAHeadBetweenLowLanesToo)
{
    TimelineScript script = TimelineScript::ofClients(30);
    script.acquires(0, 100);
    for (unsigned i = 1; i < 30; ++i)
        script.handsOn(i - 1, i, 100 + 10 * i, {10, 200, 80, 20, 80});
    script.nothing(410);
    open(script);
    canvas->setLaneOrder(LaneOrder::added);
    view.resize(900, 480);
    showRange(90ms, 410ms);
    ASSERT_LT(canvas->picture().layout.laneHeight, TimelineLayout::kGridLane);
    std::size_t headed = 0;
    for (const TimelineArrow& arrow : canvas->picture().arrows) {
        ASSERT_LT(QLineF(arrow.from, arrow.to).length(), 14);
        headed += arrow.head ? 1 : 0;
    }
    EXPECT_GT(headed, 20u);
    EXPECT_EQ(headed, canvas->picture().arrows.size());
}

} // namespace
} // namespace lockscope::ui::test
