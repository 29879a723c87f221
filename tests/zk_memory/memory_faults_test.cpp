// The simulated ensemble when connections break, sessions end, processes stand still and servers lag.
#include "tests/zk_memory/memory_test.h"

#include "core/base/random.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class MemoryFaults : public MemoryTest
{
protected:
    void cut(TestClient& client, std::size_t requests = 0, std::size_t messages = 0)
    {
        ensemble->cut(client->index(), requests, messages);
    }
};

TEST_F(MemoryFaults, ABrokenConnectionMakesEverythingUnderWayUnknown)
{
    TestClient& client = addConnected();
    Answered<Created> created;
    Answered<Listing> listed;
    client->create("/a", "", CreateMode::persistent, created.handler());
    list(client, "/", listed);
    cut(client);
    ensemble->settle();
    EXPECT_EQ(created.get().code, Code::unknown);
    EXPECT_EQ(listed.get().code, Code::unknown);
    EXPECT_EQ(get(client, "/a").code, Code::noNode) << "it never arrived";
    EXPECT_THAT(client.phases, ElementsAre(SessionPhase::suspended, SessionPhase::connected));
}

TEST_F(MemoryFaults, WhatHasArrivedIsDoneThoughItsReplyIsLost)
{
    TestClient& client = addConnected();
    Answered<Created> first;
    Answered<Created> second;
    client->create("/a", "", CreateMode::persistent, first.handler());
    client->create("/b", "", CreateMode::persistent, second.handler());
    cut(client, 1);
    ASSERT_TRUE(move(MoveKind::serve));
    ensemble->settle();
    EXPECT_EQ(first.get().code, Code::unknown);
    EXPECT_EQ(second.get().code, Code::unknown);
    EXPECT_EQ(get(client, "/a").code, Code::ok);
    EXPECT_EQ(get(client, "/b").code, Code::noNode);
}

TEST_F(MemoryFaults, WhatArrivesAfterTheSessionHasMovedOnIsNotDone)
{
    TestClient& client = addConnected();
    client->create("/a", "", CreateMode::persistent, [](Created) {});
    cut(client, 1);
    connectTo(client, 0);
    ensemble->settle();
    EXPECT_EQ(ensemble->head().find("/a"), nullptr);
}

TEST_F(MemoryFaults, RequestsWithoutAConnectionWaitForTheNextOne)
{
    TestClient& client = addConnected();
    cut(client);
    ensemble->refuse(client->index(), 1s);
    deliver(client); // it learns of the break
    Answered<Created> created;
    client->create("/a", "", CreateMode::persistent, created.handler());
    EXPECT_FALSE(created.arrived());
    ensemble->make(Move{MoveKind::connect, client->index(), 0}); // refused
    clock.runReady();
    EXPECT_EQ(created.get().code, Code::unknown);
    EXPECT_FALSE(move(MoveKind::connect)) << "it rests after a failed attempt";
    Answered<Created> again;
    client->create("/b", "", CreateMode::persistent, again.handler());
    pass(2s);
    EXPECT_EQ(client->phase(), SessionPhase::connected);
    EXPECT_EQ(ensemble->head().find("/a"), nullptr);
}

TEST_F(MemoryFaults, RequestsOfASuspendedSessionAreSentWhenItIsBack)
{
    TestClient& client = addConnected();
    cut(client);
    deliver(client);
    EXPECT_EQ(client->phase(), SessionPhase::suspended);
    EXPECT_EQ(create(client, "/a").code, Code::ok);
}

TEST_F(MemoryFaults, AReconnectTellsWhatTheWatchesMissed)
{
    TestClient& client = addConnected();
    TestClient& other = addConnected();
    for (const char* path : {"/deleted", "/written", "/same"})
        create(other, path);
    const WatchPtr onDeleted = watch(client, "/deleted");
    const WatchPtr onWritten = watch(client, "/written");
    const WatchPtr onSame = watch(client, "/same");
    ensemble->refuse(client->index(), 1s);
    cut(client);
    remove(other, "/deleted");
    set(other, "/written", "x");
    EXPECT_THAT(fired, IsEmpty());
    pass(2s);
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted, WatchKind::changed));
    EXPECT_THAT(ensemble->serverWatches(), ElementsAre("/same"));
    set(other, "/same", "x");
    EXPECT_EQ(fired.size(), 3U);
}

TEST_F(MemoryFaults, AReconnectDoesNotTellWhatTheClientHasSeen)
{
    TestClient& client = addConnected();
    TestClient& other = addConnected();
    create(other, "/a");
    set(other, "/a", "x");
    const WatchPtr handle = watch(client, "/a");
    cut(client);
    ensemble->settle();
    EXPECT_THAT(fired, IsEmpty());
    EXPECT_THAT(ensemble->serverWatches(), ElementsAre("/a"));
}

TEST_F(MemoryFaults, AnEventInFlightIsLostWithTheConnectionAndToldByTheNext)
{
    TestClient& client = addConnected();
    create(client, "/a");
    const WatchPtr handle = watch(client, "/a");
    ensemble->remove("/a");
    apply(0);
    ASSERT_EQ(ensemble->messagesUnderWay(client->index()), 1U);
    cut(client);
    ensemble->settle();
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
}

// ---- the end of a session ----

TEST_F(MemoryFaults, TheServerEndsASessionThatStaysAwayAndTheClientLearnsItWhenItIsBack)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    // Its own clock counts from the same moment: the client stands still until the server was faster.
    ensemble->pause(client.process);
    pass(10s);
    EXPECT_NE(ensemble->head().find("/e"), nullptr);
    ASSERT_TRUE(move(MoveKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
    EXPECT_EQ(ensemble->log().back().change, Change::sessionClosed);
    EXPECT_EQ(client->phase(), SessionPhase::connected) << "it has heard nothing yet";
    ensemble->resume(client.process);
    Answered<Data> data;
    client->getData("/e", data.handler());
    ensemble->settle();
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(client->server(), "");
    EXPECT_EQ(data.get().code, Code::unknown);
    EXPECT_EQ(get(client, "/e").code, Code::sessionLost);
}

TEST_F(MemoryFaults, OurOwnClockEndsASessionWhoseServerStaysAway)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    ensemble->refuse(client->index(), 1h);
    cut(client);
    pass(9s);
    EXPECT_EQ(client->phase(), SessionPhase::suspended);
    pass(1s);
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(client->lossReason(), LossReason::timedOut);
    EXPECT_THAT(client.phases, ElementsAre(SessionPhase::suspended, SessionPhase::lost));
    EXPECT_NE(ensemble->head().find("/e"), nullptr) << "the server may be later than we";
    ASSERT_TRUE(move(MoveKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
}

TEST_F(MemoryFaults, ALostSessionAnswersWhatWasUnderWayWithLost)
{
    TestClient& client = addConnected();
    ensemble->refuse(client->index(), 1h);
    cut(client);
    deliver(client);
    Answered<Created> created;
    client->create("/a", "", CreateMode::persistent, created.handler());
    clock.advanceTo(clock.now() + 10s);
    clock.runReady();
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(created.get().code, Code::sessionLost);
}

TEST_F(MemoryFaults, AKilledSessionIsGoneAtOnceAndLearnsIt)
{
    TestClient& client = addConnected();
    create(client, "/e", CreateMode::ephemeral);
    ensemble->kill(client->index());
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
    EXPECT_FALSE(ensemble->alive(client->id()));
    ensemble->settle();
    EXPECT_EQ(client->lossReason(), LossReason::expired);
}

TEST_F(MemoryFaults, OneThatNeverConnectsIsLost)
{
    TestClient& client = add({10s, 15s});
    ensemble->refuse(client->index(), 1h);
    pass(15s);
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(client->lossReason(), LossReason::connectTimedOut);
}

TEST_F(MemoryFaults, AClosedSessionWithoutAConnectionLivesUntilTheServerEndsIt)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    cut(client);
    deliver(client);
    client->close();
    pass(9s);
    EXPECT_FALSE(move(MoveKind::expire));
    EXPECT_NE(ensemble->head().find("/e"), nullptr);
    pass(1s);
    EXPECT_TRUE(move(MoveKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
}

// A server that falls silent is given up after two thirds of the timeout.
TEST_F(MemoryFaults, ABreakThatNobodyTellsIsNoticedByTheSilence)
{
    TestClient& client = addConnected({9s, 15s});
    cut(client);
    clock.advanceTo(clock.now() + 5s);
    clock.runReady();
    EXPECT_EQ(client->phase(), SessionPhase::connected);
    clock.advanceTo(clock.now() + 1s);
    clock.runReady();
    EXPECT_EQ(client->phase(), SessionPhase::suspended);
}

// ---- a process that stands still ----

TEST_F(MemoryFaults, NothingReachesAPausedProcessWhileTheClockGoesOn)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/a");
    const WatchPtr handle = watch(client, "/a");
    bool rang = false;
    client.process.after(1s, [&] { rang = true; });
    ensemble->pause(client.process);
    ensemble->remove("/a");
    pass(5s);
    EXPECT_FALSE(rang);
    EXPECT_THAT(fired, IsEmpty());
    ensemble->resume(client.process);
    ensemble->settle();
    EXPECT_TRUE(rang);
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
    EXPECT_EQ(client->phase(), SessionPhase::connected);
    pass(60s);
    EXPECT_FALSE(move(MoveKind::expire)) << "there is contact again";
}

// ---- servers that lag ----

TEST_F(MemoryFaults, AServerShowsOnlyWhatItHasApplied)
{
    start(2);
    TestClient& writer = add();
    TestClient& reader = add();
    connectTo(writer, 0);
    connectTo(reader, 1);
    apply(1);
    Answered<Created> created;
    writer->create("/a", "", CreateMode::persistent, created.handler());
    serve(writer);
    EXPECT_FALSE(created.arrived());
    apply(0);
    deliver(writer);
    EXPECT_EQ(created.get().code, Code::ok);

    Answered<Data> early;
    reader->getData("/a", early.handler());
    serve(reader);
    deliver(reader);
    EXPECT_EQ(early.get().code, Code::noNode) << "its server lags";

    Answered<Code> synced;
    Answered<Data> late;
    reader->sync("/", synced.handler());
    reader->getData("/a", late.handler());
    serve(reader);
    EXPECT_EQ(ensemble->messagesUnderWay(reader->index()), 0U) << "a sync waits for the server to catch up";
    apply(1);
    serve(reader);
    deliver(reader);
    deliver(reader);
    EXPECT_EQ(synced.get(), Code::ok);
    EXPECT_EQ(late.get().code, Code::ok);
}

TEST_F(MemoryFaults, AWatchFiresWhenTheSessionsOwnServerLearnsOfTheChange)
{
    start(2);
    TestClient& client = add();
    connectTo(client, 1);
    ensemble->write("/", "x");
    apply(0);
    EXPECT_EQ(ensemble->messagesUnderWay(client->index()), 0U);
    apply(1);
    client->getData("/", note(), [](Data) {});
    ensemble->write("/", "y");
    serve(client);
    apply(0);
    EXPECT_EQ(ensemble->messagesUnderWay(client->index()), 1U) << "the reply alone";
    apply(1);
    EXPECT_EQ(ensemble->messagesUnderWay(client->index()), 2U);
}

TEST_F(MemoryFaults, NoReconnectGoesBackInTime)
{
    start(2);
    TestClient& client = add();
    connectTo(client, 0);
    client->create("/a", "", CreateMode::persistent, [](Created) {});
    serve(client);
    apply(0);
    deliver(client);
    cut(client);
    deliver(client);
    ensemble->make(Move{MoveKind::connect, client->index(), 1}); // which has applied nothing
    EXPECT_FALSE(ensemble->isConnected(client->index()));
    pass(1s);
    EXPECT_EQ(client->phase(), SessionPhase::connected);
}

// ---- the same again ----

std::string playWith(std::uint64_t seed)
{
    VirtualClock clock;
    Random random(seed);
    VirtualScheduler first(clock);
    VirtualScheduler second(clock);
    Ensemble ensemble(clock, EnsembleOptions{3, seed});
    const auto sessions = {ensemble.connect(first, {}), ensemble.connect(second, {})};
    std::string story;
    for (int round = 0; round < 300; ++round) {
        for (const auto& session : sessions) {
            if (random.uniform(0, 3) == 0)
                session->create("/n-", "", CreateMode::ephemeralSequential, [&](Created) { story += "!"; });
            if (random.uniform(0, 40) == 0)
                ensemble.cut(session->index(), 1, 1);
        }
        std::vector<Move> moves;
        ensemble.moves(moves);
        if (!moves.empty()) {
            const Move move = moves[static_cast<std::size_t>(
                random.uniform(0, static_cast<std::int64_t>(moves.size()) - 1))];
            story += ensemble.describe(move) + "\n";
            ensemble.make(move);
        } else if (const auto next = clock.nextTimer()) {
            clock.advanceTo(*next);
        }
        clock.runReady();
    }
    for (const auto& session : sessions)
        session->close();
    ensemble.settle();
    return story;
}

TEST(MemoryEnsemble, TellsTheSameStoryForTheSameSeed)
{
    EXPECT_EQ(playWith(1), playWith(1));
    EXPECT_NE(playWith(1), playWith(2));
    EXPECT_THAT(playWith(1), ::testing::HasSubstr("session 1 -> server"));
}

} // namespace
} // namespace lockscope::zk::memory
