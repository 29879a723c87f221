// Attaching to a lock of others from the welcome page: by keys and by mouse, on a real ZooKeeper, and where
// no server answers.
#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "tests/integration/session_id_search.h"
#include "tests/support/restricted_node.h"
#include "tests/support/secure_server.h"
#include "tests/ui/translation/shown_texts.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/commands/command_list.h"
#include "ui/locks/watch_dock.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/welcome/welcome_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace lockscope::ui {
namespace {

TEST(AttachTarget, AddressesAreCheckedBeforeAnythingIsTried)
{
    for (const char* right : {"127.0.0.1:2181", "localhost:1", "zoo-1.example.org:65535", "[::1]:2181",
                              "10.0.0.1:2181, 10.0.0.2:2181", "zoo:1,"})
        EXPECT_EQ(serversError(right).text, QString()) << right;
    struct Case
    {
        const char* typed;
        const char* says;
        int at, length; // what is marked
    };
    for (const Case& each : {Case{"", "it is empty", 0, 0},
                             {"zoo", "the port is missing", 0, 3},
                             {":2181", "the host is missing", 0, 5},
                             {"zoo:0", "\"0\" is not a port", 0, 5},
                             {"zoo:65536", "\"65536\" is not a port", 0, 9},
                             {"zoo:x", "\"x\" is not a port", 0, 5},
                             {"zoo:", "\"\" is not a port", 0, 4},
                             {"zo o:1", "is not a host name", 0, 6},
                             {"[::1:2181", "in brackets", 0, 9},
                             {"::1:2181", "in brackets", 0, 8},
                             {"::1", "in brackets", 0, 3},
                             {"a:1,b", "Address 2, \"b\": the port is missing", 4, 1},
                             {"a:1,,b:2", "Address 2: it is empty", 4, 0}}) {
        const InputError fault = serversError(each.typed);
        EXPECT_TRUE(fault.text.contains(each.says)) << each.typed << ": " << fault.text.toStdString();
        EXPECT_EQ(fault.at, each.at) << each.typed;
        EXPECT_EQ(fault.length, each.length) << each.typed;
    }
}

TEST(AttachTarget, RecentOnesAreKeptNewestFirst)
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
    RecentTargets places(&settings);
    places.add({"a:1", "/one"});
    places.add({"b:2,c:3", "/two words"});
    places.add({"d:4/my app", "/three"});
    places.add({"a:1", "/one"});
    settings.setValue("recentLocks", settings.value("recentLocks").toStringList() << "spoilt"
                                                                                  << "x:y /z");
    const QList<AttachTarget> again = RecentTargets(&settings).all();
    ASSERT_EQ(again.size(), 3);
    EXPECT_EQ(again[0].path, "/one");
    EXPECT_EQ(again[1].servers, "d:4/my app");
    EXPECT_EQ(again[1].path, "/three");
    EXPECT_EQ(again[2].servers, "b:2,c:3");
    EXPECT_EQ(again[2].path, "/two words");
}

TEST(AttachTarget, OfTheFilesOfTlsTheNamesAreKept)
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
    RecentTargets places(&settings);
    places.add({"tls://a:1", "/one", 0, {.ca = "/old.pem"}});
    places.add({"tls://a:1", "/one", 0, {.ca = "/a b.pem", .certificate = "/c.pem", .key = "/k.pem"}});
    places.add({"tls://b:2", "/two"});
    const QList<AttachTarget> again = RecentTargets(&settings).all();
    ASSERT_EQ(again.size(), 2) << "the same place once, with its newest files";
    EXPECT_EQ(again[0].tls.ca, "");
    EXPECT_EQ(again[1].path, "/one");
    EXPECT_EQ(again[1].tls.ca, "/a b.pem");
    EXPECT_EQ(again[1].tls.certificate, "/c.pem");
    EXPECT_EQ(again[1].tls.key, "/k.pem");
}

TEST(AttachTarget, TheSchemeAndTheBoxOfTlsAreOne)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"tls://a:1, b:2/my app", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* box = dialog.findChild<QCheckBox*>("attachSecured");
    auto* servers = dialog.findChild<QLineEdit*>("attachServers");
    const auto* ca = dialog.findChild<QLineEdit*>("attachCa");
    AttachTarget place;
    QObject::connect(&dialog, &AttachDialog::chosen, [&](const AttachTarget& chosen) { place = chosen; });
    EXPECT_TRUE(box->isChecked());
    EXPECT_TRUE(ca->isVisible());
    box->click();
    EXPECT_EQ(servers->text(), "a:1, b:2/my app");
    EXPECT_FALSE(ca->isVisible());
    box->click();
    QTest::keyClick(&dialog, Qt::Key_Return);
    EXPECT_EQ(place.servers, "tls://a:1,b:2/my app");
}

// It stayed as high as with the fields for the files.
TEST(AttachTarget, TheDialogShrinksWithItsRows)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"a:1", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    const int before = dialog.height();
    auto* box = dialog.findChild<QCheckBox*>("attachSecured");
    box->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog.height() > before; }));
    box->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.height() <= before; }))
        << dialog.height() << " after " << before;
}

// It was "The lock path "" does not begin with a slash".
TEST(AttachTarget, AMissingPathIsSaidToBeMissing)
{
    for (const InputError& fault : {pathError({}), watchedPathsError({}), watchedPathsError("  ")})
        EXPECT_EQ(fault.text, "The path is missing: enter that of the lock, for example /locks/orders.");
    EXPECT_TRUE(pathError("locks").text.contains("slash"));
}

// The command was "Attach to a Lock" in the menu, "Look at a Lock" on the welcome page.
TEST(AttachTarget, TheDialogHasTheNameOfItsCommand)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"a:1", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    const CommandRow* command = commandRow("attach");
    ASSERT_NE(command, nullptr);
    EXPECT_EQ(dialog.windowTitle(), command->brief);
    EXPECT_EQ(format::withoutMnemonic(command->text), QString(command->brief) + u'…');
    const QPushButton* yes = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    EXPECT_EQ(yes->text(), "Watch");
    dialog.findChild<QRadioButton*>("attachJoins")->click();
    EXPECT_EQ(yes->text(), "Join…");
}

TEST(AttachTarget, ThePathThatIsWrongIsMarked)
{
    const Theme theme{Theme::ColourScheme::light};
    struct Case
    {
        const char* typed;
        int at; // of what is left when blanks at the ends are removed
    };
    for (const Case& each : {Case{"  /locks/ ", 0}, {"/locks/a/b, /locks/", 12}, {" /locks/, /locks/a", 0}}) {
        AttachDialog dialog({}, {"127.0.0.1:2181", each.typed}, &theme, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTest::keyClick(&dialog, Qt::Key_Return);
        const auto* path = dialog.findChild<QLineEdit*>("attachPath");
        EXPECT_EQ(path->selectedText(), "/locks/") << each.typed;
        EXPECT_EQ(path->selectionStart(), each.at) << each.typed;
    }
}

struct AttachTest : WindowTest
{
    AttachTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        window->findChild<QAction*>("welcome")->setChecked(true);
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    static std::string freshServer(std::unique_ptr<server::ManagedServer>& kept)
    {
        auto started = server::ManagedServer::start({});
        EXPECT_TRUE(started) << (started ? "" : started.error().text());
        if (!started)
            return {};
        kept = std::move(*started);
        return kept->address();
    }
    AttachDialog* dialog() { return window->findChild<AttachDialog*>(); }
    WelcomePage* page() { return window->scenarioController().welcome(); }
    void type(const char* field, const QString& text)
    {
        auto* line = dialog()->findChild<QLineEdit*>(field);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    // The second time that it is asked; null when it is not.
    QMessageBox* question()
    {
        return dialog() ? dialog()->findChild<QMessageBox*>("attachQuestion") : nullptr;
    }
    void answer(QMessageBox::ButtonRole role)
    {
        for (QAbstractButton* button : question()->buttons())
            if (question()->buttonRole(button) == role)
                return QTest::keyClick(button, Qt::Key_Space);
        ADD_FAILURE() << "there is no such answer";
    }
};

TEST_F(AttachTest, JoinsALockByKeysAloneAndIsAskedTwice)
{
    std::unique_ptr<server::ManagedServer> server;
    const QString address = QString::fromStdString(freshServer(server));
    QTest::keyClick(page()->search(), Qt::Key_L, Qt::ControlModifier);
    ASSERT_NE(dialog(), nullptr);
    auto* watches = dialog()->findChild<QRadioButton*>("attachWatches");
    EXPECT_TRUE(watches->isChecked()) << "joining is a choice";
    auto* joins = dialog()->findChild<QRadioButton*>("attachJoins");
    joins->setFocus();
    QTest::keyClick(joins, Qt::Key_Space);
    EXPECT_TRUE(joins->isChecked());
    EXPECT_TRUE(dialog()->findChild<QSpinBox*>("attachClients")->isEnabled());
    type("attachServers", address + ",127.0.0.1:x");
    type("attachPath", "/locks/theirs");
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_NE(dialog(), nullptr) << "what is wrong is said where it was typed";
    EXPECT_EQ(question(), nullptr);
    auto* fault = dialog()->findChild<QLabel*>("attachFault");
    EXPECT_TRUE(fault->isVisible());
    EXPECT_TRUE(fault->text().contains("Address 2, \"127.0.0.1:x\": \"x\" is not a port"))
        << fault->text().toStdString();
    EXPECT_EQ(dialog()->findChild<QLineEdit*>("attachServers")->selectedText(), "127.0.0.1:x");
    type("attachServers", address);
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(question()->text().contains("/locks/theirs") && question()->text().contains(address))
        << question()->text().toStdString();
    answer(QMessageBox::RejectRole);
    ASSERT_TRUE(waitFor([this] { return question() == nullptr; }));
    ASSERT_NE(dialog(), nullptr) << "it goes back to what was typed";
    EXPECT_FALSE(window->model().hasRun());
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_NE(question(), nullptr);
    answer(QMessageBox::AcceptRole);
    ASSERT_TRUE(waitFor([this] { return state().statistics.acquired > 5; })) << messages().toStdString();
    EXPECT_FALSE(page()->isVisible());
    EXPECT_EQ(QString::fromStdString(std::string(state().server.address)), address);
    EXPECT_NE(state().server.mode.find("attached"), std::string_view::npos);
    EXPECT_EQ(state().locks.at(0).path, "/locks/theirs");
    EXPECT_EQ(state().clients.size(), 5U);
    const QList<AttachTarget> recent = RecentTargets(&settings).all();
    ASSERT_EQ(recent.size(), 1);
    EXPECT_EQ(recent[0].path, "/locks/theirs");

    // A scenario that is chosen afterwards has its own server again.
    window->control().startBuiltIn("two-clients");
    ASSERT_TRUE(waitFor([this] { return state().server.phase == trace::ServerPhase::ready; }));
    EXPECT_NE(state().server.mode.find("embedded"), std::string_view::npos);
}

std::int64_t zxidOf(const std::string& address)
{
    const auto status = server::sendFourLetterWord(address, "srvr", std::chrono::seconds(10));
    EXPECT_TRUE(status) << status.error().text();
    const std::size_t at = status ? status->find("Zxid: 0x") : std::string::npos;
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? 0 : std::stoll(status->substr(at + 8), nullptr, 16);
}

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

// The screen shows real ids, like other tools; files must not contain them.
TEST_F(AttachTest, FilesOfAWatchedLockHaveNoRealSession)
{
    std::unique_ptr<server::ManagedServer> server;
    const std::string address = freshServer(server);
    engine::Options theirs;
    theirs.scenario = *sim::loadScenario("five-clients");
    sim::forEachWork(theirs.scenario, [](sim::Work& work) { work.cycles = 0; });
    theirs.scenario.pace = std::chrono::milliseconds(200);
    theirs.scenario.locks = {"/theirs"};
    theirs.connect = address;
    engine::Engine others(theirs);
    others.start();
    window->control().attach({QString::fromStdString(address), "/theirs", 0});
    std::set<SessionId> sessions;
    ASSERT_TRUE(waitFor([&] {
        sessions.merge(lockscope::test::watchingSessions(address));
        return sessions.size() >= 4 && !state().locks.empty() && state().locks[0].queue.size() >= 2;
    }));
    const auto shorts = [&](const QString& text) {
        int found = 0;
        for (const SessionId session : sessions)
            found += text.contains(format::sessionShort(session)) || text.contains(format::session(session))
                         ? 1
                         : 0;
        return found;
    };
    auto* participants = window->findChild<QTableView*>("watchParticipants");
    // The card of a participant has its session; a participant may be gone before it is drawn.
    const auto showsSessions = [&] {
        participants->setCurrentIndex(participants->model()->index(1, 0));
        return shorts(QString::fromUtf8(svgOf(*window))) > 0;
    };
    ASSERT_TRUE(waitFor(showsSessions)) << "the screen has them";

    auto* exportController = window->findChild<ExportController*>();
    const QString drawing = folder.filePath("a.svg"), picture = folder.filePath("a.png");
    const auto positionBefore = window->model().position();
    exportController->savePictureOf("window", drawing);
    exportController->savePictureOf("window", picture);
    const auto hasNone = [&](const QString& file) {
        const std::string bytes = lockscope::test::readAll(file.toStdString());
        EXPECT_FALSE(bytes.empty()) << file.toStdString();
        EXPECT_EQ(lockscope::test::realIdsIn(bytes, sessions), std::vector<std::string>{})
            << file.toStdString();
        return shorts(QString::fromStdString(bytes)) == 0;
    };
    EXPECT_TRUE(hasNone(drawing)) << "not the last digits either";
    EXPECT_NE(lockscope::test::readAll(drawing.toStdString()).find("session"), std::string::npos);
    hasNone(picture);
    EXPECT_GE(window->model().position(), positionBefore);
    EXPECT_TRUE(waitFor(showsSessions)) << "the screen has them again";

    window->control().saveTrace(folder.filePath("a.jsonl"));
    ASSERT_TRUE(waitFor([&] { return messages().contains("a.jsonl"); }));
    EXPECT_TRUE(hasNone(folder.filePath("a.jsonl")));
    for (const auto& [kind, name] : {std::pair(exports::Kind::handoffs, "handoffs.csv"),
                                     {exports::Kind::clients, "clients.csv"},
                                     {exports::Kind::chrome, "trace.json"},
                                     {exports::Kind::report, "report.html"}}) {
        exportController->exportTo(kind, folder.filePath(name));
        ASSERT_TRUE(waitFor(
            [&, file = name] { return messages().contains(QStringLiteral("Exported %1").arg(file)); }));
        hasNone(folder.filePath(name));
    }
    others.stop();
}

// Running a trace's scenario again would join its server, which the user has not confirmed in this window.
TEST_F(AttachTest, ATraceOfARunThatJoinedAsksBeforeItJoinsAgain)
{
    std::unique_ptr<server::ManagedServer> server;
    const std::string address = freshServer(server);
    window->control().attach({QString::fromStdString(address), "/locks/theirs", 2});
    ASSERT_TRUE(waitFor([this] { return state().statistics.acquired > 2; })) << messages().toStdString();
    window->findChild<QAction*>("runOrPause")->trigger();
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::paused; }));
    const QString file = folder.filePath("joined.jsonl");
    window->control().saveTrace(file);
    ASSERT_TRUE(waitFor([this] { return messages().contains("joined.jsonl"); }));
    window->model().endRun();

    MainWindow::Setup setup;
    setup.settings = &settings;
    window = shownWindow(setup);
    window->control().openPath(file);
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::trace; }));
    const auto asked = [this] { return window->findChild<QMessageBox*>("attachQuestion"); };
    const auto reply = [&](QMessageBox::ButtonRole role) {
        for (QAbstractButton* button : asked()->buttons())
            if (asked()->buttonRole(button) == role)
                return button->click();
        ADD_FAILURE() << "there is no such answer";
    };
    const std::int64_t zxid = zxidOf(address);
    for (const char* command : {"runOrPause", "runAgain"}) {
        window->findChild<QAction*>(command)->trigger();
        ASSERT_NE(asked(), nullptr) << command;
        EXPECT_TRUE(asked()->text().contains("/locks/theirs") && asked()->text().contains(address.c_str()));
        EXPECT_TRUE(asked()->text().contains("2 clients")) << asked()->text().toStdString();
        EXPECT_EQ(asked()->buttonRole(asked()->defaultButton()), QMessageBox::RejectRole);
        reply(QMessageBox::RejectRole);
        ASSERT_TRUE(waitFor([&] { return asked() == nullptr; }));
        EXPECT_EQ(window->control().stage(), RunController::Stage::trace) << command;
    }
    EXPECT_LE(zxidOf(address), zxid + 2) << "at most the end of the sessions of before";
    window->findChild<QAction*>("runOrPause")->trigger();
    ASSERT_NE(asked(), nullptr);
    reply(QMessageBox::AcceptRole);
    ASSERT_TRUE(waitFor([this] {
        return window->control().stage() == RunController::Stage::running && state().statistics.acquired > 2;
    })) << messages().toStdString();
    // Once is enough.
    window->model().endRun();
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::trace; }));
    window->findChild<QAction*>("runAgain")->trigger();
    EXPECT_EQ(asked(), nullptr);
    EXPECT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::running; }));
}

// On a server that demands a certificate of its clients.
struct SecuredAttachTest : AttachTest
{
    void SetUp() override
    {
        auto started = tests::SecureServer::start(authority, tests::SecureServer::Clients::needCertificate);
        if (!started && started.error().code == ErrorCode::unsupported)
            GTEST_SKIP() << started.error().text();
        ASSERT_TRUE(started) << started.error().text();
        server = std::move(*started);
        for (const char* path :
             {"/theirs", "/theirs/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-0000000001"})
            ASSERT_TRUE(tests::makeRestrictedNode(server->plain(), path, tests::allRights));
    }

    tests::Authority authority{"Test CA"};
    const std::string ours = authority.issue({.name = "client"});
    std::unique_ptr<tests::SecureServer> server;
};

TEST_F(SecuredAttachTest, WatchesWithTheFilesThatAreGivenAndRemembersTheirNames)
{
    window->scenarioController().askForTarget();
    ASSERT_NE(dialog(), nullptr);
    dialog()->findChild<QCheckBox*>("attachSecured")->click();
    type("attachServers", QString::fromStdString(server->secure()));
    type("attachPath", "/theirs");
    type("attachCa", "/no/such/file");
    type("attachCertificate", QString::fromStdString(ours));
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_NE(dialog(), nullptr);
    const QString fault = dialog()->findChild<QLabel*>("attachFault")->text();
    EXPECT_TRUE(fault.contains("/no/such/file cannot be read")) << fault.toStdString();
    EXPECT_EQ(dialog()->findChild<QLineEdit*>("attachCa")->selectedText(), "/no/such/file");
    type("attachCa", QString::fromStdString(authority.certificate()));
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] {
        return window->control().stage() == RunController::Stage::watching && !state().locks.empty() &&
               state().locks[0].queue.size() == 1;
    })) << messages().toStdString();
    ASSERT_TRUE(waitFor([this] { return RecentTargets(&settings).all().size() == 1; }));
    const AttachTarget kept = RecentTargets(&settings).all().front();
    EXPECT_EQ(kept.servers, "tls://" + QString::fromStdString(server->secure()));
    EXPECT_EQ(kept.tls.ca, authority.certificate());
    EXPECT_EQ(kept.tls.certificate, ours);
    settings.sync();
    EXPECT_EQ(lockscope::test::readAll(settings.fileName().toStdString()).find("PRIVATE KEY"),
              std::string::npos);
    window->scenarioController().askForTarget();
    ASSERT_TRUE(waitFor([this] { return dialog() != nullptr && dialog()->isVisible(); }));
    EXPECT_TRUE(dialog()->findChild<QCheckBox*>("attachSecured")->isChecked());
    EXPECT_EQ(dialog()->findChild<QLineEdit*>("attachCertificate")->text().toStdString(), ours);
}

TEST_F(SecuredAttachTest, ClientsJoinWithTheFilesAndAgain)
{
    const QString address = "tls://" + QString::fromStdString(server->secure());
    window->control().attach({address, "/ours", 2, {.ca = authority.certificate()}});
    ASSERT_TRUE(waitFor([this] { return messages().contains("demands a certificate of its clients"); }))
        << messages().toStdString();
    window->control().attach({address, "/ours", 2, {.ca = authority.certificate(), .certificate = ours}});
    ASSERT_TRUE(waitFor([this] { return state().statistics.acquired > 2; })) << messages().toStdString();
    window->model().endRun();
    const auto first = window->control().store();
    action("runAgain")->trigger();
    EXPECT_TRUE(waitFor([&] {
        return window->control().store() != first && state().statistics.acquired > 2;
    })) << messages().toStdString();
}

TEST_F(AttachTest, EveryFieldHasANameThatIsSpoken)
{
    RecentTargets(&settings).add({"a:1", "/one"});
    window.reset();
    MainWindow::Setup setup;
    setup.settings = &settings;
    window = shownWindow(setup);
    window->scenarioController().askForTarget();
    ASSERT_NE(dialog(), nullptr);
    auto* recent = dialog()->findChild<QComboBox*>("attachRecent");
    ASSERT_NE(recent, nullptr);
    for (QWidget* field : std::initializer_list<QWidget*>{
             dialog()->findChild<QLineEdit*>("attachServers"), dialog()->findChild<QLineEdit*>("attachPath"),
             dialog()->findChild<QSpinBox*>("attachClients"), recent,
             dialog()->findChild<QLineEdit*>("attachCa"),
             dialog()->findChild<QLineEdit*>("attachCertificate"),
             dialog()->findChild<QLineEdit*>("attachKey")}) {
        bool labelled = !field->accessibleName().isEmpty();
        for (const auto* label : dialog()->findChildren<QLabel*>())
            labelled = labelled || label->buddy() == field;
        EXPECT_TRUE(labelled) << field->objectName().toStdString();
        EXPECT_NE(field->focusPolicy() & Qt::TabFocus, 0) << field->objectName().toStdString();
    }
    dialog()->findChild<QLineEdit*>("attachServers")->clear();
    recent->setFocus();
    QTest::keyClick(recent, Qt::Key_Down);
    EXPECT_EQ(dialog()->findChild<QLineEdit*>("attachServers")->text(), "a:1");
}

TEST(AttachTarget, AChrootKeepsItsBlanksAndTheAddressesLoseThem)
{
    const Theme theme{Theme::ColourScheme::light};
    const QPointer<AttachDialog> dialog =
        new AttachDialog({}, {"a:1, b:2/my app", "/locks/orders"}, &theme, nullptr);
    QString servers;
    QObject::connect(dialog, &AttachDialog::chosen,
                     [&](const AttachTarget& place) { servers = place.servers; });
    dialog->show();
    QTest::keyClick(dialog, Qt::Key_Return);
    EXPECT_EQ(servers, "a:1,b:2/my app");
    EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.isNull(); }));
}

TEST_F(AttachTest, AnUnreachableServerIsNamedAndThePageIsBack)
{
    const QString nowhere = "127.0.0.1:1";
    QTest::keyClick(page()->search(), Qt::Key_L, Qt::ControlModifier);
    ASSERT_NE(dialog(), nullptr);
    type("attachServers", nowhere);
    type("attachPath", "/locks/theirs");
    QTest::keyClick(dialog(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return messages().contains("No ZooKeeper answers at " + nowhere); }))
        << messages().toStdString();
    EXPECT_TRUE(waitFor([this] { return page()->isVisible(); }));
    EXPECT_TRUE(RecentTargets(&settings).all().isEmpty()) << "only what was there is remembered";

    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(page()->search(), Qt::Key_L, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return dialog() != nullptr && dialog()->isVisible(); }));
    EXPECT_EQ(dialog()->findChild<QLineEdit*>("attachServers")->text(), nowhere) << "to be put right";
}

} // namespace
} // namespace lockscope::ui
