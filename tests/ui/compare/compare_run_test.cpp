// One of two runs that are compared: the queue at a release, whom it woke.
#include "compare_test_runs.h"
#include "ui/compare/compare_chain_view.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

chain::ChainScene sceneOf(const ChainMoment& moment)
{
    Theme theme(Theme::ColourScheme::light);
    CompareChainView view(&theme);
    view.resize(900, 300);
    view.show(moment);
    return view.scene();
}

TEST(ComparedRun, CountsWhomEachReleaseWoke)
{
    const ComparedRunPtr herd = runOf("herd", traceScript(kHerd));
    ASSERT_EQ(herd->handoffs(), 1u);
    EXPECT_EQ(herd->woken(0), 2u);
    const ChainMoment moment = herd->moment(0);
    EXPECT_EQ(moment.holderName, "ada");
    EXPECT_EQ(moment.nextName, "bo");
    EXPECT_EQ(moment.waiting, 2u);
    EXPECT_EQ(moment.woken, (std::set{ClientId{1}, ClientId{2}}));
    const chain::ChainScene scene = sceneOf(moment);
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[0].state, chain::NodeState::holds);
    EXPECT_TRUE(scene.nodes[1].next) << "bo gets the lock, though both wake";
    EXPECT_FALSE(scene.nodes[2].next);
    ASSERT_EQ(scene.arrows.size(), 2u);
    for (const chain::Arrow& arrow : scene.arrows)
        EXPECT_EQ(arrow.from, 0) << "both watch the holder's node, not the one in front of theirs";
}

// A wake-up belongs to the last release before it, not to the handoff before that.
TEST(ComparedRun, AReleaseIsTheSameWhicheverClientTakesTheLockNext)
{
    const ComparedRunPtr herd =
        runOf("herd",
              traceScript(
                  R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
           10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 14ms bo takes n2
           15ms cyd waits n3 n2; 16ms bo release n2; 16300us cyd fired n2; 16310us ada waits n4 n2
           16320us ada fired n2; 16400us bo freed n2; 18ms bo holds n5; 20ms bo release n5; 21ms bo freed n5
           - finished)"));
    ASSERT_EQ(herd->handoffs(), 1u) << "bo after bo is no handoff";
    EXPECT_EQ(herd->woken(0), 2u);
    EXPECT_EQ(herd->moment(0).woken.size(), 2u);
    ASSERT_EQ(herd->releases().size(), 3u);
    const ComparedRun::Release& again = herd->releases()[1];
    EXPECT_EQ(again.woken, 2u);
    EXPECT_EQ(again.at, std::chrono::milliseconds(16));
    EXPECT_EQ(again.taken, std::chrono::milliseconds(18));
    EXPECT_EQ(herd->releases()[2].woken, 0u);
    EXPECT_EQ(herd->releases()[2].taken, kForever);
    ASSERT_EQ(herd->herds().size(), 2u);
    EXPECT_EQ(herd->herds()[1].event, again.event);
}

TEST(ComparedRun, TellsOfAReleaseWithALongQueueThatIsTypicalOfItsRun)
{
    const ComparedRunPtr chain = chainRun();
    ASSERT_TRUE(chain->typicalHandoff());
    const Duration shown = chain->timeline().handoff(*chain->typicalHandoff()).latency();
    for (std::size_t i = 0; i < chain->handoffs(); ++i) {
        if (chain->moment(i).waiting == 4) {
            EXPECT_LE(std::chrono::abs(shown - chain->median()),
                      std::chrono::abs(chain->timeline().handoff(i).latency() - chain->median()));
        }
    }
    const ChainMoment moment = chain->moment(*chain->typicalHandoff());
    EXPECT_EQ(moment.waiting, 4u);
    EXPECT_EQ(moment.woken.size(), 1u);
    const chain::ChainScene scene = sceneOf(moment);
    ASSERT_EQ(scene.nodes.size(), 5u);
    ASSERT_EQ(scene.arrows.size(), 4u);
    for (const chain::Arrow& arrow : scene.arrows) {
        const bool wakes = arrow.kind == chain::ArrowKind::wakes;
        EXPECT_EQ(wakes ? arrow.from : arrow.to, (wakes ? arrow.to : arrow.from) - 1);
        EXPECT_EQ(wakes, arrow.from == 0);
    }
}

// The longest queue is that of a release after which the same client takes the lock again.
TEST(ComparedRun, ATypicalHandoffIsFoundThoughALongerQueueHandedNothingOn)
{
    const ComparedRunPtr run =
        runOf("run",
              traceScript(
                  R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10300us bo fired n1
           10400us ada freed n1; 14ms bo takes n2; 15ms cyd waits n3 n2; 15ms ada waits n4 n2; 16ms bo release n2
           16300us cyd fired n2; 16320us ada fired n2; 16400us bo freed n2; 18ms bo holds n5; - finished)"));
    ASSERT_EQ(run->handoffs(), 1u);
    ASSERT_TRUE(run->typicalHandoff());
    EXPECT_EQ(run->moment(run->typicalHandoff()).nextName, "bo");
}

TEST(ComparedRun, WithoutAHandoffShowsTheEnd)
{
    const ComparedRunPtr lonely = runOf("lonely", traceScript("- running; ada holds n1"));
    EXPECT_FALSE(lonely->typicalHandoff());
    const ChainMoment moment = lonely->moment(std::nullopt);
    EXPECT_EQ(moment.holderName, "ada");
    EXPECT_TRUE(moment.woken.empty());
}

} // namespace
} // namespace lockscope::tests
