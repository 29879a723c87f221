// The window's parts in the order in which Tab goes through them: each shows that it has the keyboard.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/docking/dock_card.h"
#include "ui/tables/queue_view.h"

#include <QApplication>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace lockscope::ui {
namespace {

constexpr int kMaxStops = 80;
constexpr int kAround = 4;           // pixels around a part that may show it too
constexpr int kMinVisibleLength = 8; // pixels
constexpr int kMinDiffers = 24;      // of 255, in the sum of red, green and blue

int differences(const QImage& one, const QImage& other, const QRect& where)
{
    int count = 0;
    const QRect inside = where.intersected(one.rect());
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        for (int x = inside.left(); x <= inside.right(); ++x) {
            const QColor a = one.pixelColor(x, y), b = other.pixelColor(x, y);
            const int differs =
                std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
            count += differs >= kMinDiffers ? 1 : 0;
        }
    }
    return count;
}

struct FocusTest : testing::TestWithParam<Theme::ColourScheme>
{
    FocusTest()
        : window(shownWindow({}, QSize(1440, 900)))
    {
        window->theme().setColourScheme(GetParam());
        const QString trace = folder.filePath("run.jsonl");
        const auto store = tests::sampleRun({});
        EXPECT_TRUE(trace::saveTrace(trace.toStdString(), *store, store->count()).has_value());
        window->control().openPath(trace);
        EXPECT_TRUE(QTest::qWaitFor([this] { return window->model().hasRun() && !window->model().opening(); },
                                    20'000));
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
        window->model().seekEvent(200);
        window->selectClientForPicture();
        QApplication::setCursorFlashTime(0); // the cursor of a line does not come and go
    }
    ~FocusTest() override { QApplication::setCursorFlashTime(-1); }

    QImage picture()
    {
        for (int i = 0; i < 5; ++i)
            QApplication::processEvents();
        return window->grab().toImage();
    }

    // One round of Tab: from the first part to it again.
    std::vector<QWidget*> tabRound(const std::function<void(QWidget*, const QImage&, const QImage&)>& theme)
    {
        std::vector<QWidget*> stops;
        QTest::keyClick(window.get(), Qt::Key_Tab);
        QWidget* first = QApplication::focusWidget();
        QImage before = picture();
        do {
            QWidget* left = QApplication::focusWidget();
            stops.push_back(left);
            QTest::keyClick(left, Qt::Key_Tab);
            const QImage after = picture();
            theme(QApplication::focusWidget(), before, after);
            before = after;
        } while (QApplication::focusWidget() != first && stops.size() < kMaxStops);
        return stops;
    }

    std::vector<QWidget*> tabRound()
    {
        return tabRound([](QWidget*, const QImage&, const QImage&) {});
    }

    QTemporaryDir folder;
    std::unique_ptr<MainWindow> window;
};

bool reaches(const std::vector<QWidget*>& stops, const QWidget* view)
{
    return std::any_of(stops.begin(), stops.end(),
                       [&](const QWidget* stop) { return stop == view || view->isAncestorOf(stop); });
}

TEST_P(FocusTest, EveryStopOfTabIsSeen)
{
    const auto stops = tabRound([this](QWidget* now, const QImage& before, const QImage& after) {
        ASSERT_NE(now, nullptr);
        const QRect place(now->mapTo(window.get(), QPoint()), now->size());
        EXPECT_GE(differences(before, after, place.adjusted(-kAround, -kAround, kAround, kAround)),
                  kMinVisibleLength)
            << now->metaObject()->className() << " " << now->objectName().toStdString() << " "
            << now->accessibleName().toStdString() << " in "
            << (now->parentWidget() ? now->parentWidget()->metaObject()->className() : "");
        EXPECT_TRUE(now->isEnabled());
    });
    EXPECT_LT(stops.size(), std::size_t{kMaxStops}) << "the round ends where it began";
    EXPECT_GT(stops.size(), 15u);
    EXPECT_EQ(std::set<QWidget*>(stops.begin(), stops.end()).size(), stops.size()) << "each once";
}

TEST_P(FocusTest, EveryViewWithKeysIsAStop)
{
    window->docks().card("charts")->content().showPart("percentiles"); // over time: a key moves the cursor
    const auto front = tabRound();
    for (const char* name : {"clients", "chain", "timeline", "log", "charts", "lock-children", "findings"})
        EXPECT_TRUE(reaches(front, window->docks().card(name)->view())) << name;
    for (const char* name : {"protocol", "watches", "inspector"}) {
        EXPECT_FALSE(reaches(front, window->docks().card(name)->view()))
            << name << ": Tab does not reach covered parts";
        window->docks().card(name)->raise();
    }
    QApplication::processEvents();
    const auto behind = tabRound();
    for (const char* name : {"protocol", "watches", "inspector"})
        EXPECT_TRUE(reaches(behind, window->docks().card(name)->view())) << name;
}

TEST_P(FocusTest, KeysOfTheChainGoFromNodeToNode)
{
    QWidget* chain = window->docks().card("chain")->view();
    for (int i = 0; i < kMaxStops && QApplication::focusWidget() != chain; ++i)
        QTest::keyClick(window.get(), Qt::Key_Tab);
    ASSERT_EQ(QApplication::focusWidget(), chain);
    const auto& queue = window->model().state().locks.at(0).queue;
    ASSERT_GE(queue.size(), 3u);
    const auto selected = [this] { return window->docks().findChild<QueueView*>()->currentIndex().row(); };
    EXPECT_EQ(selected(), 1) << "selected for the picture";
    QTest::keyClick(chain, Qt::Key_Right);
    EXPECT_EQ(selected(), 2) << "the next behind";
    QTest::keyClick(chain, Qt::Key_Left);
    EXPECT_EQ(selected(), 1) << "the next in front";
}

TEST_P(FocusTest, HomeAndEndMeanTheRunInEveryView)
{
    const std::vector<DockCard*> cards = window->docks().cards(); // raised ones may change the order
    ASSERT_EQ(cards.size(), 12U);
    for (DockCard* card : cards) {
        card->show();
        card->raise();
        QApplication::processEvents();
        card->view()->setFocus();
        QWidget* focus = QApplication::focusWidget();
        if (!focus || !card->isAncestorOf(focus))
            focus = card->view(); // all charts together have no keys of their own
        window->model().seekEvent(50);
        QTest::keyClick(focus, Qt::Key_Home);
        EXPECT_EQ(window->model().cursorTime(), window->model().beginTime())
            << card->objectName().toStdString();
        QTest::keyClick(focus, Qt::Key_End);
        EXPECT_TRUE(window->model().following()) << card->objectName().toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, FocusTest,
                         testing::Values(Theme::ColourScheme::light, Theme::ColourScheme::dark),
                         [](const auto& colourScheme) {
                             return colourScheme.param == Theme::ColourScheme::dark ? "Dark" : "Light";
                         });

} // namespace
} // namespace lockscope::ui
