// The parts of the window by themselves: pace, moments, what can be done to a run, cards and layouts.
#include "core/sim/scenario/scenario.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/run/breakpoints.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/theme.h"
#include "ui/shell/docking/card_frame.h"
#include "ui/shell/run/faults.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/run/step_controller.h"
#include "ui/shell/runbar/client_count_box.h"
#include "ui/shell/runbar/findings_pills.h"
#include "ui/shell/runbar/jump_slider.h"
#include "ui/shell/runbar/pace.h"
#include "ui/shell/runbar/pill.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/application_style.h"
#include "ui/shell/window/menu_tips.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QWindow>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(StepController, WhatFailedBeforeDoesNotPauseWhoAskedInThePast)
{
    const auto herd = tests::traceScript("ada holds n1; bo waits n2 n1; cyd waits n3 n1; ada release n1; "
                                         "bo fired n1; cyd fired n1");
    trace::Header header;
    header.monotonicNanoseconds = 1; // as of a run that goes on
    const auto store = std::make_shared<trace::TraceStore>(header);
    while (store->count() < herd->count())
        store->append(herd->at(store->count()));
    RunModel model;
    Selection selection;
    Breakpoints breakpoints;
    RunController control(&model, &selection, {}, nullptr);
    StepController steps(&control, &model, &breakpoints, nullptr);
    QSignalSpy posted(&steps, &StepController::messagePosted);
    model.openTrace(store);
    model.setGrowing(true);
    ASSERT_TRUE(model.isLive());
    model.seekEvent(3);
    steps.setWatchesFindings(true);
    model.follow();
    EXPECT_EQ(posted.size(), 0);
    EXPECT_TRUE(steps.isWatchingFindings());
}

TEST(Pace, GoesFromFullSpeedToTwoSeconds)
{
    EXPECT_EQ(pace::at(0), Duration::zero());
    EXPECT_EQ(pace::at(pace::positions() - 1), Duration(2s));
    for (int i = 1; i < pace::positions(); ++i) {
        EXPECT_GT(pace::at(i), pace::at(i - 1)) << i;
        EXPECT_EQ(pace::nearest(pace::at(i)), i);
    }
    EXPECT_EQ(pace::words(Duration::zero()).toStdString(), "full speed");
    EXPECT_EQ(pace::words(250ms).toStdString(), "250 ms/step");
    EXPECT_EQ(pace::nearest(5s), pace::positions() - 1);
}

TEST(JumpSlider, GoesWhereItIsClickedAndOnFromThere)
{
    JumpSlider slider(Qt::Horizontal);
    slider.setRange(0, 1000);
    slider.resize(500, 24);
    slider.show();
    QTest::mousePress(&slider, Qt::LeftButton, Qt::NoModifier, {250, 12});
    EXPECT_NEAR(slider.value(), 500, 20) << "not one page of ten";
    QTest::mouseMove(&slider, {375, 12});
    EXPECT_NEAR(slider.value(), 750, 30);
    QTest::mouseRelease(&slider, Qt::LeftButton, Qt::NoModifier, {375, 12});
    QTest::mouseClick(&slider, Qt::LeftButton, Qt::NoModifier, {0, 12});
    EXPECT_EQ(slider.value(), 0);
}

// The context of the commands in a sample run, in which ada holds or waits.
struct CommandTableTest : testing::Test
{
    CommandTableTest()
    {
        tests::SampleOptions options;
        options.events = 200;
        model.openTrace(tests::sampleRun(options));
    }
    CommandContext now(ClientId selected = ClientId::none())
    {
        return {&model.state(), true, true, selected};
    }
    RunModel model;
};

TEST_F(CommandTableTest, EveryOfferSaysWhatWillHappenAndHasAKey)
{
    std::set<QString> keys;
    for (const Fault what : kFaults) {
        const CommandState words = commandState(what, now(ClientId{1}));
        EXPECT_EQ(words.isEnabled(), command(what, now(ClientId{1})).has_value()) << words.text.toStdString();
        EXPECT_GT(words.consequence.size(), 30);
        ASSERT_EQ(keysOf(nameOf(what)).size(), 1) << nameOf(what);
        EXPECT_TRUE(keys.insert(keysOf(nameOf(what)).front().toString()).second) << nameOf(what);
        EXPECT_TRUE(words.isEnabled() || words.disabledReason.text().size() > 10) << words.text.toStdString();
    }
}

// A menu would take it for the mark of a mnemonic.
TEST_F(CommandTableTest, AnAmpersandInTheNameOfAClientIsShown)
{
    replay::RunState state = model.state();
    state.clients[0].name = "r&d";
    EXPECT_EQ(commandState(Fault::killSelected, {&state, true, true, ClientId{0}}).text,
              "&Kill the Session of r&&d");
}

TEST_F(CommandTableTest, ALinkCanFailOnlyWhereThereIsOneAndSaysWhyNot)
{
    CommandContext direct = now(ClientId{1});
    EXPECT_TRUE(commandState(Fault::cutLink, direct).isEnabled());
    direct.links = LinkSupport::tooManyClients;
    EXPECT_TRUE(commandState(Fault::cutLink, direct).disabledReason.text().contains("200"));
    EXPECT_FALSE(command(Fault::loseReply, direct).has_value());
    EXPECT_TRUE(commandState(Fault::killSelected, direct).isEnabled()) << "a session needs no link of ours";

    sim::Scenario scenario;
    scenario.clients = 200;
    EXPECT_EQ(linkSupportFor(scenario, false), LinkSupport::available);
    EXPECT_EQ(linkSupportFor(scenario, true), LinkSupport::externalServer);
    scenario.clients = 201;
    EXPECT_EQ(linkSupportFor(scenario, false), LinkSupport::tooManyClients);
    scenario.links = true;
    EXPECT_EQ(linkSupportFor(scenario, true), LinkSupport::available) << "the scenario asks for it";
    scenario.links = false;
    EXPECT_EQ(linkSupportFor(scenario, false), LinkSupport::disabled);
}

TEST_F(CommandTableTest, TheNumbersThatWereAskedForReachTheAction)
{
    const auto slow = command(Fault::slowLink, now(ClientId{1}), {350, 20});
    ASSERT_TRUE(slow && std::holds_alternative<engine::Execute>(*slow));
    EXPECT_EQ(std::get<engine::Execute>(*slow).client, ClientId{1});
    EXPECT_EQ(std::get<engine::Execute>(*slow).action.delay, Duration(350ms));
    EXPECT_EQ(std::get<engine::Execute>(*slow).action.jitter, Duration(20ms));
    const auto cut = command(Fault::cutLink, now(ClientId{1}), {0});
    ASSERT_TRUE(cut.has_value());
    EXPECT_FALSE(std::get<engine::Execute>(*cut).action.span.has_value()) << "until it is restored";
    for (const Fault what : kFaults)
        for (const Parameter& parameter : parameters(what, now(ClientId{1}))) {
            EXPECT_GE(parameter.value, parameter.min);
            EXPECT_LE(parameter.value, parameter.max);
        }
}

TEST_F(CommandTableTest, SeveralServersAreStruckOneByOne)
{
    EXPECT_TRUE(commandState(Fault::killServer, now()).isEnabled());
    EXPECT_FALSE(commandState(Fault::killLeader, now()).isEnabled());
    replay::RunState three = model.state();
    three.server.members = {{"1", trace::ServerPhase::ready, "leader"},
                            {"2", trace::ServerPhase::down, ""},
                            {"3", trace::ServerPhase::ready, "follower"}};
    CommandContext several{&three, true, true, ClientId::none()};
    EXPECT_FALSE(commandState(Fault::killServer, several).isEnabled());
    const auto kill = command(Fault::killMember, several);
    ASSERT_TRUE(kill.has_value());
    EXPECT_EQ(std::get<engine::Execute>(*kill).action.number, 3U) << "the first that runs and does not lead";
    several.ownServer = false;
    EXPECT_FALSE(commandState(Fault::killLeader, several).isEnabled());
}

TEST_F(CommandTableTest, NeedsASelectedClientForItsOwnCommands)
{
    EXPECT_FALSE(commandState(Fault::killSelected, now()).isEnabled());
    EXPECT_FALSE(commandState(Fault::freezeSelected, now()).isEnabled());
    EXPECT_TRUE(commandState(Fault::killHolder, now()).isEnabled());
    const auto kill = command(Fault::killSelected, now(ClientId{2}));
    ASSERT_TRUE(kill.has_value());
    ASSERT_TRUE(std::holds_alternative<engine::Execute>(*kill));
    EXPECT_EQ(std::get<engine::Execute>(*kill).action.kind, sim::Action::Kind::killSession);
    EXPECT_EQ(std::get<engine::Execute>(*kill).client, ClientId{2});
}

// ada has a second node that she does not know: the commands act on the one that was clicked.
TEST_F(CommandTableTest, ActsOnTheNodeThatWasChosen)
{
    replay::RunState state = model.state();
    ASSERT_FALSE(state.locks.front().queue.empty());
    replay::NodeRow& node = state.locks.front().queue.front();
    node.phase = replay::NodePhase::orphan;
    CommandContext context{&state, true, true, node.owner};
    context.lock = LockId{0};
    context.node = QString::fromUtf8(node.name);
    EXPECT_TRUE(commandState(Fault::deleteNode, context).text.contains("Orphan"));
    const auto chosen = command(Fault::deleteNode, context);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(std::get<engine::Execute>(*chosen).action.node,
              std::string(state.locks.front().path) + "/" + std::string(node.name));
    context.node = "another";
    const auto own = command(Fault::deleteNode, context);
    if (own.has_value()) {
        EXPECT_EQ(std::get<engine::Execute>(*own).action.node, "") << "the client's newest";
    }
}

TEST_F(CommandTableTest, AsksOnlyHoldersThatAcceptIt)
{
    sim::Scenario scenario;
    CommandContext context = now(model.state().locks.front().queue.front().owner);
    context.scenario = &scenario;
    EXPECT_FALSE(commandState(Fault::revoke, context).isEnabled());
    EXPECT_TRUE(commandState(Fault::revoke, context).disabledReason.text().contains("not revocable"));
    scenario.work.revocable = true;
    EXPECT_TRUE(commandState(Fault::revoke, context).isEnabled());
}

TEST_F(CommandTableTest, AFrozenClientIsThawed)
{
    replay::RunState frozen = model.state();
    frozen.clients[1].frozen = true;
    const CommandContext commandContext{&frozen, true, true, ClientId{1}};
    const auto thaw = command(Fault::freezeSelected, commandContext);
    ASSERT_TRUE(thaw.has_value());
    EXPECT_EQ(std::get<engine::Execute>(*thaw).action.kind, sim::Action::Kind::thaw);
    EXPECT_TRUE(commandState(Fault::freezeSelected, commandContext).text.contains("Tha&w"));
    const auto freeze = command(Fault::freezeSelected, now(ClientId{1}));
    ASSERT_TRUE(freeze.has_value());
    EXPECT_EQ(std::get<engine::Execute>(*freeze).action.kind, sim::Action::Kind::freeze);
}

TEST(ApplicationStyleTest, FollowsTheThemeOfTheSystemWhileItIsChosen)
{
    bool systemIsDark = false;
    Theme theme(Theme::ColourScheme::system);
    ApplicationStyle style(&theme, nullptr, [&] { return systemIsDark; });
    QWidget window;
    window.show();
    const auto systemTurns = [&](bool dark) {
        systemIsDark = dark;
        QEvent change(QEvent::ThemeChange); // what Qt sends to every window
        QApplication::sendEvent(window.windowHandle(), &change);
    };
    const auto isDark = [&](bool dark) {
        return QTest::qWaitFor([&] { return theme.palette().dark == dark; }) &&
               Theme::isDark(QApplication::palette()) == dark;
    };
    systemTurns(false);
    EXPECT_TRUE(isDark(false));
    systemTurns(true);
    EXPECT_TRUE(isDark(true));
    theme.setColourScheme(Theme::ColourScheme::light);
    systemTurns(false);
    EXPECT_TRUE(isDark(false));
    theme.setColourScheme(Theme::ColourScheme::dark);
    EXPECT_TRUE(isDark(true));
    theme.setColourScheme(Theme::ColourScheme::system);
    EXPECT_TRUE(isDark(false)) << "what happened meanwhile is known";
}

TEST(FindingsPillsTest, NoGreenHolderWhileAClientActsOnALockItLost)
{
    Theme theme(Theme::ColourScheme::light);
    RunModel model;
    model.openTrace(tests::traceScript("ada holds n1; ada entered; bo waits n2 n1; ada gone; bo fired n1;"
                                       "bo takes n2; bo entered; bo conflict n1; ada lost; ada holdlost n1;"
                                       "ada left"));
    FindingsPills pills(&model, &theme, nullptr);
    pills.setWidth(StatusWidth::full);
    const Pill* holder = pills.findChildren<Pill*>().front();
    const std::size_t all = model.store()->count();
    model.seekEvent(all - 3);
    EXPECT_EQ(holder->words().toStdString(), "! one holder, but ada acts on a lock it lost");
    EXPECT_EQ(holder->verdict(), Pill::Verdict::doubtful);
    EXPECT_EQ(holder->toolTip(), findingText(model.state(), replay::FindingKind::oneHolder));
    model.seekEvent(all);
    EXPECT_EQ(holder->words().toStdString(), "✓ one holder") << "it has left";
    model.seekEvent(all / 2);
    EXPECT_EQ(holder->words().toStdString(), "✓ one holder") << "the past, before";
}

// What a scenario is there to show is no mistake, and what it does not expect is one.
TEST(FindingsPillsTest, AnExpectedViolationReadsAsExpectedAndAnyOtherIsRed)
{
    Theme theme(Theme::ColourScheme::light);
    const auto herd = [](bool expected) {
        auto store = tests::traceScript("ada holds n1; bo joins n2; bo listwatch; bo listed 2; bo decided n2 "
                                        "1/3; cyd joins n3; cyd listwatch;"
                                        "cyd listed 2; cyd decided n3 2/3; ada release n1; bo "
                                        "childrenchanged n1; cyd childrenchanged n1");
        trace::Header header = store->header();
        header.scenarioToml = sim::toToml(*sim::loadScenario(expected ? "herd" : "five-clients"));
        store->setHeader(header);
        return store;
    };
    const auto pill = [](FindingsPills& pills, qsizetype place) {
        return pills.findChildren<Pill*>().at(place);
    };
    for (const bool expected : {true, false}) {
        RunModel model;
        model.openTrace(herd(expected));
        ASSERT_EQ(model.state().findings.of(replay::FindingKind::noHerd).violated, 1U);
        FindingsPills pills(&model, &theme, nullptr);
        pills.setWidth(StatusWidth::full);
        const auto verdict = expected ? Pill::Verdict::expected : Pill::Verdict::bad;
        EXPECT_EQ(pill(pills, 2)->verdict(), verdict) << expected;
        EXPECT_EQ(pill(pills, 2)->words().contains("as the scenario shows"), expected);
        EXPECT_EQ(pill(pills, 0)->verdict(), Pill::Verdict::good) << "one holder";
        pills.setWidth(StatusWidth::mark);
        EXPECT_EQ(pill(pills, 3)->verdict(), verdict) << "all of them in one";
        EXPECT_EQ(pill(pills, 3)->words().contains("as the scenario shows"), expected);
    }
}

// The buttons beside them jumped by 50 pixels.
TEST(FindingsPillsTest, KeepTheRoomOfTheirLongestWordsInARun)
{
    Theme theme(Theme::ColourScheme::light);
    RunModel model;
    model.openTrace(
        tests::traceScript("ada holds n1; ada entered; bo waits n2 n1; ada gone; bo fired n1; bo takes n2"));
    FindingsPills pills(&model, &theme, nullptr);
    for (const auto width : {StatusWidth::full, StatusWidth::brief}) {
        pills.setWidth(width);
        model.seekEvent(model.store()->count());
        const int violated = pills.widthFor(width);
        model.seekEvent(2);
        EXPECT_TRUE(pills.findChildren<Pill*>().at(3)->isHidden()) << "they say less";
        EXPECT_EQ(pills.widthFor(width), violated);
    }
    model.openTrace(tests::traceScript("ada holds n1"));
    EXPECT_EQ(pills.widthFor(StatusWidth::brief), pills.sizeHint().width()) << "of another run";
}

TEST(MenuTips, StandBesideTheMenuAndCoverNoEntry)
{
    MenuTips tips(nullptr);
    QMenu menu;
    menu.setToolTipsVisible(true);
    QAction* explained = menu.addAction("Freeze");
    explained->setToolTip("Stops the client.");
    menu.addAction("Thaw");
    menu.popup({10, 10});
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&menu));
    const QPoint inside = menu.actionGeometry(explained).center();
    QHelpEvent event(QEvent::ToolTip, inside, menu.mapToGlobal(inside));
    QApplication::sendEvent(&menu, &event);
    ASSERT_TRUE(QTest::qWaitFor([] { return QToolTip::isVisible(); }));
    EXPECT_EQ(QToolTip::text(), "Stops the client.");
    for (const QWidget* tip : QApplication::topLevelWidgets())
        EXPECT_FALSE(tip->inherits("QTipLabel") && tip->geometry().intersects(menu.geometry()));
    QToolTip::hideText();
}

// Beside three green pills stood "1 of 9 violated".
TEST(FindingsPillsTest, AViolationOfAnotherFindingHasAPillToo)
{
    Theme theme(Theme::ColourScheme::light);
    RunModel model;
    model.openTrace(
        tests::traceScript("ada holds n1; ada entered; bo waits n2 n1; ada gone; bo fired n1; bo takes n2"));
    ASSERT_EQ(model.state().findings.of(replay::FindingKind::oneHolder).violated, 0U);
    ASSERT_GT(model.state().findings.of(replay::FindingKind::beliefMatchesServer).violated, 0U);
    FindingsPills pills(&model, &theme, nullptr);
    const Pill* summary = pills.findChildren<Pill*>().at(3);
    for (const auto width : {StatusWidth::full, StatusWidth::brief}) {
        pills.setWidth(width);
        EXPECT_FALSE(summary->isHidden());
        EXPECT_EQ(summary->verdict(), Pill::Verdict::bad);
        EXPECT_GE(pills.widthFor(width), pills.sizeHint().width());
    }
    model.seekEvent(2);
    EXPECT_TRUE(summary->isHidden()) << "before it";
}

} // namespace
} // namespace lockscope::ui
