// What was done to the run and to its server, in the timeline: marks with their words, and how these give
// way.
#include "core/replay/fold/reducer.h"
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/models/style/palette.h"
#include "ui/texts/command_text.h"
#include "ui/timeline/overview_strip.h"

#include <QPainter>

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

// A holder that was frozen for too long goes on: whether the resource takes its work is seen, even where the
// thaw is at the same place.
TEST_F(TimelineMarksTest, LateWorkIsMarkedAsRefusedOrAsAccepted)
{
    const auto marksOf = [this](trace::ResourceAction action, bool isLate) {
        TimelineScript script({"ada", "bo"});
        script.acquires(0, 100);
        script.uses(0, 100, trace::ResourceAction::entered, 1);
        script.freezes(0, 200);
        if (isLate) {
            script.sessionGone(0, 400);
            script.acquires(1, 410);
            script.uses(1, 410, trace::ResourceAction::entered, 2);
            script.thaws(0, 600);
            script.noticesLoss(0, 600.2);
        }
        script.uses(0, 600.3, action, 1);
        script.nothing(1000);
        open(script);
        QStringList texts;
        for (const Duration length : {Duration(1000ms), Duration(2ms)}) {
            showRange(600300us - length / 2, 600300us + length / 2);
            for (const TimelineMark& mark : canvas->picture().marks)
                if (!mark.label.isEmpty() && mark.mark.isOfResource())
                    texts << mark.text;
        }
        return texts.join(u'|').toStdString();
    };
    EXPECT_EQ(marksOf(trace::ResourceAction::refused, true),
              "ada refused by the resource|ada refused by the resource");
    EXPECT_EQ(marksOf(trace::ResourceAction::left, true),
              "ada used the resource late: not refused|ada used the resource late: not refused");
    EXPECT_EQ(marksOf(trace::ResourceAction::left, false), "") << "it holds: its work is not late";
}

// A hold seemed to last for as long as a reader had stopped the run.
TEST_F(TimelineMarksTest, APauseOfTheRunIsShownAndExplained)
{
    TimelineScript script({"ada", "bo"});
    script.acquires(0, 100);
    script.pauses(300);
    script.resumes(700);
    script.releases(0, 800);
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    const TimelinePicture& picture = canvas->picture();
    ASSERT_EQ(picture.pauses.size(), 1U);
    const QRect ground = picture.pauses[0].ground;
    EXPECT_NEAR(ground.left(), picture.scale.pixelAt(TraceTime(300ms)), 1);
    EXPECT_NEAR(ground.right(), picture.scale.pixelAt(TraceTime(700ms)), 1);
    EXPECT_TRUE(ground.top() <= picture.layout.laneCentre(0) &&
                picture.layout.laneCentre(1) <= ground.bottom());
    EXPECT_FALSE(picture.pauses[0].label.isEmpty());
    const QImage image = drawn();
    const QRect hold = picture.bars.front().rect;
    EXPECT_EQ(count(image, hold & ground, theme.palette().holds), 0) << "not as a hold";
    EXPECT_GT(count(image, hold, theme.palette().holds), 0);
    const std::string told = "The run was paused for 400 ms: that time is neither waiting nor holding.";
    EXPECT_EQ(canvas->tipAt(at(1, 500)).toStdString(), told);
    EXPECT_TRUE(canvas->tipAt({at(1, 500).x() * 1.0, picture.layout.axis.center().y() * 1.0})
                    .startsWith(QString::fromStdString(told)));
    EXPECT_NE(canvas->tipAt(at(1, 200)).toStdString(), told);
    ASSERT_TRUE(picture.legend);
    EXPECT_EQ(picture.legend->pauses.size(), 1U);
    showRange(710ms, 1000ms);
    EXPECT_TRUE(canvas->picture().pauses.empty() && canvas->picture().legend->pauses.empty());
}

// Without an event, a hold ended seconds before the present that the cards showed.
TEST_F(TimelineMarksTest, AHoldLastsUntilNowWhereTheWindowStandsStill)
{
    TimelineScript script({"ada", "bo"});
    script.acquires(0, 100);
    trace::Header header;
    header.monotonicNanoseconds = (monotonicNow() - 200ms).time_since_epoch().count();
    run.openTrace(script.trace(header));
    run.setGrowing(true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return run.isLive() && !run.opening(); }, 60'000));
    window.show(TraceTime::zero(), TraceTime(20s));
    canvas->picture();
    const TraceTime opened = run.endTime();
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.endTime() >= opened + 500ms; }, 60'000));
    const TimelinePicture& picture = canvas->picture();
    EXPECT_NEAR(picture.bars.front().rect.right(), picture.scale.pixelAt(run.endTime()), 6);
}

// Of a lock that is stuck the strip was empty.
TEST(OverviewStrip, WhatLastsGoesOnAfterTheLastEvent)
{
    TimelineScript script({"ada", "bo"});
    script.acquires(0, 100);
    script.waits(1, 200);
    const auto store = script.trace();
    replay::RunState state;
    replay::Timeline timeline;
    for (std::size_t i = 0; i < store->count(); ++i)
        timeline.apply(*store, i, state, replay::apply(state, *store, i));
    OverviewStrip strip;
    strip.update(timeline, {}, 10s, 500);
    QImage page(500, 20, QImage::Format_RGB32);
    QPainter painter(&page);
    const Palette palette = Palette::light();
    strip.draw(painter, palette, page.rect(), {}, {});
    for (int x = 101; x < 500; x += 5) {
        ASSERT_EQ(page.pixelColor(x, 14), palette.holdsSoft) << x;
        ASSERT_EQ(page.pixelColor(x, 7), palette.waitsSoft) << x;
    }
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
