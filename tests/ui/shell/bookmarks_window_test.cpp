// Bookmarks of the window: kept beside the trace, taken along by a run that is saved, never lost to another
// file.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/models/run/bookmarks_file.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct BookmarksWindowTest : WindowTest
{
    BookmarksWindowTest() { reopen(); }
    void reopen() { window = shownWindow(); }
    QString saved(const char* name, std::int64_t wall = 1)
    {
        const QString path = folder.filePath(name);
        const auto source = tests::sampleRun({});
        trace::Header header = source->header();
        header.wallNanoseconds = wall;
        trace::TraceStore store(header);
        for (std::size_t i = 0; i < source->count(); ++i)
            store.append(source->at(i));
        EXPECT_TRUE(trace::saveTrace(path.toStdString(), store, store.count()).has_value());
        return path;
    }
    void open(const QString& path)
    {
        const trace::TraceStore* before = window->model().store();
        window->control().openPath(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return window->model().store() != before; }, 20'000));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }
    void save(const QString& path)
    {
        window->control().saveTrace(path);
        ASSERT_TRUE(QTest::qWaitFor([this] { return messages().contains("Saved"); }, 20'000))
            << messages().toStdString();
    }
    // With the keys a person would press.
    void bookmark(TraceTime at, const QString& text)
    {
        window->model().seekTime(at);
        action("addBookmark")->trigger();
        auto* edit = window->findChild<QLineEdit*>("noteEdit");
        ASSERT_TRUE(edit && edit->isVisible());
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    std::size_t flags()
    {
        TimelineCanvas* canvas = window->findChild<TimelineView*>()->canvas();
        canvas->grab();
        return canvas->picture().flags.size();
    }
    static QByteArray content(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void put(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void press(const QString& text)
    {
        for (auto* button : window->messages().findChildren<QPushButton*>())
            if (button->text() == text)
                return button->click();
        FAIL() << "no button " << text.toStdString();
    }
};

TEST_F(BookmarksWindowTest, AreThereAgainWhenTheTraceIsOpenedAgain)
{
    const QString path = saved("run.jsonl");
    const QByteArray trace = content(path);
    open(path);
    bookmark(20ms, "first");
    bookmark(40ms, "second");
    EXPECT_EQ(content(path), trace) << "the trace stays as every version reads it";
    reopen();
    open(path);
    action("toStart")->trigger();
    action("nextBookmark")->trigger();
    EXPECT_EQ(window->model().cursorTime(), TraceTime(20ms));
    action("nextBookmark")->trigger();
    EXPECT_EQ(window->model().cursorTime(), TraceTime(40ms));
    action("previousBookmark")->trigger();
    EXPECT_EQ(window->model().cursorTime(), TraceTime(20ms));
}

TEST_F(BookmarksWindowTest, ATraceWithoutNotesOpensAsBefore)
{
    open(saved("old.jsonl"));
    EXPECT_EQ(messages(), "");
    EXPECT_FALSE(QFile::exists(folder.filePath("old.jsonl.notes"))) << "nothing is written unasked";
}

TEST_F(BookmarksWindowTest, ARunThatIsSavedTakesThemAlong)
{
    open(saved("run.jsonl"));
    bookmark(20ms, "goes along");
    const QString copy = folder.filePath("copy.jsonl");
    save(copy);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(copy + ".notes"); }));
    bookmark(30ms, "after it was saved");
    const auto read = readBookmarks(copy + ".notes");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->notes.size(), 2u);
    EXPECT_EQ(read->notes[1].text, "after it was saved");
}

TEST_F(BookmarksWindowTest, EachRunHasItsOwn)
{
    const QString one = saved("one.jsonl");
    const QString two = saved("two.jsonl", 2);
    open(one);
    bookmark(20ms, "of one");
    open(two);
    EXPECT_FALSE(QFile::exists(two + ".notes"));
    bookmark(25ms, "of two");
    open(one);
    action("toStart")->trigger();
    action("nextBookmark")->trigger();
    EXPECT_EQ(window->model().cursorTime(), TraceTime(20ms));
}

TEST_F(BookmarksWindowTest, ABrokenFileIsExplainedWithItsPlaceAndReplacedOnlyWhenAsked)
{
    const QString path = saved("run.jsonl");
    const QByteArray broken = "{\"schema\":\"lockscope-notes\",\n\"version\":1, oops}";
    put(path + ".notes", broken);
    open(path);
    EXPECT_TRUE(messages().contains("run.jsonl.notes:2:")) << messages().toStdString();
    bookmark(20ms, "mine");
    EXPECT_EQ(content(path + ".notes"), broken);
    press("Replace");
    const auto read = readBookmarks(path + ".notes");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->notes, (std::vector<Bookmark>{{20ms, "mine"}}));
    bookmark(30ms, "and on");
    EXPECT_EQ(readBookmarks(path + ".notes")->notes.size(), 2u);
}

TEST_F(BookmarksWindowTest, NotesOfAnotherRunAreNotShownAndNotReplaced)
{
    const QString path = saved("run.jsonl", 7);
    put(path + ".notes", formatBookmarks({RunIdentity{8, 8}, {{10ms, "foreign"}}}));
    const QByteArray before = content(path + ".notes");
    open(path);
    EXPECT_TRUE(messages().contains("another run")) << messages().toStdString();
    EXPECT_EQ(flags(), 0u);
    bookmark(20ms, "mine");
    EXPECT_EQ(content(path + ".notes"), before);
}

TEST_F(BookmarksWindowTest, WhatCannotBeWrittenIsSaidAndStays)
{
    const QString path = saved("run.jsonl");
    open(path);
    // A folder of this name: nothing can take its place, for root neither.
    ASSERT_TRUE(QDir(folder.path()).mkpath("run.jsonl.notes/in"));
    bookmark(20ms, "stays");
    EXPECT_TRUE(messages().contains("cannot be written")) << messages().toStdString();
    action("toStart")->trigger();
    action("nextBookmark")->trigger();
    EXPECT_EQ(window->model().cursorTime(), TraceTime(20ms));
}

TEST_F(BookmarksWindowTest, StepsThroughTheSelectedClientsEvents)
{
    open(saved("run.jsonl"));
    action("toStart")->trigger();
    action("clientForward")->trigger();
    EXPECT_TRUE(messages().contains("Select a client first"));
    window->findChild<TimelineView*>()->canvas()->setFocus();
    QTest::keyClick(window->findChild<TimelineView*>()->canvas(), Qt::Key_Down); // the first lane
    const trace::TraceStore& store = *window->model().store();
    for (int i = 0; i < 5; ++i) {
        const std::size_t before = window->model().position();
        action("clientForward")->trigger();
        const std::size_t after = window->model().position();
        ASSERT_GT(after, before);
        EXPECT_EQ(store.at(after - 1).client, ClientId{0});
        for (std::size_t event = before; event + 1 < after; ++event)
            EXPECT_NE(store.at(event).client, ClientId{0}) << "none is left out";
    }
    const std::size_t there = window->model().position();
    action("clientForward")->trigger();
    action("clientBack")->trigger();
    EXPECT_EQ(window->model().position(), there);
}

} // namespace
} // namespace lockscope::ui
