// The simulated ensemble when connections break, processes stand still and servers lag.
#include "tests/zk_memory/memory_test.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

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
    ASSERT_TRUE(move(TransitionKind::serve));
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
    ensemble->execute(Transition{TransitionKind::connect, client->index(), 0}); // refused
    clock.runReady();
    EXPECT_EQ(created.get().code, Code::unknown);
    EXPECT_FALSE(move(TransitionKind::connect)) << "it rests after a failed attempt";
    Answered<Created> again;
    client->create("/b", "", CreateMode::persistent, again.handler());
    pass(2s);
    EXPECT_EQ(client->phase(), SessionPhase::connected);
    EXPECT_EQ(ensemble->head().find("/a"), nullptr);
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

TEST_F(MemoryFaults, AnEventInFlightIsLostWithTheConnectionAndReportedByTheNext)
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

// A server that falls silent is given up after two thirds of the timeout.
TEST_F(MemoryFaults, ABreakWithoutAnErrorIsNoticedByTheSilence)
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
    EXPECT_FALSE(move(TransitionKind::expire)) << "there is contact again";
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
    ensemble->execute(Transition{TransitionKind::connect, client->index(), 1}); // which has applied nothing
    EXPECT_FALSE(ensemble->isConnected(client->index()));
    pass(1s);
    EXPECT_EQ(client->phase(), SessionPhase::connected);
}

} // namespace
} // namespace lockscope::zk::memory
