// Attaching to a lock of others from the welcome page: by keys and by mouse, on a real ZooKeeper, and where
// no server answers.
#include "tests/integration/session_id_search.h"
#include "tests/support/restricted_node.h"
#include "tests/support/secure_server.h"
#include "tests/ui/shell/attach_fixture.h"
#include "ui/models/style/format.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/messages/message_bar.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace lockscope::ui {
namespace {

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
