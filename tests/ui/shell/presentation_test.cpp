// Lecture mode: two cards, large, that behave as ever, and a window that is as before when it is left.
#include "tests/support/sample_run.h"
#include "tests/ui/event_counter.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/chain_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QMenuBar>
#include <QSettings>
#include <QStyleOptionComboBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::ui {
namespace {

struct PresentationTest : testing::Test
{
    PresentationTest() { start(); }

    void start()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return view("chain")->width() > 2 * view("clients")->width(); }));
    }
    QAction* action() { return window->findChild<Actions*>()->of("presentation"); }
    void enter()
    {
        action()->trigger();
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return window->presentation().isOpen() && stage()->height() > 400; }));
    }
    QGraphicsView* stage() { return window->presentation().findChild<QGraphicsView*>(); }
    QWidget* view(const char* card) { return window->docks().card(card)->view(); }
    std::map<QString, QRect> places()
    {
        std::map<QString, QRect> all;
        for (DockCard* card : window->docks().cards())
            all[card->name()] = card->isVisible() ? card->geometry() : QRect();
        return all;
    }
    bool isAsBefore(const std::map<QString, QRect>& before)
    {
        const auto now = places();
        return std::all_of(before.begin(), before.end(), [&](const auto& each) {
            const QRect& there = now.at(each.first);
            const QPoint moved = there.topLeft() - each.second.topLeft();
            const QSize grown = there.size() - each.second.size();
            return std::max({qAbs(moved.x()), qAbs(moved.y()), qAbs(grown.width()), qAbs(grown.height())}) <=
                   8;
        });
    }
    // Where a point of a borrowed view is drawn, in pixels of the stage.
    QPoint drawn(QWidget* borrowed, const QPoint& point)
    {
        auto* proxy = qgraphicsitem_cast<QGraphicsProxyWidget*>(stage()->items().constLast());
        const QPoint inside = borrowed->mapTo(proxy->widget(), point);
        return stage()->mapFromScene(proxy->mapToScene(inside));
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(PresentationTest, ShowsTwoCardsLargeAndNothingElse)
{
    enter();
    EXPECT_TRUE(window->windowState() & Qt::WindowFullScreen);
    EXPECT_FALSE(window->docks().isVisible());
    EXPECT_FALSE(window->menuBar()->isVisible());
    EXPECT_FALSE(window->findChild<RunBar*>()->isVisible());
    EXPECT_TRUE(view("chain")->isVisible());
    EXPECT_TRUE(view("timeline")->isVisible());
    EXPECT_FALSE(view("log")->isVisible());
    // Twice as large on the screen, half as large in its own eyes.
    window->presentation().setScale(1);
    const int before = view("chain")->width();
    window->presentation().setScale(2);
    EXPECT_NEAR(view("chain")->width(), before / 2, 12);
}

TEST_F(PresentationTest, FollowsTheThemeToItsEdges)
{
    window->findChild<Actions*>()->of("themeLight")->trigger();
    enter();
    const auto lightness = [this] {
        return window->presentation().grab().toImage().pixelColor(1, 1).lightness();
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return lightness() > 200; }));
    window->findChild<Actions*>()->of("themeDark")->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return lightness() < 80; })) << lightness();
    window->findChild<Actions*>()->of("themeLight")->trigger();
}

TEST_F(PresentationTest, EscapeGivesTheCardsBack)
{
    QWidget* const chain = view("chain");
    QWidget* const place = chain->parentWidget();
    const auto before = places();
    enter();
    QTest::keyClick(&window->presentation(), Qt::Key_Escape);
    ASSERT_FALSE(window->presentation().isOpen());
    EXPECT_FALSE(action()->isChecked());
    EXPECT_FALSE(window->windowState() & Qt::WindowFullScreen);
    EXPECT_EQ(chain->parentWidget(), place);
    EXPECT_EQ(place->window(), window.get());
    for (DockCard* card : window->docks().cards())
        EXPECT_EQ(card->widget(), card->view()->parentWidget()) << card->name().toStdString();
    EXPECT_TRUE(window->docks().isVisible());
    EXPECT_TRUE(chain->isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return isAsBefore(before); }));
}

TEST_F(PresentationTest, AClickInAnEnlargedCardReachesIt)
{
    window->presentation().choose(0, "clients");
    enter();
    auto* table = qobject_cast<QAbstractItemView*>(view("clients"));
    ASSERT_NE(table, nullptr);
    const QModelIndex second = table->model()->index(1, 0);
    ASSERT_TRUE(second.isValid());
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->visualRect(second).right() > 200; }));
    const QPoint middle = table->viewport()->mapTo(view("clients"), table->visualRect(second).center());
    QTest::mouseClick(stage()->viewport(), Qt::LeftButton, {}, drawn(view("clients"), middle));
    EXPECT_EQ(table->currentIndex().row(), 1);
}

TEST_F(PresentationTest, APictureOfAnEnlargedCardShowsIt)
{
    const QString path = folder.filePath("chain.png");
    const auto picture = [&] {
        window->exportController().savePictureOf("chain", path);
        return QImage(path);
    };
    enter();
    const QImage enlarged = picture();
    EXPECT_EQ(enlarged.size(),
              view("chain")->parentWidget()->parentWidget()->size() * ExportController::kScale);
    std::set<QRgb> colours;
    for (int y = 0; y < enlarged.height(); ++y)
        for (int x = 0; x < enlarged.width(); ++x)
            colours.insert(enlarged.pixel(x, y));
    EXPECT_GT(colours.size(), 100U) << "those of its texts";
    action()->trigger();
    ASSERT_FALSE(window->presentation().isOpen());
    EXPECT_EQ(picture().size(), window->docks().card("chain")->size() * ExportController::kScale);
}

TEST_F(PresentationTest, TheTwoCardsAreChosenAndKept)
{
    enter();
    auto* first = window->presentation().findChild<QComboBox*>("presentationFirst");
    first->setCurrentIndex(first->findData("algorithm"));
    EXPECT_TRUE(view("algorithm")->isVisible());
    EXPECT_EQ(window->docks().card("chain")->widget(), view("chain")->parentWidget());
    // What is chosen already changes places instead of being there twice.
    first->setCurrentIndex(first->findData("timeline"));
    EXPECT_EQ(window->presentation().chosen(0), "timeline");
    EXPECT_EQ(window->presentation().chosen(1), "algorithm");
    window->presentation().setScale(2);
    window->presentation().findChild<QToolButton*>("presentationBeside")->click();
    window->close();
    start();
    EXPECT_EQ(window->presentation().chosen(0), "timeline");
    EXPECT_EQ(window->presentation().chosen(1), "algorithm");
    EXPECT_DOUBLE_EQ(window->presentation().scale(), 2);
    EXPECT_TRUE(window->presentation().findChild<QToolButton*>("presentationBeside")->isChecked());
}

TEST_F(PresentationTest, ClosingTheWindowInTheMiddleKeepsTheLayout)
{
    const auto before = places();
    enter();
    window->close();
    start();
    EXPECT_TRUE(QTest::qWaitFor([&] { return isAsBefore(before); }));
    EXPECT_FALSE(window->presentation().isOpen());
    EXPECT_FALSE(window->windowState() & Qt::WindowFullScreen);
}

TEST_F(PresentationTest, TheWelcomePageEndsIt)
{
    enter();
    window->findChild<Actions*>()->of("welcome")->setChecked(true);
    EXPECT_FALSE(window->presentation().isOpen());
    EXPECT_FALSE(window->docks().isVisible());
    window->findChild<Actions*>()->of("welcome")->setChecked(false);
    EXPECT_TRUE(window->docks().isVisible());
}

} // namespace
} // namespace lockscope::ui
