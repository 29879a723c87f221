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

TEST_F(TimelineMarksTest, TheCursorsLabelLeavesTheMenuOfTheLanes)
{
    TimelineScript script({"ada"});
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    run.seekTime(TraceTime(2ms));
    const TimelineLayout& layout = canvas->picture().layout;
    const QRect menu(0, layout.band.top(), layout.plot.left() - 2, layout.band.height());
    const QRect beside(layout.plot.left(), layout.band.top(), 30, layout.band.height());
    EXPECT_GT(count(drawn(), beside, theme.palette().primary), 0);
    EXPECT_EQ(count(drawn(), menu, theme.palette().primary), 0);
}

TEST_F(TimelineMarksTest, TheWordsOfAMarkGiveWayToTheCursor)
{
    TimelineScript script({"ada", "bo"});
    script.kills(0, 500);
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    const TimelinePicture& picture = canvas->picture();
    ASSERT_EQ(picture.marks.size(), 1u);
    const TimelineMark& mark = picture.marks[0];
    const auto pillAt = [&](int x) {
        return QRect(x, picture.layout.band.top(), 80, picture.layout.band.height());
    };
    EXPECT_EQ(markLabel(picture, 0, pillAt(mark.x - 200)), mark.label);
    const QRect pill = pillAt(mark.x + 30);
    const QRect moved = markLabel(picture, 0, pill);
    EXPECT_FALSE(moved.intersects(pill));
    EXPECT_LT(moved.right(), mark.x) << "whole, on the other side";
    EXPECT_EQ(moved.width(), mark.label.width());
    showRange(490ms, 1000ms); // there it has no room before it
    ASSERT_EQ(canvas->picture().marks.size(), 1u);
    const TimelineMark& edge = canvas->picture().marks[0];
    const QRect cut = markLabel(canvas->picture(), 0, pillAt(edge.x + 90));
    EXPECT_GT(cut.width(), 50);
    EXPECT_LT(cut.right(), edge.x + 90);
    EXPECT_TRUE(markLabel(canvas->picture(), 0, pillAt(edge.x - 20)).isEmpty()) << "beneath it";
}

TEST_F(TimelineMarksTest, TheWordsOfAMarkThatIsScrolledOutOfSightStayWithinIt)
{
    TimelineScript script({"ada", "bo"});
    script.kills(0, 100);
    script.nothing(1000);
    open(script);
    showRange(0ms, 400ms);
    const auto& marks = canvas->picture().marks;
    ASSERT_EQ(marks.size(), 1u);
    const int whole = marks[0].label.width();
    int shortened = 0;
    for (Duration begin = 100ms; begin < 260ms; begin += 2ms) {
        showRange(begin, begin + 400ms);
        const QRect band = canvas->picture().layout.band;
        for (const TimelineMark& mark : marks) {
            if (mark.label.isEmpty())
                continue;
            EXPECT_GE(mark.label.left() - 10, band.left()) << "with its flash";
            EXPECT_GE(mark.label.width(), 50) << "less says nothing";
            shortened += mark.label.width() < whole ? 1 : 0;
        }
    }
    EXPECT_GT(shortened, 2);
    EXPECT_TRUE(marks.empty()) << "far behind it, nothing is left";
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

TEST_F(TimelineMarksTest, TheLineOfAWaitDoesNotStrikeItsLabelThrough)
{
    run.openTrace(tests::traceScript("1ms ada holds n1; 2ms bo waits n2 n1; 100ms bo suspended; "
                                     "300ms bo connected; 400ms ada release n1"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !canvas->isReadingHolders(); }, 60'000));
    showRange(0ms, 400ms);
    const auto& labels = canvas->picture().notes;
    const auto label = std::find_if(labels.begin(), labels.end(), [](const TimelineOverlayLabel& one) {
        return one.kind == replay::SpanKind::suspended;
    });
    ASSERT_NE(label, labels.end());
    const QImage image = drawn();
    const QColor line = image.pixelColor(at(1, 50));
    EXPECT_NE(line, theme.palette().card);
    EXPECT_EQ(count(image, label->rect, line), 0);
}

} // namespace
} // namespace lockscope::ui::test
