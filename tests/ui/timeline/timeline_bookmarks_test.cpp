// Bookmarks in the timeline: written in place, shown as flags, listed beside the lanes.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/timeline/bookmark_list.h"

#include <QLineEdit>
#include <QStyleOptionFrame>
#include <QTreeWidget>

namespace lockscope::ui::test {
namespace {

struct TimelineNotesTest : TimelineFixture
{
    QLineEdit* editor() { return canvas->findChild<QLineEdit*>("noteEdit"); }
    QTreeWidget* list() { return view.bookmarkList()->list(); }
};

TEST_F(TimelineNotesTest, ANoteIsWrittenInPlaceAtTheCursor)
{
    open(twoClients());
    showRange(0ms, 400ms);
    run.seekTime(150ms);
    view.addBookmark();
    ASSERT_TRUE(editor() && editor()->isVisible());
    EXPECT_NEAR(editor()->x(), at(0, 150).x(), 2);
    QTest::keyClicks(editor(), "here it waits");
    run.seekTime(300ms); // it belongs to the moment at which it was asked for
    QTest::keyClick(editor(), Qt::Key_Return);
    EXPECT_FALSE(editor()->isVisible());
    EXPECT_EQ(notes.all(), (std::vector<Bookmark>{{150ms, "here it waits"}}));
    ASSERT_EQ(canvas->picture().flags.size(), 1u);
    EXPECT_NEAR(canvas->picture().flags.front().x, at(0, 150).x(), 1);
    EXPECT_EQ(window.length(), Duration(400ms)) << "Enter went to the note and not to the timeline";
    view.addBookmark();
    QTest::keyClicks(editor(), "b"); // a shortcut of the window elsewhere
    QTest::keyClick(editor(), Qt::Key_Escape);
    EXPECT_EQ(notes.all().size(), 1u) << "Escape keeps nothing";
    EXPECT_FALSE(editor()->isVisible());
}

TEST_F(TimelineNotesTest, AClickElsewhereKeepsTheNote)
{
    open(twoClients());
    showRange(0ms, 400ms);
    run.seekTime(150ms);
    view.activateWindow();
    view.addBookmark();
    ASSERT_TRUE(QTest::qWaitFor([this] { return editor()->hasFocus(); }));
    QTest::keyClicks(editor(), "important");
    canvas->setFocus(Qt::MouseFocusReason); // as a click gives it
    EXPECT_FALSE(editor()->isVisible());
    EXPECT_EQ(notes.all(), (std::vector<Bookmark>{{150ms, "important"}}));
    run.seekTime(250ms);
    view.addBookmark();
    ASSERT_TRUE(QTest::qWaitFor([this] { return editor()->hasFocus(); }));
    canvas->setFocus(Qt::MouseFocusReason);
    EXPECT_EQ(notes.all().size(), 1U) << "nothing was written";
}

// Its note became a bookmark of the next run.
TEST_F(TimelineNotesTest, ANoteIsNotWrittenIntoAnotherRun)
{
    open(twoClients());
    view.addBookmark();
    ASSERT_TRUE(editor() && editor()->isVisible());
    open(twoClients());
    EXPECT_FALSE(editor()->isVisible());
}

TEST_F(TimelineNotesTest, AFlagIsClickedToJumpAndTheOverviewShowsIt)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const QImage strip = drawn().copy(canvas->picture().layout.overview);
    notes.add(200ms, "handed on");
    EXPECT_NE(drawn().copy(canvas->picture().layout.overview), strip);
    const TimelineFlag flag = canvas->picture().flags.front();
    EXPECT_EQ(canvas->tipAt(flag.rect.center()), "Bookmark at 0.200 000 s\nhanded on");
    click(flag.rect.center());
    EXPECT_EQ(run.cursorTime(), TraceTime(200ms));
    QTest::mouseDClick(canvas, Qt::LeftButton, Qt::NoModifier, flag.rect.center());
    ASSERT_TRUE(editor() && editor()->isVisible());
    EXPECT_EQ(editor()->text(), "handed on");
}

TEST_F(TimelineNotesTest, TheListJumpsRenamesAndRemoves)
{
    open(twoClients());
    notes.set({{100ms, "a"}, {200ms, "<b>bold</b>"}});
    view.setStyleSheet(theme.styleSheet()); // as in the window
    view.showBookmarks(true);
    ASSERT_EQ(list()->topLevelItemCount(), 2);
    EXPECT_EQ(list()->topLevelItem(1)->text(1), "<b>bold</b>");
    list()->setCurrentItem(list()->topLevelItem(1));
    QTest::keyClick(list(), Qt::Key_Return);
    EXPECT_EQ(run.cursorTime(), TraceTime(200ms));
    QTest::keyClick(list(), Qt::Key_F2);
    auto* edit = list()->findChild<QLineEdit*>();
    ASSERT_TRUE(edit);
    QStyleOptionFrame option;
    option.initFrom(edit);
    option.lineWidth = edit->style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, edit);
    const QRect contents = edit->style()->subElementRect(QStyle::SE_LineEditContents, &option, edit);
    EXPECT_GE(contents.height(), edit->fontMetrics().height()) << "the letters are whole";
    edit->selectAll();
    QTest::keyClicks(edit, "renamed");
    QTest::keyClick(edit, Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return notes.all()[1].text == "renamed"; }));
    list()->setCurrentItem(list()->topLevelItem(0));
    QTest::keyClick(list(), Qt::Key_Delete);
    EXPECT_EQ(notes.all(), (std::vector<Bookmark>{{200ms, "renamed"}}));
    QTest::keyClick(list(), Qt::Key_Escape);
    EXPECT_FALSE(view.bookmarkList()->isVisible());
}

} // namespace
} // namespace lockscope::ui::test
