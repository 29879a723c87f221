// The five-minute tour of the manual, step by step on a real ZooKeeper and a real X server: each ends as the
// text says.
#include "tests/ui/x11/x11_test_fixture.h"
#include "ui/chain/algorithm_view.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/style/format.h"
#include "ui/protocol/protocol_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/runbar/pace.h"
#include "ui/tables/clients_view.h"

#include <QApplication>
#include <QFile>
#include <QSlider>
#include <QStyle>
#include <QWheelEvent>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;
using replay::FindingKind;

struct X11TourTest : X11Test
{
    static void SetUpTestSuite() {} // on LockScope's own server, as the tour

    const std::vector<replay::NodeRow>& queue() { return state().locks.at(0).queue; }
    ClientId selected() { return window->control().commandContext().selected; }
    void select(ClientId client)
    {
        auto* list = window->findChild<ClientsView*>();
        const QModelIndex row = list->model()->index(static_cast<int>(client.value), 0);
        list->scrollTo(row);
        click(*list->viewport(), list->visualRect(row).center());
        ASSERT_TRUE(waitFor([&] { return selected() == client; }));
    }
    AlgorithmView& algorithm() { return *window->findChild<AlgorithmView*>(); }
    const replay::Finding& finding(FindingKind kind) { return state().findings.of(kind); }
    // The holder is first, and everybody behind it watches the one in front.
    bool isChain()
    {
        if (queue().size() < 3 || queue()[0].phase != replay::NodePhase::holds)
            return false;
        for (std::size_t i = 1; i < queue().size(); ++i)
            if (queue()[i].watches != queue()[i - 1].name)
                return false;
        return true;
    }
    // In sight and drawn, whatever lies in front of it on a small screen.
    DockCard& raiseCard(const char* name)
    {
        DockCard& card = *window->docks().card(name);
        card.show();
        card.raise();
        // What lies behind another card is beside the area.
        EXPECT_TRUE(waitFor([&] { return window->docks().rect().intersects(card.geometry()); })) << name;
        return card;
    }
    void click(QWidget& widget, QPoint place)
    {
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, widget.mapTo(window.get(), place));
    }
    // To where a slider has this value, with the mouse.
    void dragPace(Duration step)
    {
        auto& slider = *window->findChild<QSlider*>("paceSlider");
        const int wanted = pace::nearest(step);
        drag(slider, wanted);
        // The mouse comes near it, on a small screen only that; keys do the rest.
        ASSERT_TRUE(waitFor([&] {
            if (slider.value() != wanted)
                QTest::keyClick(&slider, slider.value() < wanted ? Qt::Key_Right : Qt::Key_Left);
            return slider.value() == wanted && state().pace == pace::at(wanted);
        })) << format::duration(state().pace).toStdString();
    }
    void drag(QSlider& slider, int value)
    {
        const int most = slider.width() - 1;
        const auto at = [&](int of) {
            return slider.mapTo(window.get(), QPoint(QStyle::sliderPositionFromValue(
                                                         slider.minimum(), slider.maximum(), of, most),
                                                     slider.height() / 2));
        };
        QTest::mousePress(window->windowHandle(), Qt::LeftButton, {}, at(slider.value()));
        QTest::mouseMove(window->windowHandle(), at(value));
        QTest::mouseRelease(window->windowHandle(), Qt::LeftButton, {}, at(value));
    }
    bool repaints(QWidget& where, const std::function<void()>& act)
    {
        const QImage before = screenShot();
        act();
        return waitFor([&] { return differingPixels(before, screenShot(), onScreen(where)) > 0; });
    }

    // Whether the command was carried out or refused since then, and on whom.
    bool answered(std::string_view verb, std::size_t since, ClientId& on)
    {
        const trace::TraceStore& store = *window->model().store();
        for (std::size_t event = since; event < store.count(); ++event) {
            const auto* command = std::get_if<trace::Command>(&store.at(event).what);
            if (command && command->verb == verb)
                on = store.at(event).client;
            if ((command && command->verb == verb) ||
                std::holds_alternative<trace::CommandRefused>(store.at(event).what))
                return true;
        }
        return false;
    }

    void firstFiveClientsQueueUp();
    void thenEveryStepWaits();
    void thenAReleaseWakesOne();
    void thenTheHolderIsKilled();
    void thenAWaiterIsFrozen();
    void thenTheFindingsAreRead();
    void thenTheTraceIsOpenedAgain();

    ClientId slow = ClientId::none(); // who is looked at
};

void X11TourTest::firstFiveClientsQueueUp()
{
    window->control().startBuiltIn(RunController::kDefaultScenario);
    ASSERT_TRUE(waitForHandoffs(1));
    sim::Scenario sooner = *window->control().scenario(); // a frozen client's session ends sooner
    sooner.sessionTimeout = 4s;
    window->control().startScenario(sooner, {});
    ASSERT_TRUE(waitFor([this] { return state().clients.size() == 5 && state().statistics.handoffs >= 3; }));
    EXPECT_EQ(state().clients.size(), 5U);
    EXPECT_EQ(state().locks.at(0).path, "/locks/well");
    ASSERT_TRUE(waitFor([this] { return isChain() && !chain().scene().star; }));
    const chain::ChainScene& scene = chain().scene();
    EXPECT_EQ(scene.nodes.front().state, chain::NodeState::holds);
    for (const chain::Arrow& arrow : scene.arrows) {
        EXPECT_EQ(arrow.kind, chain::ArrowKind::ahead);
        EXPECT_EQ(arrow.to, arrow.from - 1) << "the one in front of it, and no other";
    }
    EXPECT_EQ(scene.arrows.size() + 1, scene.nodes.size()) << "every other card has one";
    EXPECT_TRUE(waitFor([this] {
        const ClientId holder = holderInTrace();
        return holder.valid() && holderInChain(screenShot()) == holder;
    })) << "its card is green";
}

void X11TourTest::thenEveryStepWaits()
{
    ASSERT_NO_FATAL_FAILURE(dragPace(250ms));
    // A click on a card selects its client everywhere. The cards may move on before it arrives.
    ASSERT_TRUE(waitFor([this] {
        const auto cards = chain().scene().nodes;
        if (cards.size() < 3)
            return false;
        slow = cards[1].owner;
        click(chain(), cards[1].rect.center().toPoint());
        return selected() == slow;
    }));
    const QString name = QString::fromStdString(std::string(state().client(slow)->name));
    const auto* clients = window->findChild<ClientsView*>();
    EXPECT_EQ(clients->currentIndex().row(), static_cast<int>(slow.value));
    EXPECT_TRUE(algorithm().caption().contains(name)) << algorithm().caption().toStdString();
    EXPECT_TRUE(waitFor([this] {
        const auto& rows = algorithm().rows();
        return std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.marked; }) == 1;
    })) << "it is at one line";
    EXPECT_TRUE(waitFor([&] {
        const chain::BoxTexts& boxes = chain().boxTexts();
        return boxes.explainTitle.contains(name) && !boxes.what.isEmpty() && !boxes.why.isEmpty();
    })) << "what it does and why";
    // And a click on a row of the clients.
    ASSERT_NO_FATAL_FAILURE(select(ClientId{slow.value == 0 ? 1U : 0U}));
    EXPECT_FALSE(algorithm().caption().contains(name));
}

void X11TourTest::thenAReleaseWakesOne()
{
    const auto wakeUps = state().statistics.wakeUps;
    const auto handoffs = window->model().timeline().handoffCount();
    ASSERT_TRUE(waitFor([&] { return window->model().timeline().handoffCount() > handoffs + 1; }));
    EXPECT_GT(state().statistics.wakeUps, wakeUps);
    EXPECT_EQ(state().locks[0].lastWakeUp.woken, 1U);
    EXPECT_EQ(finding(FindingKind::noHerd).violated, 0U);
    // An arrow in the timeline, with the latency and its parts.
    raiseCard("timeline");
    TimelineCanvas& canvas = *timeline().canvas();
    canvas.setFocus();
    EXPECT_TRUE(waitFor([&] {
        const auto& arrows = canvas.picture().arrows;
        if (arrows.empty())
            return false;
        const replay::Handoff& handoff = window->model().timeline().handoff(arrows.back().handoff);
        const QString tip = canvas.tipAt(((arrows.back().from + arrows.back().to) / 2).toPoint());
        return tip.contains(format::duration(handoff.latency())) && tip.count('\n') >= 3;
    })) << "its latency and its parts";

    // The wheel with Ctrl zooms, a drag with the middle button pans, F follows the end again.
    const auto shown = [&] { return canvas.picture().scale.nsPerPixel; };
    const double before = shown();
    const QPoint middle = canvas.picture().layout.plot.center();
    QWheelEvent wheel(middle, canvas.mapToGlobal(middle), {}, {0, 240}, {}, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    EXPECT_LT(shown(), before);
    QTest::mousePress(window->windowHandle(), Qt::MiddleButton, {}, canvas.mapTo(window.get(), middle));
    const TraceTime begin = canvas.picture().scale.begin(); // until now it may have followed the run
    for (int step = 1; step <= 4; ++step)
        QTest::mouseMove(window->windowHandle(), canvas.mapTo(window.get(), middle + QPoint(20 * step, 0)));
    QTest::mouseRelease(window->windowHandle(), Qt::MiddleButton, {},
                        canvas.mapTo(window.get(), middle + QPoint(80, 0)));
    EXPECT_TRUE(waitFor([&] { return canvas.picture().scale.begin() < begin; }));
    key(Qt::Key_F);
    EXPECT_TRUE(waitFor([&] { return canvas.picture().scale.end() >= window->model().endTime() - 1s; }));

    // Behind the timeline lies Protocol: a lane for each client and one for ZooKeeper.
    DockCard& card = raiseCard("protocol");
    auto& protocol = *window->findChild<ProtocolView*>();
    EXPECT_TRUE(waitFor([&] {
        const ProtocolPicture& picture = protocol.picture();
        return picture.heads.size() >= 2 && !picture.arrows.empty();
    }));
    EXPECT_TRUE(repaints(card, [] {})) << "time runs down";
    raiseCard("timeline");
}

void X11TourTest::thenTheHolderIsKilled()
{
    key(Qt::Key_F);
    // Whoever holds when the key reaches the engine: the record says it. Between two holders there is none.
    ClientId victim = ClientId::none();
    ASSERT_TRUE(waitFor([&] {
        if (!window->model().following() || !isChain())
            return false;
        const std::size_t since = window->model().store()->count();
        key(Qt::Key_K);
        return waitFor([&] { return answered("kill_holder", since, victim); }) && victim.valid();
    }));
    // The next in line holds while the killed one believes.
    bool both = false, drawn = false;
    ASSERT_TRUE(waitFor([&] {
        const replay::ClientRow* killed = state().client(victim);
        const ClientId holder = holderInTrace();
        if (killed->isStale && killed->hasStaleHold()) {
            both = both || (holder.valid() && holder != victim);
            const auto& stale = chain().scene().stale;
            drawn = drawn || std::any_of(stale.begin(), stale.end(), [&](const chain::StaleClient& each) {
                        return each.client == victim;
                    });
        }
        return both && drawn;
    })) << both
        << ' ' << drawn;
    EXPECT_TRUE(waitFor([&] {
        const replay::ClientRow* killed = state().client(victim);
        return !killed->hasStaleHold() && killed->session == trace::SessionPhase::connected;
    })) << "it learns it, and has another session";
    EXPECT_GT(state().client(victim)->staleFor, TraceTime{300ms}) << "there was time to see it";
    EXPECT_EQ(finding(FindingKind::oneHolder).violated, 0U);
    const trace::TraceStore& store = *window->model().store();
    const auto isRefused = [&](std::size_t event) {
        const auto* use = std::get_if<trace::ResourceUse>(&store.at(event).what);
        return store.at(event).client == victim && use && use->action == trace::ResourceAction::refused;
    };
    EXPECT_TRUE(waitFor([&] {
        for (std::size_t event = store.count(); event-- > 0;)
            if (isRefused(event))
                return true;
        return false;
    })) << "its token is refused by the resource";
}

void X11TourTest::thenAWaiterIsFrozen()
{
    ASSERT_NO_FATAL_FAILURE(dragPace(Duration::zero()));
    // At full speed it may have had its turn before it freezes: then another one is frozen.
    ClientId frozen = ClientId::none();
    std::string node;
    ASSERT_TRUE(waitFor([&] {
        if (!isChain() || queue().size() < 4)
            return false;
        frozen = queue()[2].owner;
        select(frozen);
        const auto toggle = [&](bool freezes) {
            key(Qt::Key_F, Qt::ShiftModifier);
            return waitFor([&] { return state().client(frozen)->frozen == freezes; });
        };
        if (!toggle(true))
            return false;
        for (const replay::NodeRow& each : queue())
            if (each.owner == frozen && each.phase == replay::NodePhase::waits)
                node = each.name;
        return !node.empty() || !toggle(false);
    }));
    ASSERT_FALSE(node.empty());
    const std::uint32_t acquired = state().client(frozen)->acquired;
    // The server removes its node after the timeout of the session.
    ASSERT_TRUE(QTest::qWaitFor([&] { return state().node(LockId{0}, node) == nullptr; }, kTimeoutMs));
    EXPECT_TRUE(state().client(frozen)->frozen);
    EXPECT_TRUE(state().client(frozen)->isStale || state().client(frozen)->acquired == acquired);
    EXPECT_TRUE(waitFor([&] { return isChain(); })) << "the chain closes behind it";
    EXPECT_TRUE(std::none_of(queue().begin(), queue().end(),
                             [&](const replay::NodeRow& each) { return each.owner == frozen; }));
    EXPECT_EQ(state().client(frozen)->acquired, acquired);
    EXPECT_EQ(finding(FindingKind::oneHolder).violated, 0U) << "no client acquires out of turn";
    EXPECT_EQ(finding(FindingKind::orderKept).violated, 0U);
}

void X11TourTest::thenTheFindingsAreRead()
{
    raiseCard("findings");
    const auto& model = *window->findChild<FindingsModel*>();
    EXPECT_EQ(model.rowCount(), 9);
    for (const FindingKind kind : {FindingKind::oneHolder, FindingKind::orderKept, FindingKind::noHerd,
                                   FindingKind::noLostWakeup, FindingKind::tokensIncrease}) {
        EXPECT_GT(finding(kind).checked, 0U) << trace::findingRule(kind).name();
        EXPECT_EQ(finding(kind).violated, 0U) << finding(kind).detail();
    }
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_FALSE(model.sentence(row).isEmpty()) << row;
}

void X11TourTest::thenTheTraceIsOpenedAgain()
{
    window->model().endRun();
    ASSERT_TRUE(waitFor([this] {
        return window->control().stage() == RunController::Stage::trace && !window->model().canGrow();
    }));
    const QString file = folder.filePath("tour.jsonl");
    window->control().saveTrace(file);
    // The same views at any moment: what they show is the state and the timeline.
    const std::size_t count = window->model().store()->count();
    const auto describeState = [this] {
        std::string text;
        for (const replay::NodeRow& node : queue())
            text += std::string(node.name) + ' ' + std::to_string(static_cast<int>(node.phase)) + ' ' +
                    std::to_string(node.owner.value) + ' ' + std::string(node.watches) + '\n';
        return text + std::to_string(state().statistics.handoffs) + ' ' + std::to_string(state().now.count());
    };
    std::vector<std::string> lived;
    for (std::size_t part = 1; part <= 8; ++part) {
        window->model().seekEvent(count * part / 8);
        ASSERT_TRUE(waitFor([&] { return window->model().position() == count * part / 8; }));
        lived.push_back(describeState());
    }
    ASSERT_TRUE(waitFor([&] { return window->control().store() && QFile::exists(file); }));
    const trace::TraceStore* before = window->model().store();
    window->control().openPath(file);
    ASSERT_TRUE(waitFor([&] { return window->model().store() != before && !window->model().opening(); }));
    ASSERT_EQ(window->model().store()->count(), count);
    for (std::size_t part = 1; part <= 8; ++part) {
        window->model().seekEvent(count * part / 8);
        ASSERT_TRUE(waitFor([&] { return window->model().position() == count * part / 8; }));
        EXPECT_EQ(describeState(), lived[part - 1]) << part;
    }
    // And the bar at the bottom, which begins when the first client has joined, leads to any of them.
    auto& bar = *window->findChild<QSlider*>("scrubSlider");
    EXPECT_TRUE(repaints(chain(), [&] { drag(bar, bar.maximum() / 3); }));
    EXPECT_TRUE(waitFor([&] {
        const RunModel& model = window->model();
        const double share = static_cast<double>((model.cursorTime() - model.beginTime()).count()) /
                             static_cast<double>((model.endTime() - model.beginTime()).count());
        return share > 0.25 && share < 0.42;
    }));
}

TEST_F(X11TourTest, EachStepEndsAsTheReadmeSays)
{
    for (const auto step : {&X11TourTest::firstFiveClientsQueueUp, &X11TourTest::thenEveryStepWaits,
                            &X11TourTest::thenAReleaseWakesOne, &X11TourTest::thenTheHolderIsKilled,
                            &X11TourTest::thenAWaiterIsFrozen, &X11TourTest::thenTheFindingsAreRead,
                            &X11TourTest::thenTheTraceIsOpenedAgain})
        ASSERT_NO_FATAL_FAILURE((this->*step)());
}

} // namespace
} // namespace lockscope::ui
