// What the window does with its room: the run bar says what its fields are, a recorded run does not look
// live, the findings are all in sight on a large screen, the order of the clients is kept.
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_view.h"
#include "ui/protocol/protocol_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/runbar/client_count_box.h"
#include "ui/shell/runbar/pace_slider.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/timeline/timeline_canvas.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lockscope::ui {
namespace {

struct RoomTest : testing::Test
{
    RoomTest() { reopen(); }
    void reopen()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        EXPECT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }
    template <class Part>
    Part* part() const
    {
        auto* control = window->findChild<RunBar*>()->findChild<Part*>();
        return control ? control : window->findChild<QWidget*>("runStatus")->findChild<Part*>();
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(RoomTest, ARecordedRunDoesNotLookLive)
{
    window->resize(2560, 900);
    QApplication::processEvents();
    window->model().seekEvent(window->model().store()->count() / 2);
    EXPECT_EQ(part<ServerBadge>()->health(), ServerBadge::Health::recorded);
    EXPECT_TRUE(part<ServerBadge>()->words().startsWith("recorded · ZooKeeper"))
        << part<ServerBadge>()->words().toStdString();
    auto* faults = window->findChild<QPushButton*>("whatIfButton");
    EXPECT_FALSE(faults->isEnabled());
    EXPECT_TRUE(faults->toolTip().contains("Recorded run"));
    const auto* run = window->findChild<QPushButton*>("runButton");
    EXPECT_EQ(run->text(), "Run Live");
    EXPECT_NE(run->property("kind").toString(), "primary")
        << "what one does with a recorded run is to play it";
    EXPECT_TRUE(window->findChild<QWidget*>("playBackButton")->isVisible());
    EXPECT_TRUE(window->findChild<QWidget*>("playSpeed")->isVisible());
    for (const char* live : {"paceSlider", "stepButton"})
        EXPECT_FALSE(window->findChild<QWidget*>(live)->isVisible()) << live;
}

// Its last words are the point, such as what keeps a stale client out.
TEST_F(RoomTest, NoExplanationLosesItsLastWordsOnASmallScreen)
{
    window->control().showTrace("faults.jsonl", {tests::sampleRun({.clients = 4,
                                                                   .cycles = 3,
                                                                   .killHolderAtGrant = 2,
                                                                   .killWaiterAtGrant = 4,
                                                                   .freezeHolderAtGrant = 6,
                                                                   .suspendWaiterAtGrant = 8}),
                                                 {}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    auto* chain = window->findChild<ChainView*>();
    auto* clients = window->findChild<ClientsView*>();
    window->findChild<QAction*>("manual")->trigger();
    QApplication::processEvents();
    std::set<QString> told;
    for (std::size_t event = 0; event < window->model().store()->count(); event += 3) {
        window->model().seekEvent(event);
        for (int row = 0; row < clients->model()->rowCount(); ++row) {
            clients->setCurrentIndex(clients->model()->index(row, 0));
            const QRectF box = chain->scene().explainBox;
            const chain::BoxTexts& texts = chain->boxTexts();
            if (!told.insert(texts.what + u'\n' + texts.why).second || box.isNull())
                continue;
            QPixmap paper(1, 1);
            QPainter painter(&paper);
            const Theme& theme = window->theme();
            EXPECT_TRUE(
                chain::ChainPainter(painter, theme, theme.fonts(), 1).fitExplanation(box, texts).whole)
                << box.width() << " x " << box.height() << ": " << texts.what.toStdString() << '\n'
                << texts.why.toStdString();
        }
    }
    EXPECT_GT(told.size(), 12U);
}

TEST_F(RoomTest, TheClientsStandInOneOrderInEveryView)
{
    const auto* clients = window->findChild<ClientsView*>()->model();
    auto* lanes = window->findChild<TimelineCanvas*>();
    auto* protocol = window->findChild<ProtocolView*>();
    const auto name = [this](ClientId id) {
        return QString::fromUtf8(window->model().state().client(id)->name);
    };
    for (std::size_t event = window->model().store()->count(); event > 0;
         event -= std::min(event, std::size_t{97})) {
        window->model().seekEvent(event);
        QStringList listed, shown, messages;
        for (int row = 0; row < clients->rowCount(); ++row)
            listed << clients->index(row, 0).data().toString();
        for (const ClientId lane : lanes->rows().shown())
            if (lane.value < window->model().state().clients.size())
                shown << name(lane);
        for (const ClientId lane : protocol->lanes().shown)
            messages << name(lane);
        EXPECT_EQ(shown, listed) << event;
        listed.removeIf([&](const QString& each) { return !messages.contains(each); });
        EXPECT_EQ(messages, listed) << event;
    }
}

TEST_F(RoomTest, TheOrderOfTheClientsIsKeptBetweenStarts)
{
    window->findChild<QAction*>("clients.byPlace")->trigger();
    window->close();
    reopen();
    EXPECT_TRUE(window->findChild<QAction*>("clients.byPlace")->isChecked());
}

} // namespace
} // namespace lockscope::ui
