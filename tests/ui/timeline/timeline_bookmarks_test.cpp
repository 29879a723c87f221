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

TEST_F(TimelineNotesTest, TheHintOfAnEmptyNoteIsWhole)
{
    open(twoClients());
    showRange(0ms, 400ms);
    run.seekTime(150ms);
    view.addBookmark();
    ASSERT_TRUE(editor() && editor()->isVisible());
    const auto room = [this] {
        QStyleOptionFrame option;
        option.initFrom(editor());
        option.lineWidth = editor()->style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, editor());
        return editor()->style()->subElementRect(QStyle::SE_LineEditContents, &option, editor()).width() - 4;
    };
    EXPECT_GE(room(), editor()->fontMetrics().horizontalAdvance(editor()->placeholderText()));
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

TEST_F(TimelineNotesTest, NextAndPreviousGoFromNoteToNote)
{
    open(twoClients());
    notes.set({{300ms, "c"}, {100ms, "a"}, {200ms, "b"}});
    run.seekTime(100ms);
    view.nextBookmark();
    EXPECT_EQ(run.cursorTime(), TraceTime(200ms));
    view.nextBookmark();
    view.nextBookmark();
    EXPECT_EQ(run.cursorTime(), TraceTime(300ms)) << "the last one is the last one";
    view.previousBookmark();
    EXPECT_EQ(run.cursorTime(), TraceTime(200ms));
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

TEST_F(TimelineNotesTest, FlagsThatAreCloseDoNotWriteOverEachOther)
{
    open(twoClients());
    showRange(0ms, 400ms);
    for (int i = 0; i < 40; ++i)
        notes.add(TraceTime(150ms) + i * Duration(2ms), "a long note that has no room " + QString::number(i));
    const auto& flags = canvas->picture().flags;
    ASSERT_GT(flags.size(), 1u);
    for (std::size_t i = 1; i < flags.size(); ++i)
        EXPECT_LT(flags[i - 1].rect.right(), flags[i].x);
}

// The flag of the last moment of a run that is shown whole was not drawn, nor was there room to its right.
TEST_F(TimelineNotesTest, AFlagAtTheRightEdgeHasItsWordsOnTheLeft)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const QRect row = canvas->picture().layout.flags;
    notes.add(TraceTime(100ms), "early");
    notes.add(TraceTime(400ms), "the end");
    const auto& flags = canvas->picture().flags;
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_FALSE(flags[0].isLeft);
    EXPECT_TRUE(flags[1].isLeft);
    EXPECT_EQ(flags[1].text, "the end");
    EXPECT_LE(flags[1].rect.right(), canvas->picture().layout.plot.right());
    EXPECT_GT(flags[1].rect.left(), flags[0].rect.right());
    EXPECT_GT(flags[1].x, row.right() - 3);
}

TEST_F(TimelineNotesTest, TheWordsOfAFlagThatIsScrolledOutOfSightStayWithinIt)
{
    open(twoClients());
    notes.add(TraceTime(150ms), "here it waits");
    const auto& flags = canvas->picture().flags;
    showRange(0ms, 400ms);
    ASSERT_EQ(flags.size(), 1u);
    const int whole = flags[0].rect.width();
    int shortened = 0;
    for (Duration begin = 150ms; begin < 260ms; begin += 2ms) {
        showRange(begin, begin + 400ms);
        const QRect row = canvas->picture().layout.flags;
        for (const TimelineFlag& flag : flags) {
            const QRect words = flag.rect.adjusted(12, 0, 0, 0); // where they are drawn
            EXPECT_GE(words.left(), row.left());
            EXPECT_LE(words.right(), row.right());
            EXPECT_LE(QFontMetrics(theme.fonts().small).horizontalAdvance(flag.text), words.width());
            shortened += flag.rect.width() < whole && flag.text.endsWith(u'…') ? 1 : 0;
        }
    }
    EXPECT_GT(shortened, 2);
    EXPECT_TRUE(flags.empty()) << "far behind it, nothing is left";
}

} // namespace
} // namespace lockscope::ui::test
