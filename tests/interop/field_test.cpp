// Locks of Curator's and kazoo's clients, followed live and read from the server's log afterwards: the same
// acquisitions, in the same order. Three clients of three libraries: each row says from where it comes.
#include "core/base/host_port.h"
#include "core/field/field_watch.h"
#include "core/history/history.h"
#include "tests/interop/forwarder.h"
#include "tests/interop/interop_test.h"

#include <algorithm>
#include <csignal>

namespace lockscope::tests {
namespace {

using field::FieldWatch;
using field::LockStatus;
using field::Participant;
using field::SnapshotPtr;
using field::WatchOptions;
using field::WatchState;
using history::LockEvent;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FieldInterop : public InteropTest
{
protected:
    void TearDown() override
    {
        watch.reset();
        InteropTest::TearDown();
    }
    void follow()
    {
        WatchOptions wanted;
        wanted.hosts = server().address();
        wanted.paths = {path()};
        wanted.everyDetail = true;
        watch = std::make_unique<FieldWatch>(wanted);
        watch->onEvent([this](const LockEvent& event) {
            if (event.kind == LockEvent::Kind::entitled && event.node.parent == held)
                live.emplace_back(event.node.name);
        });
        watch->start();
        world->runUntil([&] { return watch->snapshot()->watching == WatchState::everyChange; },
                        "the first look");
    }
    LockStatus row() const
    {
        const SnapshotPtr all = watch->snapshot();
        for (const LockStatus& one : all->locks)
            if (one.path == path())
                return one;
        return {};
    }
    std::string forwarded(const std::string& from)
    {
        const auto at = parseHostPort(server().address());
        forwarders.push_back(std::make_unique<Forwarder>(from, at->port));
        return forwarders.back()->address();
    }
    // From the server's log.
    history::LockSummary readLog()
    {
        auto opened = history::History::open({server().directory() / "data" / "version-2"}, {.lock = path()});
        EXPECT_TRUE(opened) << opened.error().text();
        (*opened)->listen([this](const LockEvent& event) {
            if (event.kind == LockEvent::Kind::entitled && event.node.parent == held)
                logged.emplace_back(event.node.name);
        });
        while ((*opened)->read(1U << 30) == history::HistoryReader::State::more) {
        }
        const auto locks = (*opened)->locks();
        EXPECT_THAT(locks, SizeIs(1));
        return locks.empty() ? history::LockSummary{} : locks.front();
    }
    // All holds are over, and were seen.
    void expectAsLogged(std::uint64_t acquisitions)
    {
        world->runUntil(
            [&] {
                const LockStatus now = row();
                return now.acquisitions == acquisitions && now.ends.open == 0 && now.waiting == 0;
            },
            "all acquisitions to be seen");
        const LockStatus seen = row();
        watch->stop();
        const SnapshotPtr last = watch->snapshot();
        const history::LockSummary log = readLog();
        EXPECT_EQ(seen.acquisitions, log.ends.acquisitions());
        EXPECT_EQ(seen.acquisitions, acquisitions);
        EXPECT_EQ(seen.handoffs, log.handoffs);
        EXPECT_EQ(seen.recipe, log.recipe);
        EXPECT_EQ(seen.deepestQueue, log.deepestQueue);
        EXPECT_THAT(last->gaps, IsEmpty());
        EXPECT_EQ(last->nodesCreated, last->nodesDeleted);
        EXPECT_EQ(seen.ends.gaveUp, 0u);
        EXPECT_EQ(live, logged) << "the holders, in their order";
    }

    std::vector<std::unique_ptr<Forwarder>> forwarders;
    std::unique_ptr<FieldWatch> watch;
    std::string held; // the parent of the nodes that hold
    std::vector<std::string> live, logged;
};

TEST_F(FieldInterop, AThousandAcquisitionsOfTenCuratorClients)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs libcurator-recipes-java and ecj: " << command.error().text();
    held = path();
    follow();
    const auto peer = startPeer(command, 10);
    ASSERT_TRUE(peer);
    for (int client = 1; client <= 10; ++client)
        peer->writeLine("cycle " + std::to_string(client) + " mutex " + path() + " 100 " + marker());
    for (int client = 1; client <= 10; ++client)
        EXPECT_TRUE(expect(*peer, "cycled " + std::to_string(client) + " ").ends_with(" 0"));
    expectAsLogged(1000);
    EXPECT_EQ(watch->snapshot()->nodesCreated, 1000u);
}

TEST_F(FieldInterop, KazoosReadersAndWriters)
{
    const auto command = PeerProcess::kazooCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs python3-kazoo: " << command.error().text();
    held = path();
    follow();
    const auto peer = startPeer(command, 4);
    ASSERT_TRUE(peer);
    // Readers with readers, then writers with writers: a reader of kazoo 2.8 waits for later writers, too,
    // and they for it.
    for (const char* kind : {" read ", " write "}) {
        for (int client = 1; client <= 4; ++client)
            peer->writeLine("cycle " + std::to_string(client) + kind + path() + " 20 " + marker() +
                            std::to_string(client));
        for (int client = 1; client <= 4; ++client)
            expect(*peer, "cycled " + std::to_string(client) + " ");
    }
    peerAcquires(*peer, 1, "write");
    peerWaitsBehind(*peer, 2, "read", onlyNode());
    world->runUntil([&] { return row().waiting == 1; }, "the reader");
    EXPECT_EQ(row().participants.at(1).behind, row().holder->node);
    peerReleases(*peer, 1, "write");
    expect(*peer, "acquired 2");
    peerReleases(*peer, 2, "read");
    expectAsLogged(162);
}

TEST_F(FieldInterop, CuratorsSemaphore)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs libcurator-recipes-java and ecj: " << command.error().text();
    held = path() + "/leases";
    follow();
    const auto peer = startPeer(command, 4);
    ASSERT_TRUE(peer);
    for (int client = 1; client <= 4; ++client)
        peer->writeLine("lease " + std::to_string(client) + " " + path() + " 30");
    for (int client = 1; client <= 4; ++client)
        expect(*peer, "leased " + std::to_string(client) + " ");
    expectAsLogged(120);
}

TEST_F(FieldInterop, EachRowSaysWhoItIs)
{
    const auto curatorCommand = PeerProcess::curatorCommand(forwarded("127.0.0.2"));
    const auto kazooCommand = PeerProcess::kazooCommand(forwarded("127.0.0.3"), true);
    if (!curatorCommand || !kazooCommand)
        GTEST_SKIP() << "needs libcurator-recipes-java, ecj, python3-kazoo";
    const auto curator = startPeer(curatorCommand, 1);
    const auto kazoo = startPeer(kazooCommand, 1);
    ASSERT_TRUE(curator && kazoo);
    follow();
    peerAcquires(*curator, 1, "mutex");
    const std::string first = onlyNode();
    peerWaitsBehind(*kazoo, 1, "mutex", first);
    LockClient& ours = addClient(forwarded("127.0.0.4"));
    acquire(ours);
    world->runUntil(
        [&] {
            const LockStatus now = row();
            return now.participants.size() == 3 &&
                   std::all_of(now.participants.begin(), now.participants.end(),
                               [](const Participant& one) { return !one.address.empty(); });
        },
        "all addresses");
    const LockStatus now = row();
    EXPECT_EQ(now.participants[0].node, first);
    EXPECT_EQ(now.participants[0].library, queue::Library::curator);
    EXPECT_TRUE(now.participants[0].holds);
    EXPECT_TRUE(now.participants[0].heldSince->exact());
    EXPECT_FALSE(now.participants[0].who.empty()) << "Curator writes the address of its host";
    EXPECT_EQ(now.participants[1].library, queue::Library::kazoo);
    EXPECT_EQ(now.participants[1].data, "kazoo-1");
    EXPECT_EQ(now.participants[1].behind, first);
    EXPECT_EQ(now.participants[2].session, ours.session->id());
    EXPECT_EQ(std::ranges::count(now.participants[2].who, ' '), 2) << "HOST PID NAME";
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(now.participants[i].address.starts_with("127.0.0." + std::to_string(i + 2) + ":"))
            << now.participants[i].address;
    ASSERT_TRUE(now.diagnosis);
    EXPECT_EQ(now.diagnosis->kind, field::Diagnosis::Kind::namesDoNotExclude);
}

// A paused process: named when its silence is longer than any that a live one has, before its session
// expires.
TEST_F(FieldInterop, APausedHolderIsNamed)
{
    const auto command = PeerProcess::kazooCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs python3-kazoo: " << command.error().text();
    auto peer = PeerProcess::start(*command);
    ASSERT_TRUE(peer) << peer.error().text();
    (*peer)->writeLine("open 1 10000");
    ASSERT_TRUE((*peer)->await("opened"));
    follow();
    peerAcquires(**peer, 1, "mutex");
    const std::string node = onlyNode();
    auto waiter = PeerProcess::start(*command); // a silent holder for whom nobody waits harms nobody
    ASSERT_TRUE(waiter) << waiter.error().text();
    (*waiter)->writeLine("open 1 10000");
    ASSERT_TRUE((*waiter)->await("opened"));
    (*waiter)->writeLine("acquire 1 mutex " + path() + " 60000");
    world->runUntil([&] { return row().holder.has_value() && row().waiting == 1; }, "holder and waiter");
    ASSERT_EQ(::kill((*peer)->pid(), SIGSTOP), 0);
    world->runUntil([&] { return row().diagnosis.has_value() || row().waiting == 0; },
                    "the verdict, or the end of the session");
    const LockStatus now = row();
    ASSERT_TRUE(now.diagnosis);
    EXPECT_EQ(now.diagnosis->kind, field::Diagnosis::Kind::holderSilent);
    EXPECT_EQ(now.diagnosis->node, node);
    EXPECT_LE(now.diagnosis->span, std::chrono::seconds(3));
    (*peer)->killNow();
}

} // namespace
} // namespace lockscope::tests
