// The history of a server's files in the window: read beside it, listed, filtered, and opened as a run.
#include "core/trace/trace_file.h"
#include "tests/history/log_writer.h"
#include "tests/support/sample_run.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/chain_layout.h"
#include "ui/charts/charts_view.h"
#include "ui/locks/duration_chart.h"
#include "ui/locks/history_dock.h"
#include "ui/locks/history_panel.h"
#include "ui/locks/locks_model.h"
#include "ui/models/run/run_model.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"
#include "ui/texts/history_text.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace lockscope::ui {
namespace {

namespace fs = std::filesystem;
using history::LockSummary;
using ::testing::ElementsAre;
using tests::kA;
using tests::kB;
using tests::LogWriter;

constexpr int kLimitMs = 20'000; // ms, until a state that must come

LockSummary lockOf(const char* path, std::uint64_t released, std::int64_t waitMs = 0)
{
    LockSummary lock;
    lock.path = path;
    lock.ends.released = released;
    lock.longestWaitMs = waitMs;
    return lock;
}

std::vector<std::string> shownPaths(const LocksModel& model)
{
    std::vector<std::string> paths;
    for (int row = 0; row < model.rowCount(); ++row)
        paths.push_back(model.lock(row).path);
    return paths;
}

TEST(LocksModel, SortsNumbersAsNumbers)
{
    LocksModel model;
    model.assign({lockOf("/a", 9, 1'000), lockOf("/b", 10, 999), lockOf("/c", 100, 60'000)});
    model.sort(LocksModel::LongestWait, Qt::AscendingOrder);
    EXPECT_THAT(shownPaths(model), ElementsAre("/b", "/a", "/c"));
    model.sort(LocksModel::Acquisitions, Qt::AscendingOrder);
    EXPECT_THAT(shownPaths(model), ElementsAre("/a", "/b", "/c"));
}

TEST(LocksModel, APathFromOutsideIsPlainText)
{
    LocksModel model;
    model.assign({lockOf(("/<b>\n" + std::string(1'000'000, 'x')).c_str(), 1)});
    const QString shown = model.index(0, LocksModel::Path).data().toString();
    EXPECT_LT(shown.size(), 300);
    EXPECT_FALSE(shown.contains('\n'));
    EXPECT_FALSE(model.index(0, LocksModel::Path).data(Qt::ToolTipRole).toString().contains("<b>"));
}

struct HistoryWindowTest : testing::Test
{
    HistoryWindowTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        log.at(0)
            .open(kA)
            .queue(kA, "/prod/a/lock-0000000000", "10.0.0.7")
            .at(5)
            .queue(kB, "/prod/a/lock-0000000001", "10.0.0.9");
        log.at(25).expire(kA).at(40).remove(kB, "/prod/a/lock-0000000001");
        log.at(50)
            .queue(kA, "/prod/b/lock-0000000000")
            .at(60)
            .queue(kA, "/test/lock-0000000000")
            .at(70)
            .remove(kA, "/test/lock-0000000000");
        write();
    }
    void write() { log.writeTo(data.path()); }
    void open(const QStringList& paths = {})
    {
        window->openFiles(paths.isEmpty() ? QStringList{QString::fromStdString(data.path().string())}
                                          : paths);
    }
    bool listed(int locks)
    {
        return QTest::qWaitFor([&] { return table()->model()->rowCount() == locks; }, kLimitMs);
    }
    void choose(const QStringList& paths)
    {
        table()->clearSelection();
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (paths.contains(table()->model()->index(row, 0).data().toString()))
                table()->selectionModel()->select(table()->model()->index(row, 0),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    bool shows(std::size_t locks)
    {
        return QTest::qWaitFor(
            [&] {
                return window->model().hasRun() && !window->model().opening() &&
                       window->model().state().locks.size() == locks;
            },
            kLimitMs);
    }
    QTableView* table() { return window->findChild<QTableView*>("historyLocks"); }
    QPushButton* button(const char* name) { return window->findChild<QPushButton*>(name); }
    QString text(const char* name) { return window->findChild<QLabel*>(name)->text(); }

    tests::TempFolder data;
    LogWriter log;
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(HistoryWindowTest, ListsTheLocksAndOpensOne)
{
    EXPECT_FALSE(window->history().isVisible());
    window->resize(1680, 1050);
    open();
    ASSERT_TRUE(listed(3));
    EXPECT_TRUE(window->history().isVisible());
    ASSERT_TRUE(QTest::qWaitFor([this] { return button("historyOpen")->isEnabled(); }, kLimitMs));
    EXPECT_EQ(window->history().panel()->selectedLocks(), std::vector<std::string>{"/prod/a"})
        << "it opens on the longest wait";
    EXPECT_FALSE(window->model().hasRun());
    EXPECT_TRUE(text("historyFacts").contains("0x1"));
    EXPECT_TRUE(text("historyFacts").contains("UTC"));
    EXPECT_EQ(text("historyCaution"), serverViewOnlyText());
    EXPECT_EQ(table()->horizontalScrollBar()->maximum(), 0)
        << "the whole list is in sight until a lock is chosen";
    const int wide = window->history().width();
    choose({"/prod/a"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(shows(1));
    EXPECT_LT(window->history().width(), wide) << "then the views need the room";
    const RunModel& run = window->model();
    EXPECT_EQ(run.state().clients.size(), 2u);
    EXPECT_EQ(run.state().clients[1].acquired, 1u);
    EXPECT_EQ(run.timeline().laneCount(), 2u);
    EXPECT_FALSE(run.canGrow());
    EXPECT_TRUE(window->findChild<QAction*>("wallClock")->isChecked())
        << "a history is looked up by the time of day";
    EXPECT_TRUE(window->windowTitle().contains("/prod/a"));
    window->close();
    EXPECT_FALSE(settings.value("wallClock").toBool()) << "of this run alone";
}

TEST_F(HistoryWindowTest, TheWallClockThatTheUserChoosesStays)
{
    QAction* clock = window->findChild<QAction*>("wallClock");
    const auto openLock = [&](const char* path, std::size_t locks) {
        window->openHistory(QString::fromStdString(data.path().string()), path);
        return shows(locks);
    };
    ASSERT_TRUE(openLock("/prod/a", 1));
    ASSERT_TRUE(clock->isChecked());
    window->control().showTrace("run.jsonl", {tests::sampleRun(), {}});
    EXPECT_FALSE(clock->isChecked()) << "of the history alone";
    ASSERT_TRUE(openLock("/prod", 2));
    ASSERT_TRUE(clock->isChecked());
    clock->trigger();
    clock->trigger();
    window->control().showTrace("run.jsonl", {tests::sampleRun(), {}});
    EXPECT_TRUE(clock->isChecked());
    window->close();
    EXPECT_TRUE(settings.value("wallClock").toBool());
}

// Of all locks while none is shown, then of the shown ones.
TEST_F(HistoryWindowTest, ChartsAndFindingsOutOfTheLog)
{
    open();
    ASSERT_TRUE(listed(3));
    auto *holds = window->findChild<DurationChart*>("historyHolds"),
         *waits = window->findChild<DurationChart*>("historyWaits");
    ASSERT_TRUE(QTest::qWaitFor([&] { return holds->isVisible() && waits->isVisible(); }, kLimitMs));
    const auto longest = [](const DurationChart* chart) {
        return chart->captions().value(0).section(' ', -2);
    };
    EXPECT_EQ(longest(holds), millisecondsText(25));
    EXPECT_EQ(longest(waits), millisecondsText(20));
    choose({"/test"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return longest(holds) == millisecondsText(10); }, kLimitMs));
    EXPECT_EQ(longest(waits), millisecondsText(0));
    auto* charts = window->findChild<ChartsView*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return charts->shown() == ChartKind::queueLength; }, kLimitMs))
        << "and no empty one";
    charts->showChart(ChartKind::requests);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !charts->panel(ChartKind::requests).showsChart(); }, kLimitMs))
        << "not known";
    auto* findings = window->findChild<QListWidget*>("historyFindings");
    ASSERT_EQ(findings->count(), static_cast<int>(history::kRules));
    const auto finding = [&](history::Rule rule) { return findings->item(static_cast<int>(rule))->text(); };
    EXPECT_TRUE(finding(history::Rule::noOrphanNode).startsWith(u'\u2713'));
    EXPECT_TRUE(finding(history::Rule::beliefMatchesServer).startsWith(u'\u2013')) << "no log tells";
    choose({"/prod/a"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return finding(history::Rule::noOrphanNode).startsWith(u'\u2717'); }, kLimitMs))
        << "its holder's session expired";
    EXPECT_TRUE(finding(history::Rule::noOrphanNode).contains("lock-0000000000"));
    window->findChild<QTabBar*>("historyTabs")->setCurrentIndex(1);
    EXPECT_TRUE(findings->isVisible());
}

TEST_F(HistoryWindowTest, SeveralLocksAndAFolderOfThem)
{
    open();
    ASSERT_TRUE(listed(3));
    choose({"/prod/a", "/test"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(shows(2));
    choose({"/prod/b"});
    QTest::mouseClick(button("historyOpenFolder"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return window->model().state().locks.size() == 2 &&
                   window->model().state().locks[1].path == "/prod/b";
        },
        kLimitMs));
}

TEST_F(HistoryWindowTest, NamesOutOfAFile)
{
    open();
    ASSERT_TRUE(listed(3));
    choose({"/prod/a"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(shows(1));
    EXPECT_EQ(window->model().state().clients[0].name, "10.0.0.7");
    tests::writeBytes(data / "names", "10.0.0.7 settlement\n");
    window->history().loadNames(QString::fromStdString(data / "names"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return shows(1) && window->model().state().clients[0].name == "settlement"; }, kLimitMs));
    tests::writeBytes(data / "names", "10.0.0.7\n");
    window->history().loadNames(QString::fromStdString(data / "names"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return window->messages().shownTexts().join('\n').contains("names:1"); }, kLimitMs));
}

TEST_F(HistoryWindowTest, FilterAndEnter)
{
    open();
    ASSERT_TRUE(listed(3));
    auto* filter = window->findChild<QLineEdit*>("historyFilter");
    QTest::keyClicks(filter, "test");
    EXPECT_EQ(table()->model()->rowCount(), 1);
    table()->setFocus();
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Return);
    ASSERT_TRUE(shows(1));
    EXPECT_EQ(window->model().state().locks[0].path, "/test");
}

TEST_F(HistoryWindowTest, FollowsALogThatGrows)
{
    open();
    ASSERT_TRUE(listed(3));
    choose({"/test"});
    QTest::mouseClick(window->findChild<QCheckBox*>("historyFollow"), Qt::LeftButton, {}, QPoint(8, 8));
    ASSERT_TRUE(window->history().follows());
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->model().canGrow(); }, kLimitMs));
    const std::size_t written = log.size();
    log.at(90).queue(kB, "/test/lock-0000000001", "10.0.0.9").at(95).queue(kB, "/new/lock-0000000000");
    std::ofstream(data / "log.1", std::ios::binary | std::ios::app) << log.bytes().substr(written);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->model().state().clients.size() == 2; }, kLimitMs))
        << "in the run";
    EXPECT_TRUE(listed(4)) << "in the list";
    QTest::mouseClick(window->findChild<QCheckBox*>("historyFollow"), Qt::LeftButton, {}, QPoint(8, 8));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window->model().canGrow(); }, kLimitMs));
    QTest::mouseClick(window->findChild<QCheckBox*>("historyFollow"), Qt::LeftButton, {}, QPoint(8, 8));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->model().canGrow(); }, kLimitMs));
    open({QString::fromStdString(data / "log.77")});
    EXPECT_FALSE(window->model().canGrow()) << "it is no longer followed";
}

TEST_F(HistoryWindowTest, DamageAndGapsAreSaid)
{
    const std::string whole = log.bytes();
    tests::writeBytes(data / "log.1", whole.substr(0, whole.size() - 3));
    open();
    ASSERT_TRUE(listed(3));
    auto* trouble = window->findChild<QListWidget*>("historyProblems");
    ASSERT_EQ(trouble->count(), 1);
    EXPECT_TRUE(trouble->isVisible());
    EXPECT_TRUE(trouble->item(0)->text().contains("log.1"));
}

TEST_F(HistoryWindowTest, TheEndOfAFollowedLogIsSaid)
{
    open();
    ASSERT_TRUE(listed(3));
    QTest::mouseClick(window->findChild<QCheckBox*>("historyFollow"), Qt::LeftButton, {}, QPoint(8, 8));
    choose({"/test"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->model().canGrow(); }, kLimitMs));
    const std::size_t written = log.size();
    log.at(90).queue(kB, "/new/lock-0000000000");
    std::ofstream(data / "log.1", std::ios::binary | std::ios::app) << log.bytes().substr(written);
    ASSERT_TRUE(listed(4)) << "it is followed";
    fs::resize_file(data / "log.1", 100);
    auto* trouble = window->findChild<QListWidget*>("historyProblems");
    ASSERT_TRUE(QTest::qWaitFor([&] { return trouble->count() == 1; }, kLimitMs));
    EXPECT_TRUE(trouble->item(0)->text().contains("log.1"));
    EXPECT_FALSE(window->history().follows());
    EXPECT_FALSE(window->findChild<QCheckBox*>("historyFollow")->isChecked());
    EXPECT_FALSE(button("historyStop")->isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window->model().canGrow(); }, kLimitMs));
    EXPECT_EQ(window->model().state().locks.at(0).path, "/test");
}

TEST_F(HistoryWindowTest, WhatCannotBeReadIsSaid)
{
    open({QString::fromStdString(data / "log.77")});
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->messages().shownTexts().join('\n').contains("log.77"); },
                                kLimitMs));
    EXPECT_FALSE(button("historyStop")->isVisible());
}

// A saved history opens without the log and has no real session ids.
TEST_F(HistoryWindowTest, IsSavedWithPseudonyms)
{
    open();
    ASSERT_TRUE(listed(3));
    choose({"/prod/a"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(shows(1));
    const QString path = folder.filePath("night.jsonl");
    window->control().saveTrace(path);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return QFile::exists(path) && trace::loadTrace(path.toStdString()).has_value(); }, kLimitMs));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_FALSE(file.readAll().contains("100000000000001"));
}

TEST_F(HistoryWindowTest, AnotherHistoryTakesTheFirstOnesPlace)
{
    tests::TempFolder other;
    LogWriter second;
    for (int i = 0; i < 50'000; ++i)
        second.at(i).set(kA, "/config", std::string(200, 'x'));
    second.queue(kA, "/other/lock-0000000000");
    second.writeTo(other.path());
    open({QString::fromStdString(other.path().string())});
    open();
    EXPECT_TRUE(listed(3)) << "what was still being read is left";
    EXPECT_FALSE(text("historyFacts").contains("50,00"));
}

// lockscope --shot of a history: the list of locks, or the lock that is chosen.
TEST_F(HistoryWindowTest, PicturesOfAHistory)
{
    const auto run = [&](QStringList arguments) {
        QProcess program;
        arguments << QString::fromStdString(data.path().string());
        program.start(QStringLiteral(LOCKSCOPE_PROGRAM),
                      QStringList{"--size", "900x600", "--shot", folder.filePath("a.png")} + arguments);
        EXPECT_TRUE(program.waitForFinished(60'000));
        return std::pair(program.exitCode(), QString::fromUtf8(program.readAllStandardError()));
    };
    const auto picture = [&] {
        const QImage image(folder.filePath("a.png"));
        EXPECT_EQ(image.size(), QSize(900, 600));
        return image;
    };
    ASSERT_EQ(run({}).first, 0);
    const QImage list = picture();
    ASSERT_EQ(run({"--lock", "/prod/a"}).first, 0);
    const QImage lock = picture();
    EXPECT_NE(list, lock);
    ASSERT_EQ(run({"--lock", "/prod/a", "--view", "timeline"}).first, 0);
    EXPECT_NE(picture(), lock);
    const auto none = run({"--lock", "/none"});
    EXPECT_EQ(none.first, 2);
    EXPECT_TRUE(none.second.contains("/none"));
    EXPECT_EQ(run({"--view", "timeline"}).first, 2) << "of which lock?";
}

TEST_F(HistoryWindowTest, AHistoryThatIsGoneIsNotFollowed)
{
    open();
    ASSERT_TRUE(listed(3));
    auto* follow = window->findChild<QCheckBox*>("historyFollow");
    QTest::mouseClick(follow, Qt::LeftButton, {}, QPoint(8, 8));
    choose({"/test"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->model().canGrow(); }, kLimitMs));
    fs::remove(data / "log.1");
    choose({"/prod/a"});
    QTest::mouseClick(button("historyOpen"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->messages().shownTexts().isEmpty(); }, kLimitMs));
    EXPECT_FALSE(follow->isChecked());
    EXPECT_FALSE(window->history().follows());
    EXPECT_FALSE(button("historyStop")->isVisible());
    EXPECT_FALSE(window->model().canGrow());
}

} // namespace
} // namespace lockscope::ui
