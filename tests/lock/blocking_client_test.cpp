// The blocking API when sessions, servers and clients come and go.
#include "tests/lock/blocking_test.h"
#include "tests/support/lossy_relay.h"

#include <atomic>
#include <mutex>

namespace lockscope::tests {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- connecting ----

TEST_F(BlockingClient, SaysWhatIsWrongWithTheHosts)
{
    const auto wrong = lock::Client::connect({"nowhere"});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::badUsage);
    EXPECT_THAT(wrong.error().hint.english(), HasSubstr("HOST:PORT"));
    EXPECT_FALSE(lock::Client::connect({server().address(), Duration{}}));
}

TEST_F(BlockingClient, SaysThatNoServerAnswers)
{
    ASSERT_TRUE(server().killNow());
    const auto away =
        lock::Client::connect({server().address(), seconds(10), std::chrono::milliseconds(300)});
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, ErrorCode::noServer);
    EXPECT_THAT(away.error().text(), HasSubstr(server().address()));
    EXPECT_FALSE(away.error().hint.empty());
}

TEST_F(BlockingClient, LooksUpNames)
{
    const std::string address = server().address();
    const ClientPtr client = connect("localhost" + address.substr(address.find(':')));
    BlockingMutex mutex(*client, path());
    EXPECT_TRUE(mutex.try_lock());
    ASSERT_TRUE(client->run(killSession));
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock_for(seconds(30))) << "it looks the name up again";
}

TEST_F(BlockingClient, LocksUnderAChrootThatOnlyItsCreatorMayEnter)
{
    zk::ConnectOptions options{server().address()};
    options.acl = zk::creatorAllAcl();
    options.credentials = {zk::Credential::digest([]() -> Result<std::string> { return "ada:secret"; })};
    const ClientPtr outside = lock::Client::connect(options).value();
    { // its parents are hers alone, too
        BlockingMutex mutex(*outside, path() + "/app/lock");
        std::lock_guard guard(mutex);
    }
    options.hosts += path() + "/app";
    const ClientPtr inside = lock::Client::connect(options).value();
    BlockingMutex mutex(*inside, "/lock");
    ASSERT_TRUE(mutex.try_lock());
    BlockingMutex same(*outside, path() + "/app/lock");
    EXPECT_FALSE(same.try_lock());
    ASSERT_TRUE(inside->run(killSession));
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock_for(seconds(30))) << "in the next session, with the same credential";

    const ClientPtr stranger = connect();
    BlockingMutex refused(*stranger, path() + "/app/lock");
    EXPECT_EQ(thrownBy([&] { refused.lock(); }), is(std::errc::permission_denied));
}

TEST_F(BlockingClient, SaysThatACredentialIsRefused)
{
    zk::ConnectOptions options{server().address()};
    options.credentials = {{"no-such-scheme", []() -> Result<std::string> { return "ada:secret"; }}};
    const auto refused = lock::Client::connect(options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::noAuth);
    options.credentials = {zk::Credential::digestFile("/no/such/file")};
    const auto missing = lock::Client::connect(options);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::badInput);
    EXPECT_FALSE(lock::Client::connect({server().address() + "/not//a/path"}));
}

// ---- sessions that end ----

TEST_F(BlockingClient, AKilledHolderIsNotifiedAndLocksAgainInANewSession)
{
    std::promise<lock::LostHold> notified;
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    const ListenerId listener =
        mutex.onLost([&notified](const lock::LostHold& hold) { notified.set_value(hold); });
    mutex.lock();
    const std::optional<Zxid> token = mutex.token();
    ASSERT_TRUE(token);
    ASSERT_TRUE(client->run(killSession));
    auto lost = notified.get_future();
    ASSERT_TRUE(ends(lost));
    const lock::LostHold hold = lost.get();
    EXPECT_EQ(hold.thread, std::this_thread::get_id());
    EXPECT_EQ(hold.token, token);
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_EQ(mutex.token(), std::nullopt);
    EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::not_connected))
        << "the section around it has no lock";
    EXPECT_EQ(thrownBy([&] { mutex.try_lock(); }), is(std::errc::not_connected));
    mutex.unlock();
    mutex.removeLostListener(listener);
    mutex.lock();
    EXPECT_GT(mutex.token(), token);
    EXPECT_THAT(queue(), SizeIs(1));
    mutex.unlock();
}

// What a lock protects, as the README has it: refuses tokens that are smaller than the newest.
struct Report
{
    bool write(Zxid token)
    {
        const bool accepted = token >= newest;
        newest = std::max(newest, token);
        return accepted;
    }
    Zxid newest{0};
};

// As the README has it.
bool writeUnder(const BlockingMutex& mutex, Report& report)
{
    const std::optional<Zxid> token = mutex.token();
    return token && report.write(*token);
}

TEST_F(BlockingClient, WhoHasLostTheLockCannotSpoilTheFence)
{
    Report report;
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    EXPECT_TRUE(writeUnder(mutex, report));
    ASSERT_TRUE(client->run(killSession));
    EXPECT_TRUE(world->waitForChildren(path(), 0));
    world->runUntil([&] { return !mutex.isHeld(); }, "the loss");
    EXPECT_FALSE(writeUnder(mutex, report));
    const ClientPtr other = connect();
    BlockingMutex next(*other, path());
    next.lock();
    EXPECT_TRUE(writeUnder(next, report)) << "refused for ever after " << report.newest.value;
    next.unlock();
    mutex.unlock();
}

TEST_F(BlockingClient, AWaiterWhoseSessionEndsQueuesUpAgain)
{
    const ClientPtr holding = connect();
    const ClientPtr client = connect();
    BlockingMutex held(*holding, path());
    BlockingMutex mutex(*client, path());
    held.lock();
    const auto waiting = elsewhere([&] { const std::lock_guard guard(mutex); });
    world->waitForChildren(path(), 2);
    const std::vector<std::string> before = queue();
    ASSERT_TRUE(client->run(killSession));
    world->runUntil(
        [&] {
            const auto now = queue();
            return now.size() == 2 && now != before;
        },
        "a node of the new session");
    held.unlock();
    EXPECT_TRUE(ends(waiting));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(BlockingClient, ANodeThatIsDeletedIsAHoldThatIsLost)
{
    std::promise<void> notified;
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.onLost([&notified](const lock::LostHold&) { notified.set_value(); });
    mutex.lock();
    ASSERT_EQ(world->remove(world->observer(), path() + "/" + queue().front()), zk::Code::ok);
    const auto lost = notified.get_future();
    ASSERT_TRUE(ends(lost));
    EXPECT_FALSE(mutex.isHeld());
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock());
}

TEST_F(BlockingClient, TellsItsPhases)
{
    std::promise<void> lost;
    std::promise<void> connected;
    const ClientPtr client = connect();
    const ListenerId listener = client->onPhase([&](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::lost)
            lost.set_value();
        if (phase == zk::SessionPhase::connected)
            connected.set_value();
    });
    ASSERT_TRUE(client->run(killSession));
    EXPECT_TRUE(ends(lost.get_future()));
    EXPECT_TRUE(ends(connected.get_future()));
    client->removePhaseListener(listener);
}

TEST_F(BlockingClient, EveryListenerIsCalledInOrderAndARemovedOneIsNot)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    std::promise<std::string> lost, phases;
    std::string seenLost, seenPhases;
    mutex.onLost([&](const lock::LostHold&) {
        seenLost += "1";
        throw std::runtime_error("a listener's");
    });
    const ListenerId removed = mutex.onLost([](const lock::LostHold&) { ADD_FAILURE() << "it was removed"; });
    ListenerId own = 0;
    own = mutex.onLost([&](const lock::LostHold&) {
        seenLost += "2";
        mutex.removeLostListener(own);
    });
    mutex.onLost([&](const lock::LostHold&) { lost.set_value(seenLost + "3"); });
    EXPECT_EQ(mutex.onLost(nullptr), 0U);
    mutex.removeLostListener(removed);
    mutex.removeLostListener(removed);
    client->onError([](const Error&) {});
    client->onPhase([&](zk::SessionPhase phase) {
        seenPhases += phase == zk::SessionPhase::lost ? "l" : "";
        throw 1;
    });
    client->removePhaseListener(client->onPhase([](zk::SessionPhase) { ADD_FAILURE() << "it was removed"; }));
    client->onPhase([&](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::lost)
            phases.set_value(seenPhases + "L");
    });
    mutex.lock();
    ASSERT_TRUE(client->run(killSession));
    auto lostSeen = lost.get_future();
    auto phasesSeen = phases.get_future();
    ASSERT_TRUE(ends(lostSeen) && ends(phasesSeen));
    EXPECT_EQ(lostSeen.get(), "123");
    EXPECT_EQ(phasesSeen.get(), "lL");
    mutex.unlock();
}

// The holder's look must not wait for a callback, nor for anything else that the I/O thread does.
TEST_F(BlockingClient, ALookAtTheTokenDoesNotWaitForTheIoThread)
{
    const ClientPtr client = connect();
    BlockingSharedMutex mutex(*client, path());
    mutex.lock();
    const std::optional<Zxid> token = mutex.token();
    std::promise<void> busy, goOn;
    const auto working = elsewhere([&] {
        return client->run([&](std::shared_ptr<zk::HubSession>) -> zk::Awaitable<int> {
            busy.set_value();
            goOn.get_future().wait();
            co_return 1;
        });
    });
    ASSERT_TRUE(ends(busy.get_future()));
    EXPECT_TRUE(token);
    EXPECT_EQ(mutex.token(), token);
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_FALSE(mutex.isHeldShared());
    EXPECT_FALSE(elsewhere([&] { return mutex.isHeld(); }).get()) << "of the calling thread";
    goOn.set_value();
    ASSERT_TRUE(ends(working));
    mutex.unlock();
    EXPECT_FALSE(mutex.isHeld());
}

// ---- a server that is away ----

TEST_F(BlockingClient, WithoutAServerNothingHangs)
{
    std::promise<void> suspended;
    std::atomic<bool> lost = false;
    const ClientPtr client = connect({}, seconds(1));
    BlockingMutex mutex(*client, path());
    BlockingMutex other(*client, path() + "-other");
    const ListenerId listener = client->onPhase([&](zk::SessionPhase phase) {
        if (phase == zk::SessionPhase::suspended)
            suspended.set_value();
        lost = lost || phase == zk::SessionPhase::lost;
    });
    mutex.lock();
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(ends(suspended.get_future()));
    EXPECT_TRUE(mutex.isHeld()) << "no other client gets it before the session has timed out";
    EXPECT_FALSE(other.try_lock());
    EXPECT_FALSE(other.try_lock_for(std::chrono::milliseconds(20)));
    EXPECT_EQ(thrownBy([&] { other.lock(); }), is(std::errc::not_connected))
        << "not within the connect limit";
    mutex.unlock();
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_FALSE(lost) << "it did not wait for the end of the session";
    client->removePhaseListener(listener);
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(world->observer(), zk::SessionPhase::connected));
    EXPECT_TRUE(world->waitForChildren(path(), 0)) << "the unlock is done when there is a connection again";
    EXPECT_TRUE(other.try_lock_for(seconds(30)));
}

TEST_F(BlockingClient, ALookDoesNotWaitForTheConnectionToComeBack)
{
    std::atomic<bool> lost = false;
    LossyRelay relay(server().address());
    const ClientPtr client = connect(relay.address());
    client->onPhase([&](zk::SessionPhase phase) { lost = lost || phase == zk::SessionPhase::lost; });
    BlockingMutex mutex(*client, path());
    ASSERT_TRUE(mutex.try_lock());
    mutex.unlock();
    relay.stayDownAfterLoss();
    relay.loseReplyTo(LossyRelay::Op::create);
    EXPECT_FALSE(mutex.try_lock());
    EXPECT_EQ(relay.losses(), 1);
    EXPECT_FALSE(lost);
    relay.heal();
    EXPECT_TRUE(world->waitForChildren(path(), 0)) << "the node it does not know of is found and deleted";
    EXPECT_TRUE(mutex.try_lock_for(seconds(30)));
    EXPECT_FALSE(lost);
}

TEST_F(BlockingClient, EndsThoughTheServerIsDead)
{
    ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    ASSERT_TRUE(server().killNow());
    EXPECT_TRUE(ends(elsewhere([&] { client.reset(); })));
    EXPECT_FALSE(mutex.isHeld());
    mutex.unlock();
}

TEST_F(BlockingClient, EndsThoughTheServerIsSilent)
{
    ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    ASSERT_TRUE(server().suspend());
    EXPECT_TRUE(ends(elsewhere([&] { client.reset(); })));
    ASSERT_TRUE(server().resume());
}

// ---- a client that ends ----

TEST_F(BlockingClient, WaitersAreNotifiedWhenItEnds)
{
    const ClientPtr holding = connect();
    ClientPtr client = connect();
    BlockingMutex held(*holding, path());
    BlockingMutex mutex(*client, path());
    held.lock();
    const auto waiting =
        elsewhere([&] { EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::operation_canceled)); });
    const auto trying = elsewhere([&] {
        EXPECT_EQ(thrownBy([&] { mutex.try_lock_for(seconds(100)); }), is(std::errc::operation_canceled));
    });
    world->waitForChildren(path(), 3);
    client.reset();
    ASSERT_TRUE(ends(waiting) && ends(trying));
    EXPECT_TRUE(world->waitForChildren(path(), 1));
    EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::operation_canceled)) << "and later calls";
    EXPECT_EQ(thrownBy([&] { mutex.try_lock(); }), is(std::errc::operation_canceled));
}

TEST_F(BlockingClient, ReleasesWhatItHoldsAndNotifiesNoListener)
{
    ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.onLost([](const lock::LostHold&) { ADD_FAILURE() << "it was given back"; });
    mutex.lock();
    client.reset();
    EXPECT_FALSE(mutex.isHeld());
    mutex.unlock();
    const ClientPtr next = connect();
    EXPECT_TRUE(BlockingMutex(*next, path()).try_lock());
}

TEST_F(BlockingClient, APathThatIsNoneIsTheCallersMistake)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, "no path");
    EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::invalid_argument));
    EXPECT_EQ(thrownBy([&] { mutex.try_lock_for(seconds(1)); }), is(std::errc::invalid_argument));
}

} // namespace
} // namespace lockscope::tests
