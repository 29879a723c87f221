// The parts of the window by themselves: pace, moments, what can be done to a run, cards and layouts.
#include "core/sim/scenario.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/models/findings_model.h"
#include "ui/models/look.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/shell/application_style.h"
#include "ui/shell/card.h"
#include "ui/shell/client_count_box.h"
#include "ui/shell/command_map.h"
#include "ui/shell/findings_pills.h"
#include "ui/shell/jump_slider.h"
#include "ui/shell/layout_store.h"
#include "ui/shell/pace.h"
#include "ui/shell/pill.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWindow>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(ClientCountBox, OfARecordedRunSaysHowManyItWasMadeWith)
{
    RunModel run;
    Look look{Look::Theme::light};
    ClientCountBox box(&run, &look, nullptr);
    run.openTrace(tests::sampleRun(), {});
    const auto* value = box.findChild<QSpinBox*>();
    ASSERT_TRUE(value);
    for (const std::size_t at : {run.store()->count() / 2, run.store()->count()}) {
        run.seekEvent(at);
        EXPECT_EQ(value->value(), static_cast<int>(run.state().clients.size())) << "also when they are done";
    }
    EXPECT_EQ(clientsTakingPart(run.state()), 0U) << "at the end of this one";
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

// The state of a sample run in which ada holds or waits, with these circumstances.
struct CommandMapTest : testing::Test
{
    CommandMapTest()
    {
        tests::SampleOptions options;
        options.events = 200;
        model.openTrace(tests::sampleRun(options), {});
    }
    Circumstances now(ClientId selected = ClientId::none()) { return {&model.state(), true, true, selected}; }
    RunModel model;
};

TEST_F(CommandMapTest, OffersNothingWithoutALiveRun)
{
    for (const WhatIf what : kWhatIfs) {
        EXPECT_FALSE(offer(what, {}).possible());
        EXPECT_FALSE(command(what, {}).has_value());
        Circumstances recorded = now(ClientId{0});
        recorded.live = false;
        EXPECT_FALSE(command(what, recorded).has_value());
        EXPECT_FALSE(offer(what, recorded).obstacle.text().isEmpty());
    }
}

TEST_F(CommandMapTest, EveryOfferSaysWhatWillHappenAndHasAKey)
{
    std::set<QString> keys;
    for (const WhatIf what : kWhatIfs) {
        const Offer words = offer(what, now(ClientId{1}));
        EXPECT_EQ(words.possible(), command(what, now(ClientId{1})).has_value()) << words.text.toStdString();
        EXPECT_GT(words.consequence.size(), 30);
        EXPECT_FALSE(words.shortcut.isEmpty()) << words.text.toStdString();
        EXPECT_TRUE(keys.insert(words.shortcut.toString()).second) << words.shortcut.toString().toStdString();
        EXPECT_TRUE(words.possible() || words.obstacle.text().size() > 10) << words.text.toStdString();
    }
}

TEST_F(CommandMapTest, ALinkCanFailOnlyWhereThereIsOneAndSaysWhyNot)
{
    Circumstances direct = now(ClientId{1});
    EXPECT_TRUE(offer(WhatIf::cutLink, direct).possible());
    direct.links = Links::tooManyClients;
    EXPECT_TRUE(offer(WhatIf::cutLink, direct).obstacle.text().contains("200"));
    EXPECT_FALSE(command(WhatIf::loseReply, direct).has_value());
    EXPECT_TRUE(offer(WhatIf::killSelected, direct).possible()) << "a session needs no link of ours";

    sim::Scenario scenario;
    scenario.clients = 200;
    EXPECT_EQ(linksFor(scenario, false), Links::there);
    EXPECT_EQ(linksFor(scenario, true), Links::foreignServer);
    scenario.clients = 201;
    EXPECT_EQ(linksFor(scenario, false), Links::tooManyClients);
    scenario.links = true;
    EXPECT_EQ(linksFor(scenario, true), Links::there) << "the scenario asks for it";
    scenario.links = false;
    EXPECT_EQ(linksFor(scenario, false), Links::notWanted);
}

TEST_F(CommandMapTest, TheNumbersThatWereAskedForReachTheDeed)
{
    const auto slow = command(WhatIf::slowLink, now(ClientId{1}), {350, 20});
    ASSERT_TRUE(slow && std::holds_alternative<engine::Do>(*slow));
    EXPECT_EQ(std::get<engine::Do>(*slow).client, ClientId{1});
    EXPECT_EQ(std::get<engine::Do>(*slow).deed.delay, Duration(350ms));
    EXPECT_EQ(std::get<engine::Do>(*slow).deed.jitter, Duration(20ms));
    const auto cut = command(WhatIf::cutLink, now(ClientId{1}), {0});
    ASSERT_TRUE(cut.has_value());
    EXPECT_FALSE(std::get<engine::Do>(*cut).deed.span.has_value()) << "until it is mended";
    for (const WhatIf what : kWhatIfs)
        for (const Parameter& parameter : parameters(what, now(ClientId{1}))) {
            EXPECT_GE(parameter.value, parameter.least);
            EXPECT_LE(parameter.value, parameter.most);
        }
}

TEST_F(CommandMapTest, SeveralServersAreStruckOneByOne)
{
    EXPECT_TRUE(offer(WhatIf::killServer, now()).possible());
    EXPECT_FALSE(offer(WhatIf::killLeader, now()).possible());
    replay::RunState three = model.state();
    three.server.members = {{"1", trace::ServerPhase::ready, "leader"},
                            {"2", trace::ServerPhase::down, ""},
                            {"3", trace::ServerPhase::ready, "follower"}};
    Circumstances several{&three, true, true, ClientId::none()};
    EXPECT_FALSE(offer(WhatIf::killServer, several).possible());
    const auto kill = command(WhatIf::killMember, several);
    ASSERT_TRUE(kill.has_value());
    EXPECT_EQ(std::get<engine::Do>(*kill).deed.number, 3U) << "the first that runs and does not lead";
    several.ownServer = false;
    EXPECT_FALSE(offer(WhatIf::killLeader, several).possible());
}

TEST_F(CommandMapTest, WhoLeftLastComesBack)
{
    EXPECT_FALSE(offer(WhatIf::rejoin, now()).possible());
    replay::RunState left = model.state();
    left.clients[2].phase = replay::ClientPhase::removed;
    const auto back = command(WhatIf::rejoin, {&left, true, true, ClientId::none()});
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(std::get<engine::Do>(*back).deed.client, left.clients[2].name);
    EXPECT_FALSE(std::get<engine::Do>(*back).client.valid()) << "it is not there to be told";
}

TEST_F(CommandMapTest, NeedsASelectedClientForItsOwnCommands)
{
    EXPECT_FALSE(offer(WhatIf::killSelected, now()).possible());
    EXPECT_FALSE(offer(WhatIf::freezeSelected, now()).possible());
    EXPECT_TRUE(offer(WhatIf::killHolder, now()).possible());
    const auto kill = command(WhatIf::killSelected, now(ClientId{2}));
    ASSERT_TRUE(kill.has_value());
    ASSERT_TRUE(std::holds_alternative<engine::KillSession>(*kill));
    EXPECT_EQ(std::get<engine::KillSession>(*kill).client, ClientId{2});
}

TEST_F(CommandMapTest, AFrozenClientIsThawed)
{
    replay::RunState frozen = model.state();
    frozen.clients[1].frozen = true;
    const Circumstances circumstances{&frozen, true, true, ClientId{1}};
    const auto thaw = command(WhatIf::freezeSelected, circumstances);
    ASSERT_TRUE(thaw.has_value());
    EXPECT_TRUE(std::holds_alternative<engine::Thaw>(*thaw));
    EXPECT_TRUE(offer(WhatIf::freezeSelected, circumstances).text.contains("Thaw"));
    const auto freeze = command(WhatIf::freezeSelected, now(ClientId{1}));
    ASSERT_TRUE(freeze.has_value());
    EXPECT_TRUE(std::holds_alternative<engine::Freeze>(*freeze));
}

TEST_F(CommandMapTest, AClientThatLeftCanNotBeKilled)
{
    replay::RunState left = model.state();
    left.clients[1].phase = replay::ClientPhase::removed;
    EXPECT_FALSE(offer(WhatIf::killSelected, {&left, true, true, ClientId{1}}).possible());
    EXPECT_EQ(clientsTakingPart(left), clientsTakingPart(model.state()) - 1);
}

TEST(ApplicationStyleTest, FollowsTheThemeOfTheSystemWhileItIsChosen)
{
    bool systemIsDark = false;
    Look look(Look::Theme::system);
    ApplicationStyle style(&look, nullptr, [&] { return systemIsDark; });
    QWidget window;
    window.show();
    const auto systemTurns = [&](bool dark) {
        systemIsDark = dark;
        QEvent change(QEvent::ThemeChange); // what Qt sends to every window
        QApplication::sendEvent(window.windowHandle(), &change);
    };
    const auto isDark = [&](bool dark) {
        return QTest::qWaitFor([&] { return look.palette().dark == dark; }) &&
               Look::isDark(QApplication::palette()) == dark;
    };
    systemTurns(false);
    EXPECT_TRUE(isDark(false));
    systemTurns(true);
    EXPECT_TRUE(isDark(true));
    look.setTheme(Look::Theme::light);
    systemTurns(false);
    EXPECT_TRUE(isDark(false));
    look.setTheme(Look::Theme::dark);
    EXPECT_TRUE(isDark(true));
    look.setTheme(Look::Theme::system);
    EXPECT_TRUE(isDark(false)) << "what happened meanwhile is known";
}

TEST(PillTest, SaysItsVerdictByAMarkToo)
{
    Look look(Look::Theme::light);
    Pill pill(&look, nullptr);
    pill.show(Pill::Verdict::good, "one holder", "holder", "checked 12 times");
    EXPECT_EQ(pill.words().toStdString(), "✓ one holder");
    pill.setWidth(Pill::Width::brief);
    EXPECT_EQ(pill.words().toStdString(), "✓ holder");
    pill.show(Pill::Verdict::bad, "two holders", "holder", "at event 7");
    EXPECT_EQ(pill.words().toStdString(), "! holder");
    EXPECT_EQ(pill.toolTip().toStdString(), "at event 7");
}

TEST(FindingsPillsTest, NoGreenHolderWhileAClientActsOnALockItLost)
{
    Look look(Look::Theme::light);
    RunModel model;
    model.openTrace(tests::traceScript("ada holds n1; ada entered; bo waits n2 n1; ada gone; bo fired n1;"
                                       "bo takes n2; bo entered; bo conflict n1; ada lost; ada holdlost n1;"
                                       "ada left"),
                    {});
    FindingsPills pills(&model, &look, nullptr);
    pills.setWidth(FindingsPills::Width::full);
    const Pill* holder = pills.findChildren<Pill*>().front();
    const std::size_t all = model.store()->count();
    model.seekEvent(all - 3);
    EXPECT_EQ(holder->words().toStdString(), "! one holder, but ada acts on a lock it lost");
    EXPECT_EQ(holder->verdict(), Pill::Verdict::doubtful);
    EXPECT_EQ(holder->toolTip(), findingSentence(model.state(), replay::FindingKind::oneHolder));
    model.seekEvent(all);
    EXPECT_EQ(holder->words().toStdString(), "✓ one holder") << "it has left";
    model.seekEvent(all / 2);
    EXPECT_EQ(holder->words().toStdString(), "✓ one holder") << "the past, before";
}

// What a scenario is there to show is no mistake, and what it does not expect is one.
TEST(FindingsPillsTest, AnExpectedViolationReadsAsExpectedAndAnyOtherIsRed)
{
    Look look(Look::Theme::light);
    const auto herd = [](bool expected) {
        auto store = tests::traceScript(
            "ada holds n1; bo joins n2; bo listwatch; bo listed 2; bo decided n2 1/3; cyd joins n3; cyd listwatch;"
            "cyd listed 2; cyd decided n3 2/3; ada release n1; bo childrenchanged n1; cyd childrenchanged n1");
        trace::Header header = store->header();
        header.scenarioToml = sim::toToml(*sim::loadScenario(expected ? "herd" : "five-clients"));
        store->setHeader(header);
        return store;
    };
    const auto pill = [](FindingsPills& pills, qsizetype place) { return pills.findChildren<Pill*>().at(place); };
    for (const bool expected : {true, false}) {
        RunModel model;
        model.openTrace(herd(expected), {});
        ASSERT_EQ(model.state().findings.of(replay::FindingKind::noHerd).violated, 1U);
        FindingsPills pills(&model, &look, nullptr);
        pills.setWidth(FindingsPills::Width::full);
        const auto verdict = expected ? Pill::Verdict::expected : Pill::Verdict::bad;
        EXPECT_EQ(pill(pills, 2)->verdict(), verdict) << expected;
        EXPECT_EQ(pill(pills, 2)->words().contains("as the scenario shows"), expected);
        EXPECT_EQ(pill(pills, 0)->verdict(), Pill::Verdict::good) << "one holder";
        pills.setWidth(FindingsPills::Width::one);
        EXPECT_EQ(pill(pills, 3)->verdict(), verdict) << "all of them in one";
        EXPECT_EQ(pill(pills, 3)->words().contains("as the scenario shows"), expected);
    }
}

TEST(CardHeaderTest, ACutCaptionIsInTheToolTip)
{
    Look look(Look::Theme::light);
    CardHeader header("Watch chain", &look);
    header.setCaption("/locks/well · each waiter watches only the node in front of it");
    header.resize(900, CardHeader::kHeight);
    header.show();
    EXPECT_TRUE(header.toolTip().isEmpty());
    header.resize(200, CardHeader::kHeight);
    EXPECT_EQ(header.toolTip(), header.caption());
}

TEST(CardHeaderTest, ANarrowHeaderHasTheShorterCaptionAndTheToolTipTheWhole)
{
    Look look(Look::Theme::light);
    CardHeader header("Lock children, sorted", &look);
    header.setCaption(QString("getChildren /locks/well") + kShorter + "/locks/well");
    EXPECT_EQ(header.caption(), "getChildren /locks/well");
    TextCache& texts = look.texts();
    const QFont& font = look.fonts().small;
    const double whole = texts.width(font, header.caption());
    const QString variants = header.caption() + kShorter + "/locks/well";
    EXPECT_EQ(texts.fitting(font, variants, whole + 1), "getChildren /locks/well");
    EXPECT_EQ(texts.fitting(font, variants, whole - 1), "/locks/well");
    EXPECT_EQ(texts.fitting(font, variants, 1), "/locks/well");
    const int title = static_cast<int>(texts.width(look.fonts().title, "Lock children, sorted"));
    header.resize(title + static_cast<int>(whole) + 20, CardHeader::kHeight);
    header.show();
    EXPECT_EQ(header.toolTip(), "getChildren /locks/well");
}

struct LayoutStoreTest : testing::Test
{
    // Two docks, one beside the other.
    struct Window : QMainWindow
    {
        Window()
        {
            for (const char* name : {"one", "two"}) {
                auto* dock = new QDockWidget(name, this);
                dock->setObjectName(name);
                addDockWidget(Qt::LeftDockWidgetArea, dock);
            }
        }
        QDockWidget* dock(const char* name) { return findChild<QDockWidget*>(name); }
    };
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    LayoutStore store{&settings};
};

TEST_F(LayoutStoreTest, BringsTheDocksBackToWhereTheyWere)
{
    Window before;
    before.resize(700, 500);
    before.addDockWidget(Qt::RightDockWidgetArea, before.dock("two"));
    before.dock("one")->hide();
    store.save(before, before);

    Window after;
    EXPECT_TRUE(store.restore(after, after));
    EXPECT_EQ(after.dockWidgetArea(after.dock("two")), Qt::RightDockWidgetArea);
    EXPECT_FALSE(after.dock("one")->isVisibleTo(&after));
    EXPECT_EQ(after.size(), QSize(700, 500));
}

TEST_F(LayoutStoreTest, DoesNotRestoreAnotherVersionsLayout)
{
    Window before;
    before.addDockWidget(Qt::RightDockWidgetArea, before.dock("two"));
    store.save(before, before);
    settings.setValue("layout/version", LayoutStore::kVersion + 1);

    Window after;
    EXPECT_FALSE(store.restore(after, after));
    EXPECT_EQ(after.dockWidgetArea(after.dock("two")), Qt::LeftDockWidgetArea);
}

TEST_F(LayoutStoreTest, GarbageLeavesTheWindowAsItIs)
{
    settings.setValue("layout/version", LayoutStore::kVersion);
    settings.setValue("layout/docks", QByteArray("garbage"));
    Window window;
    EXPECT_FALSE(store.restore(window, window));
    EXPECT_EQ(window.dockWidgetArea(window.dock("two")), Qt::LeftDockWidgetArea);
}

} // namespace
} // namespace lockscope::ui
