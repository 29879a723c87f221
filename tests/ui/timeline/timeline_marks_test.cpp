// What was done to the run and to its server, in the timeline: marks with their words, and how these give
// way.
#include "tests/support/trace_script.h"
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/models/command_text.h"
#include "ui/timeline/timeline_annotations.h"

namespace lockscope::ui::test {
namespace {

using TimelineMarksTest = TimelineFixture;

TEST_F(TimelineMarksTest, ShowsWhileTheServerDoesNotAnswer)
{
    TimelineScript script({"ada", "bo"});
    script.serverIs(trace::ServerPhase::ready, 100);
    script.serverIs(trace::ServerPhase::down, 300);
    script.serverIs(trace::ServerPhase::ready, 700);
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    const auto outages = [this] { return canvas->picture().outages; };
    ASSERT_EQ(outages().size(), 1U);
    EXPECT_NEAR(outages()[0].ground.left(), canvas->picture().scale.pixelAt(TraceTime(300ms)), 1);
    EXPECT_NEAR(outages()[0].ground.right(), canvas->picture().scale.pixelAt(TraceTime(700ms)), 1);
    EXPECT_TRUE(outages()[0].label.isEmpty()) << "the mark says it";
    showRange(550ms, 1000ms);
    ASSERT_EQ(outages().size(), 1U);
    EXPECT_FALSE(outages()[0].label.isEmpty()) << "here no mark is in sight";
    showRange(710ms, 1000ms);
    EXPECT_TRUE(outages().empty());
}

TEST_F(TimelineMarksTest, MarksAreLabelledWithoutOverlap)
{
    TimelineScript script({"ada", "bo"});
    for (int i = 0; i < 30; ++i)
        script.kills(i % 2, 100 + i * 7.0);
    script.kills(1, 999); // its words do not fit to the right of it
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    const auto& marks = canvas->picture().marks;
    EXPECT_GE(marks.size(), 20u);
    EXPECT_EQ(marks.front().text.toStdString(), "killed ada's session");
    int labelled = 0;
    for (const TimelineMark& mark : marks) {
        if (mark.label.isEmpty())
            continue;
        ++labelled;
        EXPECT_GE(mark.label.left(), canvas->picture().layout.band.left());
        EXPECT_LE(mark.label.right(), canvas->picture().layout.band.right());
        for (const TimelineMark& other : marks)
            if (&other != &mark) {
                EXPECT_FALSE(other.label.intersects(mark.label));
            }
    }
    EXPECT_GE(labelled, 2);
    EXPECT_LT(labelled, static_cast<int>(marks.size()));
}

// "Disconnect ada Gracefully" is marked when it is asked for: ada still holds, and releases first.
TEST_F(TimelineMarksTest, AClientThatIsToLeaveIsNotSaidToBeGone)
{
    EXPECT_EQ(commandDoneText("remove_client", "ada").toStdString(), "asked ada to leave");
    EXPECT_EQ(commandDoneText("remove_client", {}).toStdString(), "asked a client to leave");
}

} // namespace
} // namespace lockscope::ui::test
