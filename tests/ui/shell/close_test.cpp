// Closing the window with bookmarks that are in no file: it asks once, and the answer closes it.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/shell/window/close_question.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct CloseTest : MainWindowTest
{
    // A run that was read from a server's own log has no trace file for its bookmarks.
    void showRunWithBookmark()
    {
        window->control().showHistory(
            tests::sampleRun(), [] { return QStringLiteral("log"); }, false);
        ASSERT_TRUE(waitFor([this] { return window->model().hasRun() && !window->model().opening(); }));
        action("addBookmark")->trigger();
        auto* edit = window->findChild<QLineEdit*>("noteEdit");
        ASSERT_NE(edit, nullptr);
        QTest::keyClicks(edit, "important");
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QMessageBox* question() { return window->findChild<QMessageBox*>("closeQuestion"); }
    QPushButton* button(QMessageBox::ButtonRole role)
    {
        for (QAbstractButton* each : question()->buttons())
            if (question()->buttonRole(each) == role)
                return qobject_cast<QPushButton*>(each);
        return nullptr;
    }
};

TEST_F(CloseTest, ARunWithAFileIsNotAskedAbout)
{
    open(saved("run.jsonl"));
    window->close();
    EXPECT_FALSE(window->isVisible());
}

TEST_F(CloseTest, CancelKeepsTheWindowAndDiscardClosesIt)
{
    ASSERT_NO_FATAL_FAILURE(showRunWithBookmark());
    window->close();
    ASSERT_TRUE(window->isVisible());
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(question()->informativeText().contains("1 bookmark"))
        << question()->informativeText().toStdString();
    button(QMessageBox::RejectRole)->click();
    EXPECT_TRUE(waitFor([this] { return question() == nullptr; }));
    EXPECT_TRUE(window->isVisible());
    window->close();
    ASSERT_NE(question(), nullptr);
    button(QMessageBox::DestructiveRole)->click();
    EXPECT_TRUE(waitFor([this] { return !window->isVisible(); }));
    EXPECT_TRUE(action("asksToSave")->isChecked());
}

TEST_F(CloseTest, SaveWritesTheRunWithItsBookmarksAndCloses)
{
    ASSERT_NO_FATAL_FAILURE(showRunWithBookmark());
    window->close();
    ASSERT_NE(question(), nullptr);
    button(QMessageBox::AcceptRole)->click();
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) != nullptr; }));
    const QString path = folder.filePath("kept.jsonl");
    emit dialog->fileSelected(path);
    dialog->close();
    EXPECT_TRUE(waitFor([this] { return !window->isVisible(); })) << messages().toStdString();
    EXPECT_TRUE(QFile::exists(path));
    EXPECT_TRUE(QFile::exists(path + ".notes"));
}

TEST_F(CloseTest, DiscardingWithoutBeingAskedIsChosenAndUndone)
{
    ASSERT_NO_FATAL_FAILURE(showRunWithBookmark());
    window->close();
    ASSERT_NE(question(), nullptr);
    question()->checkBox()->setChecked(true);
    button(QMessageBox::DestructiveRole)->click();
    ASSERT_TRUE(waitFor([this] { return !window->isVisible(); }));
    MainWindow::Setup setup;
    setup.settings = &settings;
    window = shownWindow(setup);
    EXPECT_FALSE(action("asksToSave")->isChecked());
    ASSERT_NO_FATAL_FAILURE(showRunWithBookmark());
    action("asksToSave")->trigger();
    window->close();
    EXPECT_TRUE(window->isVisible()) << "it asks again";
}

} // namespace
} // namespace lockscope::ui
