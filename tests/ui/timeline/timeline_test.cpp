// What the timeline shows: bars where the run was, marks, texts, and a cost bounded by the pixels.
#include "tests/ui/timeline/timeline_test_fixture.h"

#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <QHelpEvent>
#include <QToolTip>

namespace lockscope::ui::test {
namespace {

using Timeline = TimelineFixture;
using replay::SpanKind;

TEST_F(Timeline, HoldsAreThickAndGreenWaitsThinAndAmber)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const QImage image = drawn();
    const Palette& palette = theme.palette();
    EXPECT_EQ(image.pixelColor(at(0, 110)), palette.holds);
    EXPECT_EQ(image.pixelColor(at(1, 250)), palette.holds);
    EXPECT_EQ(image.pixelColor(at(1, 150)), palette.waitsSoft);
    EXPECT_EQ(image.pixelColor(at(0, 340)), palette.card);
    const int above = canvas->picture().layout.holdHeight() / 2 - 2;
    EXPECT_EQ(image.pixelColor(at(0, 110) - QPoint(0, above)), palette.holds);
    EXPECT_NE(image.pixelColor(at(1, 150) - QPoint(0, above)), palette.waitsSoft);
}

TEST_F(Timeline, StaleBeliefIsHatchedRedWithItsReasonBeside)
{
    TimelineScript script({"eli"});
    script.acquires(0, 100);
    script.sessionGone(0, 150);
    script.noticesLoss(0, 268);
    script.nothing(1000);
    open(script);
    showRange(0ms, 900ms);
    ASSERT_EQ(canvas->picture().overlays.size(), 1u);
    const TimelineBar stale = canvas->picture().overlays.front();
    ASSERT_EQ(stale.span.kind, SpanKind::stale);
    const QImage image = drawn();
    const QRect inside = stale.rect.adjusted(3, 3, -3, -3);
    const int all = inside.width() * inside.height();
    const int hatch = count(image, inside, theme.palette().stale);
    const int ground = count(image, inside, theme.palette().staleSoft);
    EXPECT_GT(hatch, all / 20);
    EXPECT_GT(ground, all / 4);
    EXPECT_EQ(count(image, inside, theme.palette().holds), 0);
    EXPECT_EQ(image.pixelColor(at(0, 120)), theme.palette().holds) << "before the session went it did hold";
    ASSERT_EQ(canvas->picture().notes.size(), 1u);
    EXPECT_EQ(canvas->picture().notes.front().text.toStdString(),
              "session expired · still believed it held for 118 ms");
    EXPECT_GT(canvas->picture().notes.front().rect.left(), stale.rect.right());
}

TEST_F(Timeline, FrozenLiesOverTheWaitAndSaysSo)
{
    TimelineScript script({"dee", "ada"});
    script.waits(0, 100);
    script.freezes(0, 300);
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    ASSERT_EQ(canvas->picture().overlays.size(), 1u);
    EXPECT_EQ(canvas->picture().overlays.front().span.kind, SpanKind::frozen);
    ASSERT_EQ(canvas->picture().notes.size(), 1u);
    EXPECT_EQ(canvas->picture().notes.front().text.toStdString(), "frozen");
    EXPECT_FALSE(canvas->picture().barsOf(ClientId{0}).empty()) << "the wait is still there beneath";
}

TEST_F(Timeline, TheShortestWaitIsStillSeen)
{
    TimelineScript script({"ada"});
    script.waits(0, 500);
    script.acquires(0, 500.002);
    script.releases(0, 500.004);
    script.nothing(60'000);
    open(script);
    showRange(400ms, 600ms);
    bool waits = false;
    bool holds = false;
    for (const TimelineBar& bar : canvas->picture().bars) {
        if (bar.span.kind == SpanKind::releasing)
            continue; // the hold before it is seen
        EXPECT_GE(bar.rect.width(), 3);
        waits = waits || bar.span.kind == SpanKind::waiting;
        holds = holds || bar.span.kind == SpanKind::holding;
    }
    EXPECT_TRUE(holds);
    const QImage image = drawn();
    const QRect around(at(0, 500) - QPoint(6, 12), QSize(13, 25));
    EXPECT_GT(count(image, around, theme.palette().holds), 0);
    if (waits) {
        EXPECT_GT(count(image, around, theme.palette().waitsSoft), 0);
    }
    window.showAll();
    EXPECT_FALSE(canvas->picture().bars.empty());
}

TEST_F(Timeline, StopsWhereTheCursorGoesAndFollowsAgainWithIt)
{
    TimelineScript script = twoClients();
    script.nothing(9000);
    run.openTrace(script.trace());
    run.setGrowing(true);
    ASSERT_TRUE(window.following());
    run.stepEvents(-1);
    EXPECT_FALSE(window.following()) << "the last event is in sight: nothing had to be moved";
    run.stepEvents(-1);
    run.stepEvents(-1);
    const auto inSight = [&] {
        return run.cursorTime() >= window.begin() && run.cursorTime() <= window.end();
    };
    EXPECT_TRUE(inSight());
    const TraceTime begin = window.begin();
    window.setTraceEnd(20s);
    EXPECT_EQ(window.begin(), begin);
    EXPECT_TRUE(inSight());
    run.follow();
    EXPECT_TRUE(window.following());
}

TEST_F(Timeline, GoesBackToTheTailThatAZoomHasLeft)
{
    open(twoClients());
    wheel(at(0, 100), {0, 240}, Qt::ControlModifier);
    ASSERT_FALSE(window.following());
    run.follow(); // as the button does: the cursor was at the end all the time
    EXPECT_TRUE(window.following());
}

TEST_F(Timeline, TheTipOfABarIsExactHoweverFarOut)
{
    TimelineScript script = twoClients();
    script.nothing(100'000);
    open(script);
    window.showAll();
    const TimelineBar bar = canvas->picture().bars.front();
    const QString tip = canvas->tipAt(bar.rect.center());
    EXPECT_TRUE(tip.contains("0.100 000 to 0.200 000") || tip.contains("0.099 000 to 0.100 000"))
        << tip.toStdString();
    EXPECT_TRUE(tip.startsWith("ada: ")) << tip.toStdString();
}

TEST_F(Timeline, NamesFromOutsideAreShownAsTheyAre)
{
    TimelineScript script({"<b>bold</b>"});
    script.acquires(0, 100);
    script.nothing(1000);
    open(script);
    showRange(0ms, 1000ms);
    const QPoint where = at(0, 500);
    QHelpEvent help(QEvent::ToolTip, where, canvas->mapToGlobal(where));
    QApplication::sendEvent(canvas, &help);
    EXPECT_TRUE(QToolTip::text().contains("&lt;b&gt;bold")) << QToolTip::text().toStdString();
    QToolTip::hideText();
}

TEST_F(Timeline, ALaneSelectedElsewhereIsHighlightedAndScrolledTo)
{
    TimelineScript script = TimelineScript::ofClients(300);
    script.nothing(1000);
    open(script);
    selection.selectClient(ClientId{250});
    EXPECT_GT(canvas->scroll(), 0);
    const QRect lane = canvas->picture().layout.laneRect(250);
    EXPECT_TRUE(canvas->picture().layout.plot.contains(lane.center()));
    EXPECT_EQ(drawn().pixelColor(lane.right() - 3, lane.center().y()), theme.palette().selection);
    selection.clear();
    EXPECT_EQ(drawn().pixelColor(lane.right() - 3, lane.center().y()), theme.palette().card);
}

TEST_F(Timeline, ANarrowCaptionGivesUpTheAdviceBeforeTheFigures)
{
    open(twoClients());
    EXPECT_TRUE(view.caption().section(kVariantSeparator, 0, 0).contains("drag"));
    const QString narrow = view.caption().section(kVariantSeparator, -1);
    EXPECT_TRUE(narrow.contains("p50 0.3") && !narrow.contains("drag")) << view.caption().toStdString();
}

} // namespace
} // namespace lockscope::ui::test
