// The search of the timeline, typed and walked through with keys.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/widgets/log_filter_edit.h"

#include <QAction>

namespace lockscope::ui::test {
namespace {

struct TimelineSearchTest : TimelineFixture
{
    TimelineSearchBar* bar = view.searchBar();

    void search(const QString& text)
    {
        view.findChild<QAction*>("timeline.find")->trigger();
        bar->edit()->clear();
        QTest::keyClicks(bar->edit(), text);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !view.search()->searching(); }));
    }
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(bar->edit(), static_cast<Qt::Key>(key), modifiers);
    }
};

TEST_F(TimelineSearchTest, CountsAllMatchesWhereverTheCursorIs)
{
    open(twoClients());
    run.seekTime(TraceTime::zero());
    search("client:bo op:acquired");
    EXPECT_EQ(view.search()->count(), 1u) << "names are known before the cursor gets there";
    EXPECT_TRUE(bar->resultText().startsWith("1 event")) << bar->resultText().toStdString();
    search("kind:request");
    EXPECT_EQ(view.search()->count(), 3u);
}

TEST_F(TimelineSearchTest, EnterAndShiftEnterGoThroughTheMatchesAndAround)
{
    open(twoClients());
    showRange(0ms, 150ms);
    search("op:acquired");
    ASSERT_EQ(view.search()->count(), 2u);
    key(Qt::Key_Return);
    EXPECT_EQ(selection.selectedEvent(), view.search()->match(0));
    EXPECT_EQ(selection.client(), ClientId{0});
    EXPECT_EQ(run.position(), view.search()->match(0).value + 1) << "the cursor goes along";
    EXPECT_EQ(bar->resultText(), "1 of 2");
    key(Qt::Key_Return);
    EXPECT_EQ(selection.selectedEvent(), view.search()->match(1));
    EXPECT_GE(window.end(), TraceTime(200ms)) << "the match is in view";
    key(Qt::Key_Return);
    EXPECT_EQ(selection.selectedEvent(), view.search()->match(0)) << "after the last one comes the first";
    EXPECT_EQ(bar->resultText(), "1 of 2, wrapped around");
    key(Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(selection.selectedEvent(), view.search()->match(1));
    EXPECT_EQ(bar->resultText(), "2 of 2, wrapped around");
    key(Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(bar->resultText(), "1 of 2") << "said of one step only";
    const QImage marked = drawn();
    bar->close();
    EXPECT_NE(drawn(), marked) << "the ring around the match is gone";
    EXPECT_FALSE(view.search()->active());
}

TEST_F(TimelineSearchTest, TheLastEventOfARunThatGoesOnIsNotFollowed)
{
    open(twoClients());
    run.setGrowing(true);
    run.seekTime(TraceTime::zero());
    search("later");
    ASSERT_EQ(view.search()->count(), 1u);
    key(Qt::Key_Return);
    EXPECT_EQ(selection.selectedEvent().value + 1, run.store()->count());
    EXPECT_EQ(run.position(), run.store()->count());
    EXPECT_FALSE(run.following());
}

TEST_F(TimelineSearchTest, SaysWhenThereIsNoneAndWhenItCannotBeUnderstood)
{
    open(twoClients());
    const std::size_t position = run.position();
    search("op:acquired client:nobody");
    EXPECT_EQ(bar->resultText(), "no event matches");
    key(Qt::Key_Return);
    EXPECT_EQ(run.position(), position);
    search("kind:nonsense");
    EXPECT_TRUE(bar->resultText().startsWith("Character 6")) << bar->resultText().toStdString();
    EXPECT_FALSE(view.search()->active());
    key(Qt::Key_Escape);
    EXPECT_TRUE(bar->isHidden());
    EXPECT_TRUE(canvas->hasFocus() || view.focusProxy() == canvas);
}

// Back from the end of the run was "wrapped around".
TEST_F(TimelineSearchTest, GoesBackFromTheEndOfARunThatIsFollowed)
{
    open(twoClients());
    ASSERT_TRUE(run.following());
    search("op:acquired");
    key(Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(selection.selectedEvent(), view.search()->match(1));
    EXPECT_EQ(bar->resultText(), "2 of 2");
}

} // namespace
} // namespace lockscope::ui::test
