// Files in the window: what is opened, dropped and saved, and what is said of those that are broken.
#include "core/trace/trace_file.h"
#include "core/trace/trace_merger.h"
#include "tests/support/split_run.h"
#include "tests/ui/endless_run.h"
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/models/style/format.h"
#include "ui/shell/dialogs/merge_dialog.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/texts/empty_state.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/welcome/welcome_page.h"

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

TEST_F(MainWindowTest, ShowsATraceThatIsOpened)
{
    open(saved("run.jsonl"));
    EXPECT_GT(window->model().state().statistics.acquired, 0U);
    EXPECT_TRUE(window->windowTitle().contains("run.jsonl"));
    EXPECT_FALSE(window->model().isLive());
    EXPECT_FALSE(action("fault.killHolder")->isEnabled()) << "nothing can be done to the past";
    EXPECT_TRUE(action("fault.killHolder")->toolTip().contains("no live run"));
}

TEST_F(MainWindowTest, AFileDialogOpensInAFolderThatExists)
{
    open(saved("run.jsonl"));
    const QString kept = QDir(folder.path()).canonicalPath(), gone = kept + "/gone/deeper/here";
    ASSERT_TRUE(QDir().mkpath(gone));
    const auto dialogOf = [this](const char* name) {
        action(name)->trigger();
        return window->findChild<QFileDialog*>();
    };
    for (const char* name : {"saveTrace", "savePicture"}) {
        QFileDialog* first = dialogOf(name);
        ASSERT_NE(first, nullptr) << name;
        const QString file = gone + '/' + name;
        emit first->fileSelected(file);
        delete first;
    }
    ASSERT_TRUE(QDir(kept + "/gone").removeRecursively());
    for (const char* name : {"saveTrace", "savePicture"}) {
        const QFileDialog* again = dialogOf(name);
        ASSERT_NE(again, nullptr) << name;
        EXPECT_EQ(QDir(again->directory().path()).canonicalPath(), kept) << name;
        delete again;
    }
}

TEST_F(MainWindowTest, ABrokenTraceIsExplainedAndTheRunShownStays)
{
    open(saved("run.jsonl"));
    const auto* before = window->model().store();
    QByteArray content;
    {
        QFile good(folder.filePath("run.jsonl"));
        ASSERT_TRUE(good.open(QIODevice::ReadOnly));
        content = good.readAll();
    }
    const auto third = content.indexOf('\n', content.indexOf('\n') + 1) + 1;
    content.insert(third, "{\"t\":\"soon\"}\n");
    window->control().openPath(written("broken.jsonl", content));
    EXPECT_TRUE(waitForMessage("broken.jsonl:3")) << window->messages().shownTexts().join('\n').toStdString();
    EXPECT_EQ(window->model().store(), before);
    EXPECT_TRUE(window->windowTitle().contains("run.jsonl"));
}

TEST_F(MainWindowTest, WithNothingOpenAFileThatCannotBeReadLeadsToTheWelcomePage)
{
    for (const char* name : {"broken.jsonl", "broken.toml", "broken.png"}) {
        action("welcome")->setChecked(false);
        window->control().openPath(written(name, "\n{]\n"));
        EXPECT_TRUE(waitForMessage(name));
        EXPECT_TRUE(QTest::qWaitFor([this] { return action("welcome")->isChecked(); }, 20'000)) << name;
    }
    action("welcome")->setChecked(false);
    EXPECT_FALSE(window->findChild<QPushButton*>("whatIfButton")->isEnabled());
    EXPECT_FALSE(window->findChild<QPushButton*>("runButton")->isEnabled());
    EXPECT_EQ(emptyStateText(window->model()).toStdString(),
              "Nothing is open: start a scenario, open a trace, or choose a lock from a history.");
    for (const char* name : {"broken.jsonl", "broken.toml", "broken.png"}) {
        open(saved("run.jsonl"));
        window->control().openPath(folder.filePath(name));
        EXPECT_TRUE(waitForMessage(name));
        EXPECT_FALSE(action("welcome")->isChecked()) << "what was open stays";
    }
}

TEST_F(MainWindowTest, AFileOfTheWelcomePageThatCannotBeReadLeavesItThere)
{
    open(saved("run.jsonl"));
    action("welcome")->setChecked(true);
    emit window->scenarioController().welcome()->fileChosen(written("broken.jsonl", "{]\n"));
    EXPECT_TRUE(waitForMessage("broken.jsonl"));
    EXPECT_TRUE(action("welcome")->isChecked());
    emit window->scenarioController().welcome()->fileChosen(folder.filePath("run.jsonl"));
    EXPECT_TRUE(QTest::qWaitFor([this] { return !action("welcome")->isChecked(); }, 20'000));
}

// The trace of a run that has joined locks there.
std::shared_ptr<trace::TraceStore> joined(const char* server)
{
    sim::Scenario scenario = endlessRun("joined", 2, {});
    scenario.connect = server;
    scenario.locks = {"/locks/one", "/locks/two"};
    trace::Header header;
    header.scenario = scenario.name;
    header.scenarioToml = sim::toToml(scenario);
    auto store = std::make_shared<trace::TraceStore>(std::move(header));
    store->append({{},
                   EventIndex::none(),
                   ClientId::none(),
                   LockId::none(),
                   trace::RunPhaseChanged{trace::RunPhase::running, {}}});
    return store;
}

TEST_F(MainWindowTest, WhatIsJoinedIsWhatWasAskedAbout)
{
    window->control().showTrace("one.jsonl", {joined("127.0.0.1:1"), {}});
    action("runAgain")->trigger();
    const auto* question = window->findChild<QMessageBox*>("attachQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains("127.0.0.1:1")) << question->text().toStdString();
    EXPECT_TRUE(question->text().contains("/locks/one, /locks/two")) << question->text().toStdString();
    window->control().showTrace("two.jsonl", {joined("127.0.0.1:2"), {}}); // it took long to be read
    for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    EXPECT_EQ(window->model().engine(), nullptr) << "this one has not been confirmed";
    EXPECT_TRUE(messages().contains("Another run is shown")) << messages().toStdString();
}

TEST_F(MainWindowTest, ACutOffTraceOpensAndSaysUpToWhere)
{
    const QString path = saved("run.jsonl");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(file.resize(file.size() - 9));
    file.close();
    open(path);
    EXPECT_EQ(window->messages().shownTexts().size(), 1);
    EXPECT_GT(window->model().position(), 10U);
}

TEST_F(MainWindowTest, ABrokenScenarioIsExplainedWithItsPlace)
{
    window->control().openPath(written("broken.toml", "clients = \"many\"\n"));
    EXPECT_TRUE(waitForMessage("broken.toml:1:")) << window->messages().shownTexts().join('\n').toStdString();
    EXPECT_FALSE(window->model().hasRun());
}

TEST_F(MainWindowTest, ARunThatCannotStartSaysWhyAndOffersToTryAgain)
{
    MainWindow::Setup setup;
    setup.colourScheme = Theme::ColourScheme::light;
    setup.runs.connect = "127.0.0.1:1"; // no server listens there
    window = std::make_unique<MainWindow>(setup);
    window->show();
    window->control().startBuiltIn("five-clients");
    EXPECT_TRUE(waitForMessage("127.0.0.1:1")) << window->messages().shownTexts().join('\n').toStdString();
    EXPECT_EQ(window->control().stage(), RunController::Stage::ended);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !emptyStateText(window->model()).isEmpty(); }, 20'000));
    EXPECT_EQ(emptyStateText(window->model()).toStdString(),
              "The run could not start: the message says why.");
    EXPECT_FALSE(window->findChild<QPushButton*>("whatIfButton")->isEnabled());
    auto* again = window->findChild<QPushButton*>("messageAction");
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->text().toStdString(), "Try Again");
    EXPECT_TRUE(window->findChild<QPushButton*>("runButton")->isEnabled());
    const auto* before = window->model().store();
    again->click();
    EXPECT_NE(window->model().store(), before) << "it is another run";
    EXPECT_TRUE(waitForMessage("127.0.0.1:1")) << "and it fails again";
}

TEST_F(MainWindowTest, AFileDroppedOnTheWindowIsOpened)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(saved("dropped.jsonl"))});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->model().hasRun(); }, 20'000));
}

// The traces that two machines wrote of one run, with clocks an hour apart.
struct SeveralFilesTest : MainWindowTest
{
    // `lacking`: events at the end of the second one.
    QStringList machines(std::size_t lacking = 0)
    {
        QStringList files;
        for (std::size_t part = 0; part < 2; ++part) {
            const auto store = tests::partOf(*tests::sampleRun(), part, 2, part * std::chrono::hours(1));
            files << folder.filePath(QStringLiteral("host%1.jsonl").arg(part + 1));
            EXPECT_TRUE(trace::saveTrace(files.back().toStdString(), *store,
                                         store->count() - (part == 1 ? lacking : 0)));
        }
        return files;
    }
    bool opened()
    {
        return waitFor([this] { return window->model().hasRun() && !window->model().opening(); });
    }
    TimelineCanvas& timeline() { return *window->findChild<TimelineCanvas*>(); }
};

TEST_F(SeveralFilesTest, AreDroppedAndAreOneRunWithLanesByHostAndUncertainClocks)
{
    QMimeData data;
    const QStringList files = machines();
    data.setUrls({QUrl::fromLocalFile(files[0]), QUrl::fromLocalFile(files[1])});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    ASSERT_TRUE(opened()) << messages().toStdString();
    EXPECT_TRUE(window->windowTitle().contains("host1 + host2")) << window->windowTitle().toStdString();
    ASSERT_EQ(state().clients.size(), 5U);
    EXPECT_TRUE(std::string(state().clients[0].name).starts_with("host1/"));
    EXPECT_EQ(state().statistics.acquired, 50U);
    EXPECT_TRUE(window->control().unsavedRuns([](const auto&) { return false; }).empty())
        << "its files have it";

    const TimelinePicture& picture = timeline().picture();
    ASSERT_EQ(picture.traces.size(), 2U) << "the lanes of a host stand together";
    EXPECT_EQ(picture.traces[0].name, "host1");
    EXPECT_EQ(picture.traces[1].name, "host2");
    EXPECT_EQ(picture.traces[1].strip.bottom(), picture.layout.laneTop(4) + picture.layout.laneHeight - 1);
    EXPECT_FALSE(picture.labels[0].name.contains('/')) << picture.labels[0].name.toStdString();
    EXPECT_TRUE(picture.gaps.empty());
    ASSERT_FALSE(picture.uncertainty.label.isEmpty());
    EXPECT_LT(picture.uncertainty.label.right(), picture.layout.plot.left());
    EXPECT_TRUE(picture.uncertainty.text.startsWith("± ")) << picture.uncertainty.text.toStdString();
    for (const QPoint place : {picture.uncertainty.label.center(),
                               QPoint(picture.layout.plot.center().x(), picture.layout.axis.center().y())}) {
        const QString tip = timeline().tipAt(place);
        EXPECT_TRUE(tip.contains("are in no certain order")) << tip.toStdString();
        EXPECT_TRUE(tip.contains("host2: its clock is shifted by −")) << tip.toStdString();
    }

    // Where it is wide enough to be seen, it is as long as the time in which no order is certain.
    window->timeWindow().show(TraceTime::zero(), std::chrono::milliseconds(2));
    const TimelinePicture& near = timeline().picture();
    ASSERT_FALSE(near.uncertainty.bracket.isEmpty());
    const auto clocks = mergedClocks(*window->model().store());
    EXPECT_NEAR(near.uncertainty.bracket.width(),
                static_cast<double>(clocks.certainAfter.count()) / near.scale.nsPerPixel, 2);
}

TEST_F(SeveralFilesTest, ATraceThatWasMergedBeforeHasLanesByHostAndBothClocksOfAHandoff)
{
    std::vector<trace::TraceMerger::Input> inputs;
    for (const QString& file : machines())
        inputs.push_back({file.toStdString()});
    const auto merger = trace::TraceMerger::create(inputs);
    ASSERT_TRUE(merger) << merger.error().text();
    trace::TraceStore merged((*merger)->header());
    for (auto event = (*merger)->next(); event && *event; event = (*merger)->next())
        merged.append(**event);
    const QString path = folder.filePath("merged.jsonl");
    ASSERT_TRUE(trace::saveTrace(path.toStdString(), merged, merged.count()));
    open(path);
    ASSERT_EQ(state().clients[0].name.find('/'), trace::Text::npos);
    const TimelinePicture& picture = timeline().picture();
    ASSERT_EQ(picture.traces.size(), 2U);
    EXPECT_EQ(picture.traces[0].name, "host1");
    EXPECT_EQ(picture.traces[1].name, "host2");
    const QString lane = timeline().tipAt(picture.labels[0].chosen.center());
    EXPECT_TRUE(lane.contains("host1: its clock is that of the run")) << lane.toStdString();

    const LaneNames& names = timeline().names();
    const TraceTime within = names.clocks().traces[1].within;
    const auto tipOf = [&](bool isAcross) {
        const replay::Timeline& run = window->model().timeline();
        for (std::size_t i = 0; i < run.handoffCount(); ++i) {
            window->timeWindow().show(run.handoff(i).released, std::chrono::milliseconds(4));
            for (const TimelineArrow& arrow : timeline().picture().arrows) {
                const replay::Handoff& handoff = run.handoff(arrow.handoff);
                const QString tip = timeline().tipAt((arrow.from + arrow.to) / 2);
                if ((names.traceOf(handoff.from) != names.traceOf(handoff.to)) == isAcross &&
                    tip.contains("→"))
                    return tip;
            }
        }
        return QString();
    };
    const QString across = tipOf(true), inside = tipOf(false);
    const QString bound = format::duration(within);
    for (const QString& line : {QStringLiteral("clock of host1: that of the run"),
                                "clock of host2: ± " + bound, "length of the handoff: ± " + bound})
        EXPECT_TRUE(across.contains(line)) << line.toStdString() << " in\n" << across.toStdString();
    EXPECT_TRUE(inside.contains("acquired")) << inside.toStdString();
    EXPECT_FALSE(inside.contains("clock of")) << inside.toStdString();
}

TEST_F(SeveralFilesTest, AMissingPieceIsAGapInItsLanes)
{
    action("openSeveral")->trigger();
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->fileMode(), QFileDialog::ExistingFiles);
    emit dialog->filesSelected(machines(150));
    delete dialog;
    auto* merge = window->findChild<MergeDialog*>();
    ASSERT_NE(merge, nullptr);
    QTest::keyClick(merge, Qt::Key_Return);
    ASSERT_TRUE(opened()) << messages().toStdString();
    EXPECT_TRUE(waitForMessage("host2.jsonl ends before its run")) << messages().toStdString();
    window->timeWindow().showAll();
    ASSERT_TRUE(waitFor([this] { return timeline().picture().gaps.size() == 2; }))
        << "of the second host's two clients";
    const TimelinePicture& picture = timeline().picture();
    for (const TimelineGap& gap : picture.gaps) {
        EXPECT_EQ(gap.trace, 1U);
        EXPECT_GT(gap.rect.width(), 20);
        EXPECT_GE(gap.rect.top(), picture.layout.laneTop(3));
    }
    const QString tip = timeline().tipAt(picture.gaps[0].rect.center());
    EXPECT_TRUE(tip.contains("nothing is known of its clients from there on")) << tip.toStdString();
}

TEST_F(SeveralFilesTest, WhatCannotBeMergedIsSaidAndTheRunShownStays)
{
    open(saved("run.jsonl"));
    const auto* before = window->model().store();
    const QStringList files = machines();
    window->openFiles({files[0], files[0]});
    EXPECT_TRUE(waitForMessage("are the same trace")) << messages().toStdString();
    EXPECT_EQ(window->model().store(), before);
    window->openFiles({files[0], written("broken.jsonl", "nonsense\n")});
    EXPECT_TRUE(waitForMessage("broken.jsonl:1")) << messages().toStdString();
    EXPECT_EQ(window->model().store(), before);
}

TEST_F(SeveralFilesTest, TheMenuAsksForServersThatHaveFoldersOfTheirOwn)
{
    action("openSeveral")->trigger();
    auto* files = window->findChild<QFileDialog*>();
    ASSERT_NE(files, nullptr);
    emit files->filesSelected(machines());
    delete files;
    auto* merge = window->findChild<MergeDialog*>();
    ASSERT_NE(merge, nullptr);
    EXPECT_FALSE(window->model().hasRun());
    EXPECT_TRUE(merge->findChild<QLineEdit*>("mergeKey")->isHidden()) << "no log needs it";
    for (const char* server : {"server1", "server2"}) {
        QDir(folder.path()).mkdir(server);
        written((std::string(server) + "/log.1").c_str(), "no log");
        const auto buttons = merge->findChildren<QPushButton*>();
        const auto add = std::ranges::find(buttons, "Folder…", &QPushButton::text);
        ASSERT_NE(add, buttons.end());
        (*add)->click();
        auto* question = merge->findChild<QFileDialog*>();
        ASSERT_NE(question, nullptr);
        EXPECT_EQ(question->fileMode(), QFileDialog::Directory);
        emit question->fileSelected(folder.filePath(server));
        delete question;
    }
    EXPECT_TRUE(merge->findChild<QLabel*>("mergeNote")->text().contains("host1 + host2 + logs"));
    EXPECT_EQ(merge->findChild<QLineEdit*>("mergeLogs")->text(),
              folder.filePath("server1") + ", " + folder.filePath("server2"));
    EXPECT_FALSE(merge->findChild<QLineEdit*>("mergeKey")->isHidden());
    merge->findChild<QLineEdit*>("mergeKey")->setText(written("key", "sixteen bytes or more"));
    QTest::keyClick(merge, Qt::Key_Return);
    EXPECT_TRUE(waitForMessage("log.1")) << "what is wrong with it: " << messages().toStdString();
}

TEST_F(SeveralFilesTest, TheLogsOfServersNeedTheKeyOfTheSessions)
{
    QDir(folder.path()).mkdir("data");
    written("data/log.1", "no log");
    window->openFiles(machines() << folder.filePath("data"));
    auto* dialog = window->findChild<MergeDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->findChild<QLabel*>("mergeNote")->text().contains("host1 + host2 + logs"));
    dialog->findChild<QLineEdit*>("mergeKey")->setText(written("key", "short"));
    QTest::keyClick(dialog, Qt::Key_Return);
    EXPECT_FALSE(dialog->findChild<QLabel*>("mergeFault")->text().isEmpty()) << "16 bytes at least";
    dialog->findChild<QLineEdit*>("mergeKey")->setText(written("key", "sixteen bytes or more"));
    QTest::keyClick(dialog, Qt::Key_Return);
    EXPECT_TRUE(waitForMessage("log.1")) << "what is wrong with it: " << messages().toStdString();
    EXPECT_FALSE(window->model().hasRun());
}

TEST_F(MainWindowTest, SavesTheTraceThatItShows)
{
    open(saved("run.jsonl"));
    const QString copy = folder.filePath("copy.jsonl");
    window->control().saveTrace(copy);
    EXPECT_TRUE(waitForMessage("copy.jsonl"));
    const auto again = trace::loadTrace(copy.toStdString());
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->store->count(), window->model().store()->count());
}

TEST_F(MainWindowTest, RecentFilesAndReloadAreInTheFileMenu)
{
    EXPECT_FALSE(action("reload")->isEnabled());
    EXPECT_FALSE(action("newWindow")->isEnabled()) << "a test has one window";
    open(saved("first.jsonl"));
    ASSERT_TRUE(waitFor([this] { return action("reload")->isEnabled(); }));
    open(saved("second.jsonl"));
    ASSERT_TRUE(waitFor([this] { return window->windowTitle().contains("second.jsonl"); }));
    auto* recent = window->findChild<QMenu*>("recentMenu");
    ASSERT_TRUE(waitFor([recent] { return recent->actions().size() == 2; }));
    EXPECT_EQ(recent->actions().front()->text(), "second.jsonl");
    recent->actions().back()->trigger();
    ASSERT_TRUE(waitFor([this] { return window->windowTitle().contains("first.jsonl"); }));
    const auto shown = window->control().store();
    action("reload")->trigger();
    EXPECT_TRUE(waitFor([&] { return window->control().store() != shown; }));
    EXPECT_TRUE(window->windowTitle().contains("first.jsonl"));
}

TEST_F(MainWindowTest, ATraceThatCannotBeSavedIsAMessage)
{
    open(saved("run.jsonl"));
    window->control().saveTrace(folder.filePath("no/such/folder/copy.jsonl"));
    EXPECT_TRUE(waitForMessage("copy.jsonl"));
    EXPECT_TRUE(window->model().hasRun());
}

} // namespace
} // namespace lockscope::ui
