// Locks of Curator's and kazoo's clients watched in the window, on a real ZooKeeper: listed, chosen, said who
// holds them and why they are stuck, with nothing missed, and gaps shown as gaps.
#include "core/history/history.h"
#include "core/server/process/managed_server.h"
#include "tests/interop/peer_process.h"
#include "tests/support/zk_world.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/locks/participants_model.h"
#include "ui/locks/status_badge.h"
#include "ui/locks/watch_dock.h"
#include "ui/locks/watch_panel.h"
#include "ui/locks/watched_locks_model.h"
#include "ui/models/style/text_cache.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/window/layout_controller.h"
#include "ui/shell/window/scenario_controller.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QTableView>

#include <gmock/gmock.h>

#include <csignal>
#include <set>

namespace lockscope::ui {
namespace {

using ::testing::ElementsAre;
using tests::PeerProcess;

struct WatchWindowTest : WindowTest
{
    void SetUp() override
    {
        auto started = server::ManagedServer::start({});
        ASSERT_TRUE(started) << started.error().text();
        server = std::move(*started);
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
    }
    void TearDown() override
    {
        peers.clear();
        window.reset();
    }
    PeerProcess* start(const Result<std::vector<std::string>>& command, int clients)
    {
        if (!command)
            return nullptr;
        auto peer = PeerProcess::start(*command);
        EXPECT_TRUE(peer) << (peer ? "" : peer.error().text());
        if (!peer)
            return nullptr;
        peers.push_back(std::move(*peer));
        peers.back()->writeLine("open " + std::to_string(clients) + " 10000");
        EXPECT_TRUE(peers.back()->await("opened"));
        return peers.back().get();
    }
    PeerProcess* kazoo(int clients) { return start(PeerProcess::kazooCommand(server->address()), clients); }
    PeerProcess* curator(int clients)
    {
        return start(PeerProcess::curatorCommand(server->address()), clients);
    }

    void watch(const QString& path)
    {
        window->control().attach({QString::fromStdString(server->address()), path, 0});
        ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::watching; }))
            << messages().toStdString();
    }
    template <class Child>
    Child* part(const char* name)
    {
        return window->watch().panel()->findChild<Child*>(name);
    }
    WatchedLocksModel& locks()
    {
        return dynamic_cast<WatchedLocksModel&>(*part<QTableView>("watchLocks")->model());
    }
    ParticipantsModel& participants()
    {
        return dynamic_cast<ParticipantsModel&>(*part<QTableView>("watchParticipants")->model());
    }
    const field::LockStatus* row(const std::string& path)
    {
        const int at = locks().rowOf(path);
        return at < 0 ? nullptr : &locks().lock(at);
    }
    void choose(const std::string& path)
    {
        ASSERT_TRUE(waitFor([&] { return row(path) != nullptr; }));
        part<QTableView>("watchLocks")->selectRow(locks().rowOf(path));
        ASSERT_TRUE(
            waitFor([&] { return !state().locks.empty() && state().locks[0].path.starts_with(path); }));
    }
    std::vector<replay::NodePhase> phases()
    {
        std::vector<replay::NodePhase> all;
        if (!state().locks.empty())
            for (const replay::NodeRow& node : state().locks[0].queue)
                all.push_back(node.phase);
        return all;
    }

    std::unique_ptr<server::ManagedServer> server;
    std::vector<std::unique_ptr<PeerProcess>> peers;
};

TEST_F(WatchWindowTest, AFolderOffersItsLocksAndEachOpensInAllViews)
{
    PeerProcess* peer = kazoo(4);
    if (!peer)
        GTEST_SKIP() << "needs python3-kazoo";
    peer->writeLine("acquire 1 mutex /all/orders 60000");
    ASSERT_TRUE(peer->await("acquired 1"));
    peer->writeLine("acquire 3 write /all/report 60000");
    ASSERT_TRUE(peer->await("acquired 3"));
    watch("/all");
    QAbstractItemModelTester locksTester(&locks(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    QAbstractItemModelTester participantsTester(&participants(),
                                                QAbstractItemModelTester::FailureReportingMode::Fatal);
    choose("/all/orders");
    EXPECT_NE(row("/all/report"), nullptr);
    auto* table = part<QTableView>("watchLocks");
    window->resize(1280, 800);
    EXPECT_TRUE(waitFor([&] { return table->isColumnHidden(WatchedLocksModel::Handoffs); }));
    EXPECT_GE(table->columnWidth(WatchedLocksModel::Lock), 100) << "the path of a lock is readable";
    EXPECT_FALSE(table->isColumnHidden(WatchedLocksModel::Holder));
    ASSERT_TRUE(waitFor([this] { return phases() == std::vector{replay::NodePhase::holds}; }));
    EXPECT_TRUE(state().locks[0].queue[0].heldBefore);
    EXPECT_EQ(row("/all/orders")->holder->heldSince->latestMs, row("/all/orders")->holder->createdMs)
        << "its creation was the last change of the list: it was first at once";

    peer->writeLine("acquire 2 mutex /all/orders 60000");
    ASSERT_TRUE(waitFor([this] {
        return phases() == std::vector{replay::NodePhase::holds, replay::NodePhase::waits};
    }));
    ASSERT_TRUE(waitFor([this] {
        return participants().rowCount() == 2 && !participants().participant(0).address.empty() &&
               !participants().participant(1).address.empty();
    }));
    EXPECT_EQ(participants().participant(0).data, "kazoo-1");
    EXPECT_EQ(participants().participant(1).behind, participants().participant(0).node);
    EXPECT_EQ(participants().participant(1).library, queue::Library::kazoo);

    // A node that is chosen in one place is chosen everywhere.
    part<QTableView>("watchParticipants")->setCurrentIndex(participants().index(1, 0));
    EXPECT_TRUE(part<QLabel>("watchCard")->text().contains("kazoo-2"));
    peer->writeLine("release 1 mutex /all/orders");
    ASSERT_TRUE(waitFor([this] { return phases() == std::vector{replay::NodePhase::holds}; }));
    ASSERT_TRUE(waitFor([this] {
        return row("/all/orders")->holder && row("/all/orders")->holder->heldSince->exact();
    })) << "the node in front was seen to go";
    EXPECT_EQ(state().statistics.handoffs, 1U);
    ASSERT_TRUE(waitFor([this] { return part<QWidget>("watchWaits")->isVisible(); }))
        << "the second one's wait";
    EXPECT_EQ(part<StatusBadge>("watchMissed")->kind(), StatusBadge::Kind::good);

    // Another lock, then back: what happened in between is there.
    choose("/all/report");
    EXPECT_EQ(messages(), QString()) << "a run of the same watch is not lost";
    EXPECT_EQ(phases(), std::vector{replay::NodePhase::holds});
    peer->writeLine("release 2 mutex /all/orders");
    ASSERT_TRUE(peer->await("released 2"));
    choose("/all/orders");
    ASSERT_TRUE(waitFor([this] { return phases().empty() && state().statistics.releases == 2; }));

    window->findChild<QAction*>("runOrPause")->trigger();
    EXPECT_EQ(window->control().stage(), RunController::Stage::ended);
    EXPECT_FALSE(window->model().isLive());
}

TEST_F(WatchWindowTest, NothingOfABurstIsMissed)
{
    PeerProcess* peer = curator(5);
    if (!peer)
        GTEST_SKIP() << "needs libcurator-recipes-java and ecj";
    watch("/burst");
    for (int client = 1; client <= 5; ++client)
        peer->writeLine("cycle " + std::to_string(client) + " mutex /burst 60 " +
                        folder.filePath("inside").toStdString());
    for (int client = 1; client <= 5; ++client)
        ASSERT_TRUE(peer->await("cycled " + std::to_string(client)));
    ASSERT_TRUE(waitFor([this] {
        return row("/burst") && row("/burst")->acquisitions == 300 && row("/burst")->ends.open == 0;
    }));
    ASSERT_TRUE(waitFor([this] { return state().statistics.acquired == 300 && phases().empty(); }))
        << "the run has them all, too";
    // Of a node that was gone before it could be read the session is unknown.
    EXPECT_EQ(std::ranges::count_if(state().clients,
                                    [](const replay::ClientRow& client) { return client.sessionId.valid(); }),
              5);
    EXPECT_TRUE(part<QListWidget>("watchProblems")->isHidden());

    // Whoever chooses it now has all of it again, and in the order of the server's log.
    std::vector<std::string> live, logged;
    const trace::TraceStore& store = *window->model().store();
    for (std::size_t i = 0; i < store.count(); ++i)
        if (const auto* decided = std::get_if<trace::Decided>(&store.at(i).what))
            live.emplace_back(decided->node);
    auto opened = history::History::open({server->directory() / "data" / "version-2"}, {.lock = "/burst"});
    ASSERT_TRUE(opened);
    (*opened)->listen([&](const history::LockEvent& event) {
        if (event.kind == history::LockEvent::Kind::entitled)
            logged.emplace_back(event.node.name);
    });
    while ((*opened)->read(1U << 30) == history::HistoryReader::State::more) {
    }
    EXPECT_EQ(live, logged);
}

TEST_F(WatchWindowTest, AKilledServerIsAGapAndTheQueueIsRightAgain)
{
    PeerProcess* peer = kazoo(2);
    if (!peer)
        GTEST_SKIP() << "needs python3-kazoo";
    peer->writeLine("acquire 1 mutex /gap 60000");
    ASSERT_TRUE(peer->await("acquired 1"));
    watch("/gap");
    choose("/gap");
    ASSERT_TRUE(server->killNow());
    ASSERT_TRUE(
        waitFor([this] { return part<StatusBadge>("watchMissed")->kind() == StatusBadge::Kind::warning; }));
    EXPECT_EQ(state().server.phase, trace::ServerPhase::down);
    ASSERT_TRUE(server->restart());
    ASSERT_TRUE(waitFor([this] { return state().server.phase == trace::ServerPhase::ready; }));
    const auto problems = [this] {
        QStringList lines;
        for (int i = 0; i < part<QListWidget>("watchProblems")->count(); ++i)
            lines << part<QListWidget>("watchProblems")->item(i)->text();
        return lines;
    };
    EXPECT_TRUE(waitFor([&] { return problems().size() == 1 && problems().front().startsWith("Gap: "); }))
        << "the gap stays\n"
        << problems().join("\n").toStdString();
    peer->writeLine("acquire 2 mutex /gap 60000");
    ASSERT_TRUE(waitFor([this] {
        return phases() == std::vector{replay::NodePhase::holds, replay::NodePhase::waits};
    }));
}

TEST_F(WatchWindowTest, ASilentHolderIsNamedWithItsEvidence)
{
    PeerProcess* peer = kazoo(1);
    PeerProcess* waiter = peer ? kazoo(1) : nullptr;
    if (!waiter)
        GTEST_SKIP() << "needs python3-kazoo";
    peer->writeLine("acquire 1 mutex /silent 60000");
    ASSERT_TRUE(peer->await("acquired 1"));
    waiter->writeLine("acquire 1 mutex /silent 60000");
    watch("/silent");
    choose("/silent");
    auto* verdict = part<QWidget>("verdictCard");
    EXPECT_TRUE(verdict->isHidden()) << "all is well";
    ASSERT_EQ(::kill(peer->pid(), SIGSTOP), 0);
    ASSERT_TRUE(waitFor([&] { return !verdict->isHidden(); }));
    EXPECT_EQ(row("/silent")->diagnosis->kind, field::Diagnosis::Kind::holderSilent);
    for (const char* text : {"verdictSentence", "verdictEvidence", "verdictRemedy"})
        EXPECT_FALSE(part<QLabel>(text)->text().isEmpty());
    EXPECT_EQ(part<StatusBadge>("watchStuck")->kind(), StatusBadge::Kind::bad);
    EXPECT_FALSE(part<StatusBadge>("watchStuck")->isHidden());
    peer->killNow();
}

TEST_F(WatchWindowTest, OpensOnTheLockThatLooksStuckAlsoWhenThatTakesAWhile)
{
    PeerProcess* well = kazoo(1);
    PeerProcess* silent = well ? kazoo(1) : nullptr;
    PeerProcess* waiter = silent ? kazoo(1) : nullptr;
    if (!waiter)
        GTEST_SKIP() << "needs python3-kazoo";
    well->writeLine("acquire 1 mutex /auto/a 60000");
    ASSERT_TRUE(well->await("acquired 1"));
    silent->writeLine("acquire 1 mutex /auto/b 60000");
    ASSERT_TRUE(silent->await("acquired 1"));
    waiter->writeLine("acquire 1 mutex /auto/b 60000");
    watch("/auto");
    const auto chosen = [this] { return window->watch().panel()->selectedLocks(); };
    ASSERT_TRUE(waitFor([&] { return chosen() == std::vector<std::string>{"/auto/a"}; })) << "the first";
    ASSERT_EQ(::kill(silent->pid(), SIGSTOP), 0);
    ASSERT_TRUE(waitFor([&] { return chosen() == std::vector<std::string>{"/auto/b"}; }));
    EXPECT_FALSE(part<QWidget>("verdictCard")->isHidden());
    choose("/auto/a");
    ASSERT_TRUE(waitFor([&] { return row("/auto/b") && row("/auto/b")->waiting == 0; }))
        << "its session ends";
    EXPECT_EQ(chosen(), std::vector<std::string>{"/auto/a"}) << "the user has chosen";
    silent->killNow();
}

TEST_F(WatchWindowTest, GoesToTheLockWithTheMostSevereDiagnosis)
{
    tests::ZkWorld world(*server);
    const tests::HubSessionPtr one = world.connect(), other = world.connect(), third = world.connect();
    const std::string lock = "/_c_00000001-85de-4050-ade6-795e59212dfa-lock-";
    const auto join = [&](const tests::HubSessionPtr& session, const std::string& node) {
        ASSERT_EQ(world.create(*session, node, "", zk::CreateMode::ephemeralSequential).code, zk::Code::ok);
    };
    for (const char* path : {"/s", "/s/meta", "/s/meta/.meta", "/s/x", "/s/y"})
        ASSERT_EQ(world.create(*one, path).code, zk::Code::ok) << path;
    join(third, "/s/meta" + lock);
    join(one, "/s/x" + lock);
    join(other, "/s/y" + lock);
    watch(QStringLiteral("/s"));
    const auto chosen = [this] { return window->watch().panel()->selectedLocks(); };
    ASSERT_TRUE(waitFor([&] {
        return row("/s/meta") && row("/s/meta")->diagnosis && chosen() == std::vector<std::string>{"/s/meta"};
    })) << "the first diagnosis";
    join(other, "/s/x" + lock);
    join(one, "/s/y" + lock);
    EXPECT_TRUE(waitFor([&] {
        return chosen() == std::vector<std::string>{"/s/x"} || chosen() == std::vector<std::string>{"/s/y"};
    })) << "a deadlock is worse";
}

// What only our own clients tell, and what the table of participants says already.
TEST_F(WatchWindowTest, CardsThatWouldSayNothingAreHiddenUntilAnotherRun)
{
    const auto shown = [this] {
        QStringList names;
        for (const DockCard* card : window->docks().cards())
            if (!card->isHidden())
                names << card->name();
        return names;
    };
    window->resize(1280, 800);
    window->layouts().use(LayoutController::Layout::everything);
    const QStringList all = shown();
    watch("/quiet");
    for (const char* name : {"algorithm", "watches", "protocol", "clients", "lock-children"})
        EXPECT_FALSE(shown().contains(name)) << name;
    for (const char* name : {"chain", "timeline", "log"})
        EXPECT_TRUE(shown().contains(name)) << name;
    window->layouts().use(LayoutController::Layout::learn);
    window->layouts().use(LayoutController::Layout::everything);
    EXPECT_FALSE(shown().contains("algorithm")) << "still watching";
    window->control().startBuiltIn("two-clients");
    ASSERT_TRUE(waitFor([this] { return !window->control().isWatchOnly() && window->model().hasRun(); }));
    EXPECT_EQ(shown(), all);
    window->model().endRun();
}

// What the list says of folders in which nobody holds: what is known of each, and no more.
TEST_F(WatchWindowTest, FoldersInWhichNobodyHolds)
{
    tests::ZkWorld world(*server);
    const tests::HubSessionPtr session = world.connect();
    for (const char* path : {"/w", "/w/members", "/w/candidates", "/w/turns", "/w/behind", "/w/behind/.meta",
                             "/w/pool", "/w/pool-__lock__", "/w/slots"})
        ASSERT_EQ(world.create(*session, path).code, zk::Code::ok) << path;
    for (const auto& [path, data] : std::vector<std::pair<std::string, std::string>>{
             {"/w/members/member_", R"({"host":"a"})"},
             {"/w/candidates/member_", "host-a:8080"},
             {"/w/turns/turn-", ""},
             {"/w/behind/_c_00000001-85de-4050-ade6-795e59212dfa-lock-", ""},
             {"/w/pool-__lock__/0123456789abcdef0123456789abcd01__lock__", ""}})
        ASSERT_EQ(world.create(*session, path, data, zk::CreateMode::ephemeralSequential).code, zk::Code::ok)
            << path;
    watch(QStringLiteral("/w"));
    const auto holder = [this](const std::string& path) {
        const int at = locks().rowOf(path);
        return at < 0 ? QString() : locks().index(at, WatchedLocksModel::Holder).data().toString();
    };
    ASSERT_TRUE(waitFor([&] { return row("/w/pool") != nullptr; }));
    EXPECT_EQ(holder("/w/members"), QStringLiteral("no lock (ServerSets)"));
    EXPECT_EQ(holder("/w/candidates"), QStringLiteral("not known"));
    EXPECT_EQ(holder("/w/turns"), QStringLiteral("not known"));
    EXPECT_EQ(holder("/w/behind"), QStringLiteral("nobody can hold it"));
    EXPECT_EQ(holder("/w/pool"), QStringLiteral("nobody holds it"));
    // A slot that one worker takes over from another.
    const tests::HubSessionPtr other = world.connect();
    const std::string slot = "/w/slots/a";
    ASSERT_EQ(world.create(*session, slot, "", zk::CreateMode::ephemeral).code, zk::Code::ok);
    ASSERT_EQ(world.remove(*session, slot), zk::Code::ok);
    ASSERT_EQ(world.create(*other, slot, "", zk::CreateMode::ephemeral).code, zk::Code::ok);
    ASSERT_TRUE(waitFor([&] { return row(slot) != nullptr; }));
    EXPECT_EQ(holder(slot), QStringLiteral("not known"));
}

// The sessions of one process write the same into their nodes: the port tells who is who.
TEST(WatchPanel, TellsTheSessionsOfOneProcessApart)
{
    field::LockStatus row;
    row.path = "/l";
    for (int i = 0; i < 3; ++i) {
        field::Participant one;
        one.node = "lock-000000000" + std::to_string(i);
        one.parent = "/l";
        one.session = SessionId{i + 1};
        one.who = one.data = "a-host-with-a-long-name 18669 lockscope-cli";
        one.address = "127.0.0.1:3557" + std::to_string(i);
        row.participants.push_back(one);
    }
    const auto snapshot = std::make_shared<field::Snapshot>();
    snapshot->watching = field::WatchState::everyChange;
    snapshot->locks = {row};
    Theme theme(Theme::ColourScheme::light);
    WatchPanel panel(&theme);
    panel.begin([] { return QStringLiteral("here"); });
    panel.show(snapshot);
    panel.selectLock("/l");
    const QAbstractItemModel& table = *panel.findChild<QTableView*>("watchParticipants")->model();
    std::set<QString> whole, shortest;
    for (int i = 0; i < 3; ++i) {
        whole.insert(table.index(i, ParticipantsModel::Who).data().toString());
        shortest.insert(table.index(i, ParticipantsModel::Who)
                            .data(ParticipantsModel::kVariantsRole)
                            .toString()
                            .section(kVariantSeparator, -1));
    }
    EXPECT_EQ(whole.size(), 3U);
    EXPECT_EQ(shortest, (std::set<QString>{":35570", ":35571", ":35572"}));
}

// ZooKeeper's own recipe names its nodes after their sessions.
// The list was fitted once, however low the panel was then.
TEST(WatchPanel, AShortListLeavesTheRoomToTheParticipants)
{
    auto snapshot = std::make_shared<field::Snapshot>();
    snapshot->watching = field::WatchState::everyChange;
    for (const char* path : {"/a", "/b"}) {
        field::LockStatus lock;
        lock.path = path;
        snapshot->locks.push_back(lock);
    }
    Theme theme{Theme::ColourScheme::light};
    WatchPanel panel(&theme);
    panel.resize(560, 460);
    panel.setVisible(true);
    panel.begin([] { return QString(); });
    panel.show(snapshot);
    QApplication::processEvents();
    panel.resize(560, 1000);
    QApplication::processEvents();
    const auto* list = panel.findChild<QTableView*>("watchLocks");
    EXPECT_GE(list->viewport()->height(), 2 * list->rowHeight(0));
    EXPECT_LT(list->viewport()->height(), 3 * list->rowHeight(0));
}

TEST(WatchPanel, APictureHasNoSessionInTheNameOfANode)
{
    struct Names : trace::SessionNames
    {
        SessionId of(SessionId) const override { return SessionId{7}; }
    } names;
    field::Participant holder;
    holder.node = "x-0100000000000001-0000000000";
    holder.parent = "/l";
    holder.session = SessionId{0x0100000000000001};
    holder.holds = true;
    field::LockStatus row;
    row.path = "/l";
    row.holder = holder;
    row.participants = {holder};
    row.diagnosis = field::Diagnosis{field::Diagnosis::Kind::persistentInFront, holder.node};
    const auto snapshot = std::make_shared<field::Snapshot>();
    snapshot->watching = field::WatchState::everyChange;
    snapshot->locks = {row};
    Theme theme(Theme::ColourScheme::light);
    WatchPanel panel(&theme);
    panel.begin([] { return QStringLiteral("here"); });
    panel.show(snapshot);
    panel.selectLock("/l");
    panel.selectNode(QString::fromStdString(holder.node));
    const auto shown = [&panel] {
        QString text;
        for (const char* label : {"watchCard", "verdictSentence"})
            text += panel.findChild<QLabel*>(label)->text();
        return text;
    };
    EXPECT_EQ(shown().count("100000000000001"), 3) << "the node twice, and the session";
    panel.showWritten(&names);
    EXPECT_FALSE(shown().contains("100000000000001"));
    EXPECT_EQ(shown().count("x-0000000000000007-0000000000"), 2);
    panel.showWritten(nullptr);
    EXPECT_EQ(shown().count("100000000000001"), 3);
}

// Rows come, go and change places, and what is selected stays so.
TEST(WatchedLocksModel, FollowsItsSnapshotsWithTenThousandLocks)
{
    const auto snapshotOf = [](int count, int stuck) {
        auto snapshot = std::make_shared<field::Snapshot>();
        snapshot->atMs = 1'000'000;
        for (int i = 0; i < count; ++i) {
            field::LockStatus row;
            row.path = "/locks/" + std::to_string(100'000 + i);
            row.waiting = static_cast<std::uint32_t>(i % 7);
            if (i == stuck)
                row.diagnosis = field::Diagnosis{field::Diagnosis::Kind::holderSilent};
            snapshot->locks.push_back(row);
        }
        std::stable_sort(snapshot->locks.begin(), snapshot->locks.end(),
                         [](const field::LockStatus& a, const field::LockStatus& b) {
                             return a.diagnosis.has_value() > b.diagnosis.has_value();
                         });
        return snapshot;
    };
    WatchedLocksModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRoot("/locks");
    model.assign(snapshotOf(10'000, 500));
    EXPECT_EQ(model.lock(0).path, "/locks/100500");
    EXPECT_EQ(model.index(0, 0).data().toString(), "100500");
    const QPersistentModelIndex kept(model.index(model.rowOf("/locks/107000"), 0));
    model.assign(snapshotOf(9'000, 7000));
    EXPECT_EQ(kept.row(), 0);
    model.assign(snapshotOf(5'000, 1));
    EXPECT_FALSE(kept.isValid()) << "it is gone";
    model.setFilter("10000");
    EXPECT_EQ(model.rowCount(), 10);
    model.sort(WatchedLocksModel::Waiting, Qt::DescendingOrder);
    EXPECT_EQ(model.lock(0).waiting, 6U);
}

} // namespace
} // namespace lockscope::ui
