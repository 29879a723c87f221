// The window on a real ZooKeeper under a person's hands: mouse, wheel and keys, while five clients go on
// taking the lock.
#include "tests/integration/window_live_limit.h"
#include "tests/ui/endless_run.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/algorithm_view.h"
#include "ui/commands/command_list.h"
#include "ui/commands/command_palette.h"
#include "ui/models/log_model.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/log_view.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/log_filter_edit.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct WindowHandsTest : testing::Test
{
    WindowHandsTest()
    {
        MainWindow::Setup setup;
        setup.language = &language;
        window = shownWindow(setup, QSize(1680, 1050));
        window->activateWindow();
        window->control().startScenario(endlessRun("hands", 5, {2ms, 8ms}, {1ms, 5ms}), "hands");
    }
    void SetUp() override
    {
        ASSERT_TRUE(waitFor([&] { return state().statistics.handoffs >= 12; }))
            << window->messages().shownTexts().join('\n').toStdString();
    }

    const replay::RunState& state() { return window->model().state(); }
    static bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kLimit); }
    TimelineView& timeline() { return *window->findChild<TimelineView*>(); }
    TimelineCanvas& canvas() { return *timeline().canvas(); }
    double shownNs() { return canvas().picture().scale.nsPerPixel; }
    void focusTimeline()
    {
        canvas().setFocus();
        ASSERT_TRUE(waitFor([&] { return canvas().hasFocus(); }));
    }
    // To a moment that is over, and is in sight.
    void clickRuler()
    {
        const TimelinePicture& shown = canvas().picture();
        const TraceTime past =
            (shown.scale.begin() + std::min(shown.scale.end(), window->model().endTime())) / 2;
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier,
                          {shown.scale.pixelAt(past), shown.layout.axis.center().y()});
    }
    void wheel(int notches)
    {
        const QPointF at = canvas().picture().layout.plot.center();
        QWheelEvent event(at, canvas().mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas(), &event);
    }
    // From the list of commands, typed and picked.
    void command(const char* typed, const char* name)
    {
        window->activateWindow(); // the dialog before was
        ASSERT_TRUE(waitFor([&] { return window->isActiveWindow(); }));
        QTest::keyClick(window->windowHandle(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = window->findChild<CommandPalette*>();
        ASSERT_TRUE(palette && waitFor([&] { return palette->isVisible(); }));
        QTest::keyClicks(palette->input(), typed);
        const QListView* view = palette->findChild<QListView*>();
        const auto picked = [&] {
            const CommandEntry* entry = palette->list().entry(view->currentIndex().row());
            return entry && entry->action && entry->action->objectName() == name;
        };
        for (int row = 0; row < palette->list().rowCount() && !picked(); ++row)
            QTest::keyClick(palette->input(), Qt::Key_Down);
        ASSERT_TRUE(picked()) << name << " is not among what " << typed << " finds";
        QTest::keyClick(palette->input(), Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return !window->findChild<CommandPalette*>(); }));
    }
    // Into the dialog that asks for it.
    void giveFile(const QString& path)
    {
        QFileDialog* dialog = nullptr;
        ASSERT_TRUE(
            waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) && dialog->isVisible(); }));
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        ASSERT_TRUE(name);
        name->selectAll();
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return !window->findChild<QFileDialog*>(); }));
        ASSERT_TRUE(waitFor([&] { return QFile::exists(path); }));
    }
    QString pathOf(const char* name) { return folder.filePath(name); }
    static QByteArray content(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    Language language{"en"};
    QTemporaryDir folder;
    std::unique_ptr<MainWindow> window;
};

TEST_F(WindowHandsTest, PlusAndMinusZoomTheTimelineThatHasTheKeyboardAndTheWheelDoesToo)
{
    focusTimeline();
    const double before = shownNs();
    QTest::keyClick(&canvas(), Qt::Key_Plus);
    const double nearer = shownNs();
    EXPECT_NEAR(nearer, before / kTimelineZoomStep, before * 0.02);
    QTest::keyClick(&canvas(), Qt::Key_Minus);
    EXPECT_NEAR(shownNs(), before, before * 0.02);
    wheel(1);
    EXPECT_LT(shownNs(), before * 0.95);
    wheel(-1);
    EXPECT_NEAR(shownNs(), before, before * 0.02);
}

TEST_F(WindowHandsTest, AClickOnALanesNameSelectsItsClientEverywhere)
{
    const TimelineLayout& layout = canvas().picture().layout;
    const ClientId client = canvas().rows().shown().at(1);
    const QPoint name(layout.labels.center().x(), layout.laneRect(1).center().y());
    QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, name);
    const auto* clients = window->findChild<ClientsView*>();
    ASSERT_TRUE(waitFor([&] { return clients->currentIndex().isValid(); }));
    EXPECT_EQ(clients->currentIndex().row(), static_cast<int>(client.value));
    const std::string_view said = state().client(client)->name;
    const auto* algorithm = window->findChild<AlgorithmView*>();
    EXPECT_TRUE(waitFor([&] {
        return algorithm->caption().contains(
            QString::fromUtf8(said.data(), static_cast<qsizetype>(said.size())));
    })) << algorithm->caption().toStdString();
}

TEST_F(WindowHandsTest, AClickOnABarSelectsItsClientLiveAndAtAMomentThatIsOver)
{
    const auto* clients = window->findChild<ClientsView*>();
    for (const bool past : {false, true}) {
        ASSERT_FALSE(canvas().picture().bars.empty());
        const int someHold = canvas().picture().bars.back().rect.center().x();
        if (past) // to a moment when there are clients
            QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier,
                              {someHold, canvas().picture().layout.axis.center().y()});
        const TimelinePicture& shown = canvas().picture();
        const int selected = clients->currentIndex().isValid() ? clients->currentIndex().row() : -1;
        // A hold: an arrow that crosses a wait is in front of it.
        const auto fits = [&](const TimelineBar& bar) {
            return bar.span.kind == replay::SpanKind::holding && shown.layout.plot.contains(bar.rect) &&
                   static_cast<int>(bar.lane.value) != selected;
        };
        const auto wider = [&](const TimelineBar& a, const TimelineBar& b) {
            return fits(a) != fits(b) ? fits(b) : a.rect.width() < b.rect.width();
        };
        const TimelineBar bar = *std::max_element(shown.bars.begin(), shown.bars.end(), wider);
        ASSERT_TRUE(fits(bar));
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, bar.rect.center());
        EXPECT_TRUE(waitFor([&] {
            return clients->currentIndex().isValid() &&
                   clients->currentIndex().row() == static_cast<int>(bar.lane.value);
        })) << "past "
            << past << ", row " << clients->currentIndex().row() << " of " << clients->model()->rowCount()
            << " and not " << bar.lane.value << ", at " << window->model().cursorTime().count() << " of "
            << window->model().endTime().count() << ", bar " << bar.rect.left() << " + " << bar.rect.width()
            << " from " << bar.span.begin.count();
    }
}

TEST_F(WindowHandsTest, AClickOnTheRulerTravelsToItsMomentAndTheRunGoesOn)
{
    ASSERT_TRUE(window->model().following());
    clickRuler();
    EXPECT_FALSE(window->model().following()) << "the window stands at the moment that was clicked";
    const TraceTime there = window->model().cursorTime();
    const std::uint64_t drained = window->model().drained();
    ASSERT_TRUE(waitFor([&] { return window->model().drained() > drained + 20; }))
        << "the run goes on meanwhile";
    EXPECT_EQ(window->model().cursorTime(), there);
    EXPECT_LT(there, window->model().endTime());
    // What all views tell is the state of that moment.
    EXPECT_LE(state().now, there);
    focusTimeline();
    QTest::keyClick(&canvas(), Qt::Key_F);
    EXPECT_TRUE(waitFor([&] { return window->model().following(); })) << "F follows again";
}

TEST_F(WindowHandsTest, TheLogIsFilteredAsItIsTyped)
{
    auto* log = window->findChild<LogView*>();
    auto* model = log->findChild<LogModel*>();
    window->model().seekTime(window->model().endTime());
    auto* edit = log->findChild<LogFilterEdit*>();
    ASSERT_NE(edit, nullptr);
    ASSERT_TRUE(waitFor([&] { return model->rowCount() > 20; }));
    const int all = model->rowCount();
    edit->setFocus();
    QTest::keyClicks(edit, "op:delete");
    QTest::keyClick(edit, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return model->rowCount() > 0 && model->rowCount() < all / 2; }))
        << model->rowCount();
    for (int row = 0; row < model->rowCount(); ++row) {
        QString line;
        for (int column = 0; column < model->columnCount(); ++column)
            line += model->index(row, column).data().toString() + u' ';
        EXPECT_TRUE(line.contains("delete")) << line.toStdString();
    }
}

TEST_F(WindowHandsTest, TheLanguageChangesWhileTheRunGoesOnAndBack)
{
    DockCard* clients = window->docks().card("clients");
    EXPECT_EQ(clients->windowTitle(), "Clients");
    const std::uint64_t before = state().statistics.acquired;
    command("language", "language.zh_CN");
    ASSERT_TRUE(waitFor([&] { return clients->windowTitle() == QStringLiteral("客户端"); }));
    EXPECT_TRUE(waitFor([&] { return state().statistics.acquired > before; }));
    command("English", "language.en");
    ASSERT_TRUE(waitFor([&] { return clients->windowTitle() == QLatin1String("Clients"); }));
}

TEST_F(WindowHandsTest, ABookmarkWithItsNoteAndASearchFindTheirMomentsAgain)
{
    focusTimeline();
    clickRuler();
    const TraceTime marked = window->model().cursorTime();
    QTest::keyClick(&canvas(), Qt::Key_B);
    auto* note = window->findChild<QLineEdit*>("noteEdit");
    ASSERT_TRUE(note && waitFor([&] { return note->isVisible(); }));
    QTest::keyClicks(note, "look here");
    QTest::keyClick(note, Qt::Key_Return);
    canvas().grab();
    ASSERT_EQ(canvas().picture().flags.size(), 1U);
    window->model().seekTime(TraceTime{});
    QTest::keyClick(&canvas(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(window->model().cursorTime(), marked);

    window->model().seekTime(TraceTime{});
    focusTimeline();
    QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
    TimelineSearchBar* bar = timeline().searchBar();
    ASSERT_TRUE(waitFor([&] { return bar->isVisible(); }));
    QTest::keyClicks(bar->edit(), "op:delete");
    QTest::keyClick(bar->edit(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return window->model().cursorTime() > TraceTime{}; }))
        << bar->resultText().toStdString();
    const TraceTime first = window->model().cursorTime();
    QTest::keyClick(bar->edit(), Qt::Key_F3);
    EXPECT_TRUE(waitFor([&] { return window->model().cursorTime() > first; })) << "F3 goes to the next";
}

TEST_F(WindowHandsTest, PicturesAndNumbersOfARunThatGoesOnAreWritten)
{
    command("picture of timeline", "picture.timeline");
    giveFile(pathOf("timeline.png"));
    const QImage picture(pathOf("timeline.png"));
    EXPECT_EQ(picture.width(), qRound(window->docks().card("timeline")->width() * ExportController::kScale));
    bool drawn = false; // a hold's colour is somewhere
    for (int y = 0; y < picture.height() && !drawn; y += 4)
        for (int x = 0; x < picture.width() && !drawn; x += 4)
            drawn = picture.pixelColor(x, y) == window->theme().palette().holds;
    EXPECT_TRUE(drawn);

    command("picture of watch chain", "picture.chain");
    giveFile(pathOf("chain.svg"));
    const QByteArray svg = content(pathOf("chain.svg"));
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(svg.contains("Watch chain"));

    command("data latency", "numbers.latency");
    giveFile(pathOf("latency.csv"));
    const QList<QByteArray> lines = content(pathOf("latency.csv")).trimmed().split('\n');
    ASSERT_GT(lines.size(), 2);
    for (const QByteArray& line : lines)
        EXPECT_EQ(line.count(','), lines.front().count(',')) << line.toStdString();
    EXPECT_TRUE(state().findings.of(replay::FindingKind::oneHolder).ok());
}

} // namespace
} // namespace lockscope::ui
