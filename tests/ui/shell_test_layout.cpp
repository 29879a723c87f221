// What a person can read of the window on a small screen, and what the window keeps from one start to the
// next of how its cards lie and what they show.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/charts_view.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"

#include <QMenuBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct SmallWindowTest : testing::Test
{
    SmallWindowTest() { renew(); }
    void renew()
    {
        MainWindow::Setup setup;
        setup.theme = Look::Theme::light;
        setup.settings = &settings;
        window = std::make_unique<MainWindow>(setup);
        window->resize(1280, 800);
        window->show();
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
    static bool inFront(DockCard* card) { return !card->visibleRegion().isEmpty(); }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(SmallWindowTest, EveryCardHasTheHeightItIsReadWith)
{
    openSample();
    for (const char* name : {"chain", "timeline", "log", "charts", "queue", "algorithm", "findings"})
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return card(name)->height() >= card(name)->readableHeight(); }, 20'000))
            << name << ": " << card(name)->height() << " of " << card(name)->readableHeight();
}

TEST_F(SmallWindowTest, BothBoxesOfTheChainAndEveryLineOfTheAlgorithmAreThere)
{
    openSample();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return card("algorithm")->height() >= card("algorithm")->readableHeight(); }, 20'000));
    auto* chain = window->findChild<ChainView*>();
    const QRectF room(chain->viewport()->rect());
    for (const QRectF& box : {chain->scene().explainBox, chain->scene().serverBox}) {
        EXPECT_GE(box.height(), 80);
        EXPECT_GE(box.width(), 240);
        EXPECT_TRUE(room.contains(box));
    }
    auto* algorithm = window->findChild<AlgorithmView*>();
    ASSERT_FALSE(algorithm->rows().empty());
    EXPECT_LE(algorithm->rows().back().rect.bottom(), algorithm->height());
    EXPECT_GE(algorithm->rows().front().rect.height(), 14.5) << "its letters would be too small";
}

TEST_F(SmallWindowTest, CardsInOnePlaceHaveTheirTabsInTheHeaderAndNoBarOfTheirOwn)
{
    QTabBar* queue = tabs("queue");
    ASSERT_EQ(queue->count(), 2);
    EXPECT_EQ(queue->tabText(0), card("queue")->windowTitle());
    EXPECT_EQ(queue->tabText(1), card("watches")->windowTitle());
    for (const QTabBar* bar : window->docks().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        EXPECT_FALSE(bar->isVisible() && bar->height() > 0 &&
                     window->docks().rect().intersects(bar->geometry()));

    EXPECT_TRUE(inFront(card("queue")));
    QTest::mouseClick(queue, Qt::LeftButton, Qt::NoModifier, queue->tabRect(1).center());
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("watches")); }, 20'000));
    EXPECT_FALSE(inFront(card("queue")));
    EXPECT_EQ(queue->currentIndex(), 0) << "seen again, it says its own name";

    QTabBar* watches = tabs("watches");
    EXPECT_EQ(watches->currentIndex(), 1);
    window->activateWindow();
    watches->setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return watches->hasFocus(); }, 20'000));
    QTest::keyClick(watches, Qt::Key_Left);
    EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(card("queue")); }, 20'000));
    EXPECT_TRUE(tabs("queue")->hasFocus()) << "the keyboard goes along";
}

TEST_F(SmallWindowTest, ACardThatIsAloneInItsPlaceHasItsTitleAgain)
{
    EXPECT_EQ(tabs("queue")->count(), 2);
    card("watches")->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return tabs("queue")->isHidden(); }, 20'000));
    card("watches")->show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !tabs("queue")->isHidden(); }, 20'000));
}

TEST_F(SmallWindowTest, TheChartThatIsChosenIsThereAgainAtTheNextStart)
{
    const auto charts = [this] { return window->findChild<ChartsView*>(); };
    charts()->showChart(ChartKind::queueLength);
    window->close();
    renew();
    EXPECT_EQ(charts()->shown(), ChartKind::queueLength);
    charts()->showChart(std::nullopt);
    window->close();
    renew();
    EXPECT_EQ(charts()->shown(), std::nullopt) << "all of them";
    window->close();
    settings.setValue("chart", "of-another-version");
    renew();
    EXPECT_EQ(charts()->shown(), ChartKind::latency);
}

} // namespace
} // namespace lockscope::ui
