// What a handoff of the timeline says of its parts.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/texts/handoff_text.h"

namespace lockscope::ui::test {
namespace {

using Timeline = TimelineFixture;

TEST_F(Timeline, TheTipOfAHandoffAddsUp)
{
    open(twoClients());
    showRange(0ms, 400ms);
    ASSERT_EQ(run.timeline().handoffCount(), 1u);
    const replay::Handoff& handoff = run.timeline().handoff(0);
    Duration sum{};
    for (const HandoffStep& step : handoffSteps(handoff))
        sum += step.length;
    EXPECT_EQ(sum, handoff.latency());
    EXPECT_EQ(handoff.latency(), Duration(310us));

    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    const TimelineArrow arrow = canvas->picture().arrows.front();
    const QStringList tip = canvas->tipAt(((arrow.from + arrow.to) / 2).toPoint()).split(u'\n');
    EXPECT_EQ(tip.mid(0, 5).join(", ").toStdString(),
              "ada → bo: 0.31 ms, delete sent: 0.01 ms, delete committed: 0.12 ms, watch fired: 0.08 ms, "
              "list sent: 0.02 ms");
    ASSERT_EQ(tip.size(), 7);
    EXPECT_TRUE(tip[5].startsWith("list answered: "));
    EXPECT_TRUE(tip[6].startsWith("acquired: "));
}

TEST_F(Timeline, TheTipOfAHandoffSaysThatTheRunWasPausedInIt)
{
    TimelineScript script = twoClients();
    script.pauses(200.05);
    script.resumes(200.25);
    open(script);
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    const TimelineArrow arrow = canvas->picture().arrows.front();
    EXPECT_TRUE(canvas->tipAt(((arrow.from + arrow.to) / 2).toPoint()).contains("paused"));
    EXPECT_EQ(run.state().statistics.handoffs, 1u);
    EXPECT_EQ(run.state().statistics.handoff.count(), 0u);
}

TEST_F(Timeline, ThePauseBeforeAHandoffIsNoneInIt)
{
    TimelineScript script = twoClients();
    script.pauses(150);
    script.resumes(160);
    script.pauses(400);
    script.resumes(500);
    open(script);
    ASSERT_EQ(run.timeline().handoffCount(), 1u);
    EXPECT_FALSE(run.timeline().handoff(0).paused);
    EXPECT_EQ(run.state().statistics.handoff.count(), 1u);
}

} // namespace
} // namespace lockscope::ui::test
