// A window that watches a lock of others: it changes nothing there, and says nothing that it does not know.
#include "tests/integration/session_id_search.h"
#include "tests/support/restricted_node.h"
#include "tests/ui/shell/attach_fixture.h"
#include "tests/ui/translation/shown_texts.h"
#include "ui/commands/command_list.h"
#include "ui/locks/watch_dock.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

// A lock of others whose holder and waiter stay as they are.
struct WatchingWindowTest : AttachTest
{
    void SetUp() override
    {
        address = freshServer(server);
        for (const char* path : {"/theirs", "/theirs/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-0000000001",
                                 "/theirs/_c_8ad7f3c2-0000-4000-8000-000000000002-lock-0000000002"})
            ASSERT_TRUE(tests::makeRestrictedNode(address, path, tests::allRights));
        before = zxidOf(address);
    }
    std::string shownQueue()
    {
        std::string text = std::to_string(state().clients.size()) + " clients";
        for (const auto& lock : state().locks)
            for (const auto& node : lock.queue)
                text += "; " + std::string(node.name) + " " + std::to_string(static_cast<int>(node.phase));
        return text;
    }
    void watch(const char* path = "/theirs")
    {
        window->control().attach({QString::fromStdString(address), path, 0});
        ASSERT_TRUE(waitFor([this] {
            return window->control().stage() == RunController::Stage::watching && !state().locks.empty() &&
                   state().locks[0].place;
        })) << messages().toStdString();
    }
    // Whatever it opened.
    void closeOthers()
    {
        for (QDialog* each : window->findChildren<QDialog*>())
            each->reject();
        for (QWidget* each : QApplication::topLevelWidgets())
            if (each != window.get() && each->isVisible())
                each->close();
    }
    // These end or replace the run that watches.
    static bool endsIt(const QAction& action)
    {
        static const QStringList names{"quit", "closeRun", "runOrPause", "runAgain", "play", "startLearning"};
        return names.contains(action.objectName()) || action.objectName().startsWith("lesson.");
    }

    std::unique_ptr<server::ManagedServer> server;
    std::string address;
    std::int64_t before = 0;
};

TEST_F(WatchingWindowTest, NoCommandAndNoKeyChangesAnythingThere)
{
    watch();
    ASSERT_TRUE(waitFor([this] { return state().locks[0].queue.size() == 2; }));
    const QList<QAction*> all = window->findChildren<QAction*>();
    std::vector<QKeySequence> keys;
    for (QAction* action : all) {
        if (endsIt(*action) || action->menu())
            continue;
        keys.push_back(action->shortcut());
        action->trigger();
        closeOthers();
    }
    EXPECT_GT(keys.size(), 60U);
    window->findChild<QAction*>("welcome")->setChecked(false);
    window->findChild<QAction*>("presentation")->setChecked(false);
    for (const QKeySequence& key : keys) {
        if (key.isEmpty())
            continue;
        QTest::keySequence(window.get(), key);
        closeOthers();
        window->findChild<QAction*>("welcome")->setChecked(false);
        window->findChild<QAction*>("presentation")->setChecked(false);
    }
    for (int i = 0; i < static_cast<int>(kFaults.size()); ++i)
        window->control().injectFaultInto(ClientId{0}, kFaults[static_cast<std::size_t>(i)], {1, 1});
    window->control().addClients(2);
    window->control().removeClients(1);
    window->control().setPace(std::chrono::seconds(1));
    // What was posted is carried out before this.
    window->control().post(engine::Finish{});
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::ended; }));
    window->model().follow(); // some of the keys lead to the beginning
    ASSERT_TRUE(waitFor([this] { return state().locks.size() == 1; }));
    EXPECT_TRUE(state().clients.empty());
    EXPECT_EQ(state().locks.at(0).queue.size(), 2U);
    const auto& store = *window->model().store();
    for (std::size_t i = 0; i < store.count(); ++i)
        EXPECT_FALSE(std::holds_alternative<trace::CommandRefused>(store.at(i).what))
            << "the window itself does not ask for it";
    window->model().endRun();
    EXPECT_LE(zxidOf(address), before + 8) << "sessions, made and closed: a key may start the watching anew";
}

struct JoiningWindowTest : WatchingWindowTest
{};

// Who joins a lock that is in use is told by whom, and decides; until then nothing is changed.
TEST_F(JoiningWindowTest, ALockInUseAsksWhetherToWatchItToJoinItOrNeither)
{
    const auto question = [this] { return window->findChild<QMessageBox*>("foreignQuestion"); };
    const auto ask = [&] {
        window->control().attach({QString::fromStdString(address), "/theirs", 2});
        ASSERT_TRUE(waitFor([&] { return question() != nullptr; })) << messages().toStdString();
    };
    const auto answer = [&](const QString& text) {
        for (QAbstractButton* button : question()->buttons())
            if (button->text().remove(u'&').startsWith(text))
                return button->click();
        ADD_FAILURE() << "there is no such answer: " << text.toStdString();
    };
    ask();
    EXPECT_TRUE(question()->text().contains("/theirs") &&
                question()->text().contains("2 of Curator or LockScope"))
        << question()->text().toStdString();
    EXPECT_TRUE(question()->informativeText().contains("2 clients of LockScope"))
        << question()->informativeText().toStdString();
    EXPECT_TRUE(question()->defaultButton()->text().contains("Watch"));
    answer("Cancel");
    ASSERT_TRUE(waitFor([&] { return question() == nullptr; }));
    EXPECT_EQ(window->control().stage(), RunController::Stage::ended);
    EXPECT_TRUE(state().clients.empty());
    EXPECT_TRUE(messages().contains("Other programs use")) << "it stays to be read";
    EXPECT_LE(zxidOf(address), before + 2) << "the session that looked";

    ask();
    answer("Watch");
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::watching; }));
    EXPECT_TRUE(window->control().isWatchOnly());
    ASSERT_TRUE(waitFor([&] { return question() == nullptr; }));

    ask();
    answer("Join");
    ASSERT_TRUE(waitFor([this] {
        if (state().clients.size() != 2 || state().locks.empty())
            return false;
        const auto& queue = state().locks[0].queue;
        return queue.size() == 4 && queue[0].phase == replay::NodePhase::foreign;
    })) << "they queue behind the others; "
        << messages().toStdString() << shownQueue();
    window->model().endRun();
    window->findChild<QAction*>("runAgain")->trigger();
    EXPECT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::running; }));
    EXPECT_EQ(question(), nullptr) << "once is enough";
}

TEST_F(WatchingWindowTest, ALessonHasAServerOfItsOwn)
{
    watch();
    action("lesson.opening")->trigger();
    ASSERT_TRUE(waitFor([this] { return state().clients.size() == 3 && !state().server.address.empty(); }));
    EXPECT_NE(state().server.address, address);
    EXPECT_NE(state().server.mode.find("embedded"), std::string_view::npos);
    window->model().endRun();
    EXPECT_LE(zxidOf(address), before + 2) << "the session that watched";
}

TEST_F(WatchingWindowTest, SaysOfEachSuchCommandWhyItCannotBeDone)
{
    watch();
    const QString why = watchOnlyReason().text();
    int changing = 0;
    const auto explained = [&] {
        changing = 0;
        for (const CommandEntry& entry : commandsOf(*window)) {
            const QString name = entry.action ? entry.action->objectName() : QString();
            static const QStringList others{"slower",        "faster", "stepMode", "stepNext",
                                            "step",          "letGo",  "letAllGo", "untilAcquired",
                                            "untilSelected", "fork",   "saveOrder"};
            if (!name.startsWith("fault.") && !others.contains(name))
                continue;
            ++changing;
            if (entry.enabled || entry.description != why)
                return false;
        }
        return true;
    };
    EXPECT_TRUE(waitFor(explained));
    EXPECT_EQ(changing, static_cast<int>(kFaults.size()) + 11);
    EXPECT_FALSE(window->findChild<QPushButton*>("whatIfButton")->isEnabled());
    EXPECT_FALSE(window->findChild<QPushButton*>("stepButton")->isEnabled());
    EXPECT_FALSE(window->findChild<QWidget*>("clientCount")->isEnabled());
    EXPECT_FALSE(window->findChild<QWidget*>("paceSlider")->isEnabled());

    // The run button ends it; another run has all of them again.
    window->findChild<QAction*>("runOrPause")->trigger();
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::ended; }));
    window->control().startBuiltIn("five-clients");
    ASSERT_TRUE(waitFor([this] { return state().statistics.acquired > 0; }));
    EXPECT_TRUE(waitFor([this] {
        return window->findChild<QAction*>("stepMode")->isEnabled() &&
               window->findChild<QAction*>("slower")->isEnabled() &&
               window->findChild<QWidget*>("paceSlider")->isEnabled();
    }));
    EXPECT_NE(window->findChild<QAction*>("slower")->statusTip(), why);
    EXPECT_NE(window->findChild<QAction*>("stepMode")->statusTip(), why);
}

TEST_F(WatchingWindowTest, SaysNothingThatIsNotKnown)
{
    watch();
    ASSERT_TRUE(waitFor([this] { return state().locks[0].queue.size() == 2; }));
    for (const char* card : {"chain", "lock-children", "timeline", "charts", "clients", "findings", "watches",
                             "log", "inspector"})
        if (auto* dock = window->docks().card(card))
            dock->show();
    EXPECT_EQ(state().locks[0].queue[0].phase, replay::NodePhase::holds);
    const test::Texts texts = test::allTexts(*window);
    static const QRegularExpression claims(
        "nobody (has|holds|watched|watches)|not ours|nobody's|belongs to no client|No client has joined|"
        "token 0x",
        QRegularExpression::CaseInsensitiveOption);
    for (auto text = texts.begin(); text != texts.end(); ++text)
        EXPECT_FALSE(claims.match(text.value()).hasMatch())
            << text.key().toStdString() << ": " << text.value().toStdString();
    watch("/nowhere");
    EXPECT_EQ(state().locks[0].place->kind, trace::PathKind::missing);
}

// One above the other, neither had the room that its rows need.
TEST_F(WatchingWindowTest, StandsInFrontOfALesson)
{
    window->lessons().open("opening");
    ASSERT_TRUE(waitFor([this] { return state().clients.size() == 3; }));
    watch();
    EXPECT_TRUE(window->tabifiedDockWidgets(window->lessons().dock()).contains(&window->watch()));
    EXPECT_FALSE(window->watch().visibleRegion().isEmpty());
    EXPECT_GE(window->watch().height(), window->docks().height());
}

// It had the other's width, 45 % of the window, also after the other was gone.
TEST_F(WatchingWindowTest, ALessonBehindItKeepsItsWidth)
{
    window->resize(2560, 1440);
    window->lessons().open("opening");
    ASSERT_TRUE(waitFor([this] { return state().clients.size() == 3; }));
    QDockWidget* lesson = window->lessons().dock();
    const int width = lesson->width();
    ASSERT_LT(width, 450);
    watch();
    const auto isWide = [this] { return window->watch().width() > window->width() * 2 / 5; };
    EXPECT_TRUE(waitFor(isWide)) << window->watch().width();
    lesson->raise();
    EXPECT_TRUE(waitFor([&] { return std::abs(lesson->width() - width) <= 2; })) << lesson->width();
    window->resize(2400, 1300);
    EXPECT_LE(lesson->width(), width + 2);
    window->watch().raise();
    EXPECT_TRUE(waitFor(isWide)) << "its own";
    window->watch().close();
    EXPECT_TRUE(waitFor([&] { return std::abs(lesson->width() - width) <= 2; })) << lesson->width();
}

// It is about what was watched, and takes the room of what is shown.
TEST_F(WatchingWindowTest, ThePanelStaysAsLongAsWhatItIsAbout)
{
    watch();
    action("runOrPause")->trigger();
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::ended; }));
    EXPECT_TRUE(window->watch().isVisible()) << "the last that was seen can be read";
    window->control().startBuiltIn("two-clients");
    EXPECT_FALSE(window->watch().isVisible());
    watch();
    EXPECT_TRUE(window->watch().isVisible());
    action("closeRun")->trigger();
    EXPECT_FALSE(window->watch().isVisible());
}

// The scrub bar had no room beside a panel that kept its width.
TEST_F(WatchingWindowTest, ThePanelKeepsItsShareOfTheWindow)
{
    window->resize(1280, 800);
    watch();
    const auto share = [this] {
        QApplication::processEvents();
        return static_cast<double>(window->watch().width()) / window->width();
    };
    EXPECT_NEAR(share(), 0.45, 0.03);
    for (const int width : {1150, 1000, 1600, 1280}) {
        window->resize(width, 800);
        EXPECT_NEAR(share(), 0.45, 0.03) << width;
    }
    window->resizeDocks({&window->watch()}, {420}, Qt::Horizontal); // by the user
    EXPECT_NEAR(share(), 420.0 / 1280, 0.01);
    window->resize(1560, 800);
    EXPECT_NEAR(share(), 420.0 / 1280, 0.02);
}

TEST_F(WatchingWindowTest, ClosingTheRunEndsTheWatching)
{
    watch();
    const auto watchesOnServer = [this] { return lockscope::test::watchingSessions(address).size(); };
    ASSERT_TRUE(waitFor([&] { return watchesOnServer() == 1; }));
    action("closeRun")->trigger();
    EXPECT_EQ(window->control().stage(), RunController::Stage::ended);
    EXPECT_FALSE(window->model().canGrow());
    EXPECT_TRUE(page()->isVisible());
    EXPECT_TRUE(waitFor([&] { return watchesOnServer() == 0; })) << "behind the page no session stays";
}

} // namespace
} // namespace lockscope::ui
