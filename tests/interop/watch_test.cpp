// Clients of other libraries hold and wait, and a run that only watches sees who, in their own order.
#include "core/engine/watch_run.h"
#include "core/replay/fold/reducer.h"
#include "tests/interop/interop_test.h"

namespace lockscope::tests {
namespace {

using replay::NodePhase;

class WatchedQueue : public InteropTest
{
protected:
    void TearDown() override
    {
        run.reset();
        InteropTest::TearDown();
    }
    void watch()
    {
        scenario.locks = {path()};
        seen = std::make_unique<trace::Recorder>(store);
        auto& io = static_cast<boost::asio::io_context&>(world->hub().executor().context());
        run = std::make_unique<engine::WatchRun>(io, *seen, scenario, server().address());
        ASSERT_TRUE(run->start(false, [] {}));
    }
    // "holds, waits": in the order of the queue; checked each time that something was recorded.
    void expectPhases(std::vector<NodePhase> phases)
    {
        world->runUntil(
            [&] {
                for (; applied < store.count(); ++applied)
                    replay::apply(state, store, applied);
                std::vector<NodePhase> now;
                if (!state.locks.empty())
                    for (const replay::NodeRow& node : state.locks[0].queue)
                        now.push_back(node.phase);
                return now == phases;
            },
            "the queue to be as it is");
    }
    // Two of a library: one holds, the other waits, then holds; then none holds.
    void watchTwoOf(const Result<std::vector<std::string>>& command)
    {
        const auto peer = startPeer(command, 2);
        ASSERT_TRUE(peer);
        peerAcquires(*peer, 1, "mutex");
        watch();
        expectPhases({NodePhase::holds});
        EXPECT_TRUE(state.locks[0].queue[0].heldBefore);
        EXPECT_TRUE(state.locks[0].queue[0].session.valid());
        peerWaitsBehind(*peer, 2, "mutex", onlyNode());
        expectPhases({NodePhase::holds, NodePhase::waits});
        EXPECT_FALSE(state.locks[0].queue[1].before);
        peerReleases(*peer, 1, "mutex");
        expectPhases({NodePhase::holds});
        EXPECT_FALSE(state.locks[0].queue[0].heldBefore);
        expect(*peer, "acquired 2");
        peerReleases(*peer, 2, "mutex");
        expectPhases({});
        for (const replay::Finding& finding : state.findings.all)
            EXPECT_EQ(finding.checked, 0u);
    }

    sim::Scenario scenario;
    trace::TraceStore store{trace::Header{}};
    std::unique_ptr<trace::Recorder> seen;
    std::unique_ptr<engine::WatchRun> run;
    replay::RunState state;
    std::size_t applied = 0;
};

TEST_F(WatchedQueue, SeesWhoOfCuratorsClientsHolds)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs libcurator-recipes-java and ecj: " << command.error().text();
    watchTwoOf(command);
}

// A queue of kazoo's is in the order of its numbers, whatever its GUIDs.
TEST_F(WatchedQueue, KeepsKazoosQueueInItsOrder)
{
    const auto command = PeerProcess::kazooCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs python3-kazoo: " << command.error().text();
    constexpr int kClients = 6;
    const auto peer = startPeer(command, kClients);
    ASSERT_TRUE(peer);
    watch();
    peerAcquires(*peer, 1, "mutex");
    for (int client = 2; client <= kClients; ++client) {
        peer->writeLine("acquire " + std::to_string(client) + " mutex " + path() + " 60000");
        std::vector<NodePhase> phases(static_cast<std::size_t>(client), NodePhase::waits);
        phases[0] = NodePhase::holds;
        expectPhases(phases);
    }
    for (int client = 1; client <= kClients; ++client) {
        std::int64_t before = -1;
        for (const replay::NodeRow& node : state.locks[0].queue) {
            EXPECT_GT(node.sequence, before);
            before = node.sequence;
        }
        peerReleases(*peer, client, "mutex");
        std::vector<NodePhase> phases(static_cast<std::size_t>(kClients - client), NodePhase::waits);
        if (!phases.empty())
            phases[0] = NodePhase::holds;
        expectPhases(phases);
        if (client < kClients)
            expect(*peer, "acquired " + std::to_string(client + 1));
    }
}

} // namespace
} // namespace lockscope::tests
