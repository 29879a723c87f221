// What a person can read of the window on a small screen, and what the window keeps from one start to the
// next of how its cards lie and what they show.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/charts_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::ui {
namespace {

struct SmallWindowTest : testing::Test
{
    SmallWindowTest() { reopen(); }
    void reopen(QSize size = {1280, 800})
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup, size);
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    }
    void openSample()
    {
        ASSERT_TRUE(window->menuBar()->isVisible());
        const QString path = folder.filePath("run.jsonl");
        const auto store = tests::sampleRun({});
        ASSERT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
        window->control().openPath(path);
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->model().hasRun() && !window->model().opening(); },
                                    20'000));
        window->messages().clear(); // they pass by themselves
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->messages().isHidden(); }, 20'000));
    }
    DockCard* card(const char* name) { return window->docks().card(name); }
    QTabBar* tabs(const char* name)
    {
        QTabBar* bar = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] { return (bar = card(name)->header()->tabs()) != nullptr; }, 20'000));
        return bar;
    }
    // Where everything lies once nothing moves any more.
    QMap<QString, QRect> places()
    {
        QMap<QString, QRect> now, before;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                before = std::exchange(now, {});
                for (const DockCard* each : window->docks().cards())
                    now[each->name()] = each->geometry();
                return now == before;
            },
            20'000));
        return now;
    }
    // In the middle of a drag: the button is down, the card floats below the mouse.
    void beginDrag(DockCard* card)
    {
        const QPoint from = card->header()->geometry().center();
        QTest::mousePress(card, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(card, from + QPoint(40 * step, 30 * step));
    }
    void drag(QPoint from, QPoint by)
    {
        QWidget* docks = &window->docks();
        QTest::mouseMove(docks, from);
        QTest::mousePress(docks, Qt::LeftButton, {}, from);
        const QMap<QString, QRect> before = places();
        for (const QPoint to : {from + by / 2, from + by})
            QTest::mouseMove(docks, to);
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return places() != before; }, 20'000)); // separators follow a little later
        QTest::mouseRelease(docks, Qt::LeftButton, {}, from + by);
    }
    double shareOfQueue() { return double(card("lock-children")->width()) / window->docks().width(); }
    static bool inFront(DockCard* card) { return !card->visibleRegion().isEmpty(); }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(SmallWindowTest, CardsInOnePlaceHaveTheirTabsInTheHeaderAndNoBarOfTheirOwn)
{
    QTabBar* queue = tabs("lock-children");
    ASSERT_EQ(queue->count(), 2);
    EXPECT_EQ(queue->tabText(0), card("lock-children")->windowTitle());
    EXPECT_EQ(queue->tabText(1), card("watches")->windowTitle());
    for (const QTabBar* bar : window->docks().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        EXPECT_FALSE(bar->isVisible() && bar->height() > 0 &&
                     window->docks().rect().intersects(bar->geometry()));

    EXPECT_TRUE(inFront(card("lock-children")));
    QTest::mouseClick(queue, Qt::LeftButton, Qt::NoModifier, queue->tabRect(1).center());
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("watches")); }, 20'000));
    EXPECT_FALSE(inFront(card("lock-children")));
    EXPECT_EQ(queue->currentIndex(), 0) << "seen again, it says its own name";

    QTabBar* watches = tabs("watches");
    EXPECT_EQ(watches->currentIndex(), 1);
    window->activateWindow();
    watches->setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return watches->hasFocus(); }, 20'000));
    QTest::keyClick(watches, Qt::Key_Left);
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("lock-children")); }, 20'000));
    EXPECT_TRUE(tabs("lock-children")->hasFocus()) << "the keyboard goes along";
}

// They were 25 pixels wide, and the last lay outside its row.
TEST_F(SmallWindowTest, TabsAreReadBesideTheManualAndAMenuHasTheOthers)
{
    openSample();
    window->findChild<QAction*>("manual")->trigger();
    window->docks().arrangeForLowWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->docks().width() < 950; }, 20'000));
    places();
    QToolButton* more = nullptr;
    int bars = 0;
    for (DockCard* each : window->docks().cards()) {
        const QTabBar* bar = each->header()->tabs();
        if (!bar || !inFront(each) || !bar->isVisible())
            continue;
        ++bars;
        QStringList shown;
        const int room = each->header()->width();
        for (int tab = 0; tab < bar->count(); ++tab)
            if (bar->isTabVisible(tab)) {
                shown << bar->tabText(tab);
                const QRect rect = bar->tabRect(tab).translated(bar->pos());
                EXPECT_TRUE(rect.left() >= 0 && rect.right() < room &&
                            bar->rect().contains(bar->tabRect(tab)))
                    << shown.last().toStdString() << " ends at " << rect.right() << " of " << room;
                EXPECT_GE(rect.width(), bar->fontMetrics().horizontalAdvance(bar->tabText(tab)))
                    << shown.last().toStdString();
            }
        EXPECT_TRUE(shown.contains(each->windowTitle())) << each->windowTitle().toStdString();
        const QToolButton* menu = each->header()->moreTabs();
        EXPECT_EQ(menu->isVisible(), shown.size() < bar->count());
        if (menu->isVisible()) {
            EXPECT_LT(menu->geometry().right(), room);
            EXPECT_GT(menu->geometry().left(), bar->geometry().right());
            more = each->header()->moreTabs();
        }
    }
    EXPECT_GT(bars, 1);
    ASSERT_NE(more, nullptr) << "not all fit here";
    emit more->menu()->aboutToShow();
    QAction* last = more->menu()->actions().back();
    const QString title = last->text();
    last->trigger();
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return std::ranges::any_of(window->docks().cards(), [&](DockCard* each) {
                return each->windowTitle() == title && inFront(each) && each->view()->hasFocus();
            });
        },
        20'000))
        << title.toStdString();
}

TEST_F(SmallWindowTest, TheKeyOfACardBringsItForwardAndHidesItOnlyWhenItIsInFront)
{
    openSample();
    tabs("lock-children");
    auto* show = window->findChild<QAction*>("show.watches");
    ASSERT_NE(show, nullptr);
    EXPECT_FALSE(show->shortcut().isEmpty());
    ASSERT_FALSE(inFront(card("watches")));
    show->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("watches")); }, 20'000));
    EXPECT_TRUE(show->isChecked());
    show->trigger();
    EXPECT_TRUE(card("watches")->isHidden());
    EXPECT_FALSE(show->isChecked());
    ASSERT_TRUE(QTest::qWaitFor([&] { return inFront(card("lock-children")); }, 20'000));
    show->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("watches")); }, 20'000));
    EXPECT_TRUE(show->isChecked());
}

TEST_F(SmallWindowTest, AButtonThatWasClickedLeavesTheSpaceBarToTheRun)
{
    QPushButton button("Live", window.get());
    button.show();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->isActiveWindow(); }, 20'000));
    const auto keepsSpace = [&button](Qt::FocusReason reason) {
        button.clearFocus();
        button.setFocus(reason);
        EXPECT_TRUE(button.hasFocus());
        QKeyEvent space(QEvent::ShortcutOverride, Qt::Key_Space, Qt::NoModifier);
        space.ignore();
        QApplication::sendEvent(&button, &space);
        return space.isAccepted();
    };
    EXPECT_FALSE(keepsSpace(Qt::MouseFocusReason));
    EXPECT_TRUE(keepsSpace(Qt::TabFocusReason)) << "who came to it with the keyboard presses it";
}

TEST_F(SmallWindowTest, TheChartThatIsChosenIsThereAgainAtTheNextStart)
{
    const auto charts = [this] { return window->findChild<ChartsView*>(); };
    charts()->showChart(ChartKind::queueLength);
    window->close();
    reopen();
    EXPECT_EQ(charts()->shown(), ChartKind::queueLength);
    charts()->showChart(std::nullopt);
    window->close();
    reopen();
    EXPECT_EQ(charts()->shown(), std::nullopt) << "all of them";
    window->close();
    settings.setValue("chart", "of-another-version");
    reopen();
    EXPECT_EQ(charts()->shown(), ChartKind::latency);
}

// The layout of the time before the drag was used by the next move of the mouse, after its parts were
// deleted.
TEST_F(SmallWindowTest, AnotherLayoutEndsTheDragOfACard)
{
    DockArea& docks = window->docks();
    const QByteArray everything = docks.saveState();
    const std::vector<std::function<void()>> layouts = {[&] { docks.restoreArrangement(everything); },
                                                        [&] { docks.showOnly({docks.card("chain")}); },
                                                        [&] { docks.arrangeByDefault(); }};
    for (const auto& use : layouts) {
        docks.arrangeByDefault();
        beginDrag(card("chain"));
        ASSERT_EQ(QWidget::mouseGrabber(), card("chain"));
        use();
        EXPECT_EQ(QWidget::mouseGrabber(), nullptr);
        EXPECT_FALSE(card("chain")->isFloating());
        QTest::mouseMove(card("chain"), {50, 50});
        QTest::mouseRelease(card("chain"), Qt::LeftButton, {}, {50, 50});
        EXPECT_FALSE(card("chain")->isFloating());
    }
}

TEST_F(SmallWindowTest, CardsSizedByHandKeepTheirSharesAtAnySizeAndStayReadable)
{
    window->close();
    reopen({1680, 1050});
    const QRect queue = places()["lock-children"];
    drag({queue.left() - DockArea::kGap / 2, queue.center().y()}, {-200, 0});
    ASSERT_LT(places()["lock-children"].left(), queue.left() - 100) << "the separator moved";
    const double share = shareOfQueue();
    const auto large = places();
    window->resize(1280, 800);
    places();
    EXPECT_NEAR(shareOfQueue(), share, 0.01);
    window->resize(1680, 1050);
    EXPECT_EQ(places(), large);
    window->close();
    reopen();
    places();
    EXPECT_NEAR(shareOfQueue(), share, 0.01) << "at the next start";
    for (const char* name : {"chain", "timeline", "log", "charts", "lock-children", "algorithm", "findings"})
        EXPECT_GE(card(name)->height(), card(name)->readableHeight()) << name;
}

TEST_F(SmallWindowTest, ACardIsMaximizedByADoubleClickOrAKeyAndGoesBack)
{
    openSample();
    tabs("timeline");
    const auto before = places();
    const auto alone = [&](const char* name) {
        return QTest::qWaitFor(
            [&] {
                return card(name)->isVisible() &&
                       card(name)->width() >= window->docks().width() - 2 * DockArea::kGap - 2 &&
                       card(name)->height() >= window->docks().height() - 2 * DockArea::kGap - 2;
            },
            20'000);
    };
    const auto back = [&] {
        return QTest::qWaitFor([&] { return !window->docks().maximized() && places() == before; }, 20'000);
    };
    QTest::mouseDClick(card("clients")->header(), Qt::LeftButton, {}, QPoint(30, 15));
    EXPECT_TRUE(alone("clients"));
    EXPECT_FALSE(card("clients")->isFloating());
    window->findChild<QAction*>("goTo.chain")->trigger();
    EXPECT_TRUE(alone("chain")) << "another one in its place";
    card("chain")->header()->findChild<QToolButton*>("cardBack")->click();
    EXPECT_TRUE(back());
    card("findings")->view()->setFocus();
    window->findChild<QAction*>("maximize")->trigger();
    EXPECT_TRUE(alone("findings"));
    window->resize(1360, 820);
    EXPECT_TRUE(alone("findings"));
    window->resize(1280, 800);
    window->findChild<QAction*>("maximize")->trigger();
    EXPECT_TRUE(back());
    window->docks().maximize(card("log"));
    ASSERT_TRUE(alone("log"));
    window->findChild<QAction*>("show.lock-children")->trigger();
    EXPECT_TRUE(back()) << "who asks for another card sees it among all";
    EXPECT_TRUE(window->docks().userProportions().isEmpty());
    window->docks().maximize(card("log"));
    window->close();
    reopen();
    openSample();
    EXPECT_EQ(places(), before) << "the next start has all cards";
}

TEST_F(SmallWindowTest, ADigitGoesToACard)
{
    openSample();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->isActiveWindow(); }, 20'000));
    int digit = 0;
    for (const DockCard* each : window->docks().cards()) {
        if (++digit > 9)
            break;
        QTest::keyClick(window.get(), static_cast<Qt::Key>(Qt::Key_0 + digit), Qt::ControlModifier);
        EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(window->docks().card(each->name())); }, 20'000));
        EXPECT_TRUE(each->isAncestorOf(QApplication::focusWidget())) << each->name().toStdString();
    }
}

} // namespace
} // namespace lockscope::ui
