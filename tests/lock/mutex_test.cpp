// The mutex as its user sees it while nothing breaks, under both handoff policies.
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Mutex : public EitherPolicy
{};
INSTANTIATE_TEST_SUITE_P(Handoff, Mutex, ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced),
                         policyName);

TEST_P(Mutex, IsGrantedInTheOrderOfArrival)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    std::vector<LockClient*> waiters;
    std::vector<Acquiring> waiting;
    for (int i = 0; i < 5; ++i) {
        waiters.push_back(&addClient());
        waiting.push_back(queueUp(*waiters.back()));
    }
    ASSERT_TRUE(release(holder));
    Zxid last = Zxid{0};
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        const Grant grant = granted(waiting[i]);
        EXPECT_GT(grant.token, last);
        last = grant.token;
        for (std::size_t behind = i + 1; behind < waiters.size(); ++behind)
            EXPECT_FALSE(waiting[behind].arrived());
        ASSERT_TRUE(release(*waiters[i]));
    }
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(Mutex, ReentersAndIsHeldUntilTheOutermostRelease)
{
    LockClient& client = addClient();
    LockClient& other = addClient();
    const Grant outer = acquireNow(client);
    EXPECT_EQ(acquireNow(client).depth, 2);
    const Grant inner = acquireNow(client);
    EXPECT_EQ(inner.depth, 3);
    EXPECT_EQ(inner.node, outer.node);
    EXPECT_EQ(inner.token, outer.token);
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 3);
    EXPECT_THAT(queue(), SizeIs(1));
    const Acquiring waiting = queueUp(other);
    ASSERT_TRUE(release(client));
    ASSERT_TRUE(release(client));
    settle(other);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 1);
    ASSERT_TRUE(release(client));
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 0);
    granted(waiting);
}

TEST_P(Mutex, SaysWhoReleasedWhatItDoesNotHold)
{
    LockClient& client = addClient();
    const Result<void> released = release(client, OwnerId{7});
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::notOwner);
    EXPECT_THAT(released.error().message, HasSubstr(path()));
    EXPECT_THAT(released.error().message, HasSubstr("client 0, thread 7"));

    acquireNow(client, OwnerId{1});
    EXPECT_FALSE(release(client, OwnerId{7})) << "another owner holds it";
    ASSERT_TRUE(release(client, OwnerId{1}));
    EXPECT_FALSE(release(client, OwnerId{1})) << "once too often";
}

TEST_P(Mutex, KeepsTwoOwnersOfOneClientApart)
{
    LockClient& client = addClient();
    acquireNow(client, OwnerId{1});
    const Acquiring second = acquire(client, OwnerId{2});
    waitUntilAsleep(client);
    EXPECT_FALSE(second.arrived());
    EXPECT_THAT(queue(), SizeIs(2));
    ASSERT_TRUE(release(client, OwnerId{1}));
    granted(second);
    EXPECT_EQ(client.mutex->depth(OwnerId{1}), 0);
    EXPECT_EQ(client.mutex->depth(OwnerId{2}), 1);
}

TEST_P(Mutex, RefusesAnOwnerThatIsWaitingAlready)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    const Error error = refused(acquire(client));
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_THAT(error.message, HasSubstr("client 1, thread 0"));
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(Mutex, GivesUpAfterTheLimitAndLeavesNoNode)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const Error error = refused(acquire(client, OwnerId{0}, milliseconds(50)));
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.message, HasSubstr(path()));
    EXPECT_THAT(queue(), ElementsAre(held.node));
    ASSERT_TRUE(release(holder));
    acquireNow(client);
}

TEST_P(Mutex, LooksOnceWithAZeroLimit)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    EXPECT_EQ(refused(acquire(client, OwnerId{0}, Duration{})).code, ErrorCode::timedOut);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    EXPECT_EQ(requests(client, trace::Op::getData), 0) << "it does not watch";
    ASSERT_TRUE(release(holder));
    granted(acquire(client, OwnerId{0}, Duration{}));
}

TEST_P(Mutex, AZeroLimitIsEnoughToReenter)
{
    LockClient& client = addClient();
    acquireNow(client);
    EXPECT_EQ(granted(acquire(client, OwnerId{0}, Duration{})).depth, 2);
}

TEST_P(Mutex, OneOfTwentyThatTryAtOnceHasIt)
{
    std::vector<Acquiring> tries;
    for (int i = 0; i < 20; ++i)
        tries.push_back(acquire(addClient(), OwnerId{0}, Duration{}));
    int had = 0;
    for (const Acquiring& acquiring : tries) {
        world->runUntil([&] { return acquiring.arrived(); }, "the try to end");
        had += *acquiring ? 1 : 0;
    }
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_EQ(had, 1);
}

TEST_P(Mutex, CanBeCancelledWhileItWaits)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const lock::Cancel cancel;
    const Acquiring waiting = acquire(client, OwnerId{0}, std::nullopt, cancel);
    waitUntilAsleep(client);
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    ASSERT_TRUE(release(holder));
    acquireNow(client);
}

TEST_P(Mutex, IsNotEvenAskedForWhenCancelledBefore)
{
    LockClient& client = addClient();
    const lock::Cancel cancel;
    cancel.request();
    EXPECT_EQ(refused(acquire(client, OwnerId{0}, std::nullopt, cancel)).code, ErrorCode::cancelled);
    EXPECT_EQ(requests(client, trace::Op::create), 0);
}

TEST_P(Mutex, OneCancelEndsSeveralAcquires)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const lock::Cancel cancel;
    std::vector<Acquiring> waiting;
    for (std::uint32_t owner = 0; owner < 3; ++owner)
        waiting.push_back(acquire(client, OwnerId{owner}, std::nullopt, cancel));
    world->waitForChildren(path(), 4);
    cancel.request();
    for (const Acquiring& acquiring : waiting)
        EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_P(Mutex, CanBeHeldAgainAndAgain)
{
    LockClient& client = addClient();
    Zxid last = Zxid{0};
    for (int i = 0; i < 10; ++i) {
        const Grant grant = acquireNow(client);
        EXPECT_GT(grant.token, last) << "a fencing token grows with every grant";
        last = grant.token;
        ASSERT_TRUE(release(client));
    }
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

TEST_P(Mutex, NeedsOneRoundTripWhenItIsFree)
{
    makePath();
    LockClient& client = addClient();
    acquireNow(client);
    EXPECT_EQ(requests(client, trace::Op::create), 1);
    EXPECT_EQ(requests(client, trace::Op::getChildren), 1);
    EXPECT_EQ(requests(client, trace::Op::getData), 0);
    EXPECT_EQ(requests(client, trace::Op::setData), 0) << "nobody is there to tell";
    ASSERT_TRUE(release(client));
    EXPECT_EQ(requests(client, trace::Op::remove), 1);
}

// What a Curator client on the same path reads.
TEST_P(Mutex, WritesWhatCuratorWrites)
{
    LockClient& client = addClient();
    const Grant grant = acquireNow(client);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_THAT(grant.node,
                ::testing::MatchesRegex(
                    "_c_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-lock-[0-9]{10}"));
    const zk::Data data = world->get(world->observer(), path() + "/" + grant.node);
    EXPECT_EQ(data.bytes, "127.0.0.1");
    EXPECT_EQ(data.stat.ephemeralOwner, client.session->id());
    EXPECT_EQ(data.stat.czxid, grant.token);
}

TEST_P(Mutex, MakesMissingParentsAsContainers)
{
    options.path = path() + "/deeply/nested/lock";
    const LossyRelay link(server().address()); // it sees what is asked for; a reply does not tell containers
    LockClient& client = addClient(link.address());
    const Grant grant = acquireNow(client);
    EXPECT_TRUE(world->exists(options.path + "/" + grant.node));
    EXPECT_EQ(link.requests(LossyRelay::Op::createContainer), 5); // "/<test>/<policy>/deeply/nested/lock"
    client.session->close();
}

TEST_P(Mutex, LeavesAnExistingParentAsItIs)
{
    options.path = path() + "/lock";
    world->create(world->observer(), path().substr(0, path().find('/', 1)), "mine");
    world->create(world->observer(), path(), "mine");
    LockClient& client = addClient();
    acquireNow(client);
    EXPECT_EQ(world->get(world->observer(), path()).bytes, "mine");
    EXPECT_FALSE(world->get(world->observer(), path()).stat.ephemeralOwner.valid());
}

// The server removes an empty container after a while; the numbers then begin at 0 again, the tokens do not.
TEST_P(Mutex, MakesAContainerAgainThatTheServerHasRemoved)
{
    LockClient& client = addClient();
    const Grant first = acquireNow(client);
    ASSERT_TRUE(release(client));
    ASSERT_EQ(world->remove(world->observer(), path()), zk::Code::ok);
    const Grant second = acquireNow(client);
    EXPECT_TRUE(second.node.ends_with("0000000000"));
    EXPECT_GT(second.token, first.token);
}

TEST_P(Mutex, ListsItsParticipantsInOrder)
{
    LockClient& holder = addClient();
    const auto participants = [&] {
        const auto listed = world->start(holder.mutex->participants());
        world->runUntil([&] { return listed.arrived(); }, "the list");
        return listed->value();
    };
    EXPECT_THAT(participants(), IsEmpty()) << "the path does not exist yet";
    const Grant first = acquireNow(holder);
    std::vector<Acquiring> waiting;
    for (int i = 0; i < 3; ++i)
        waiting.push_back(queueUp(addClient()));
    std::vector<std::string> listed = participants();
    ASSERT_THAT(listed, SizeIs(4));
    EXPECT_EQ(listed[0], first.node);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(listed[i].ends_with("000000000" + std::to_string(i))) << listed[i];
    ASSERT_TRUE(release(holder));
    EXPECT_EQ(granted(waiting[0]).node, listed[1]);
}

TEST_P(Mutex, WakesOneWaiterForEachRelease)
{
    constexpr int kClients = 10;
    std::vector<LockClient*> clients;
    std::vector<Acquiring> acquiring;
    for (int i = 0; i < kClients; ++i) {
        clients.push_back(&addClient());
        acquiring.push_back(acquire(*clients.back()));
        world->waitForChildren(path(), static_cast<std::size_t>(i) + 1);
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
        granted(acquiring[i]);
        settle(*clients[i]); // it has said that it holds, if it does that
        if (i + 1 < clients.size())
            settle(*clients[i + 1]);
        ASSERT_TRUE(release(*clients[i]));
    }
    EXPECT_EQ(fired(trace::WatchKind::nodeDeleted), kClients - 1);
    // Besides, an announcement wakes the next in line during the hold; the first holder had nobody to tell.
    EXPECT_EQ(fired(trace::WatchKind::nodeChanged), GetParam() == HandoffPolicy::curator ? 0 : kClients - 2);
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

// ---- everybody at once
// -------------------------------------------------------------------------------------

struct Inside
{
    int now = 0;
    int most = 0;
    Zxid lastToken = Zxid{0};
    bool tokensGrow = true;
};

zk::Awaitable<bool> cycles(lock::Mutex* mutex, int count, Inside* inside, zk::Session* session)
{
    for (int i = 0; i < count; ++i) {
        const Result<Grant> grant = co_await mutex->acquire(OwnerId{0});
        if (!grant) {
            ADD_FAILURE() << grant.error().text();
            co_return false;
        }
        inside->most = std::max(inside->most, ++inside->now);
        inside->tokensGrow = inside->tokensGrow && grant->token > inside->lastToken;
        inside->lastToken = grant->token;
        zk::Pending<zk::Code> roundTrip; // something takes time while it is held
        session->sync("/", roundTrip.handler());
        co_await roundTrip.get();
        --inside->now;
        const Result<void> released = co_await mutex->release(OwnerId{0});
        if (!released) {
            ADD_FAILURE() << released.error().text();
            co_return false;
        }
    }
    co_return true;
}

TEST_P(Mutex, HasNeverTwoInsideThoughTwentyWantIt)
{
    Inside inside;
    std::vector<Later<bool>> all;
    for (int i = 0; i < 20; ++i) {
        LockClient& client = addClient();
        all.push_back(world->start(cycles(client.mutex.get(), 10, &inside, client.session.get())));
    }
    world->runUntil(
        [&] {
            return std::all_of(all.begin(), all.end(), [](const Later<bool>& one) { return one.arrived(); });
        },
        "200 cycles");
    EXPECT_EQ(inside.most, 1);
    EXPECT_TRUE(inside.tokensGrow);
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

// ---- the end of a mutex
// ------------------------------------------------------------------------------------

TEST_P(Mutex, ReleasesWhatItHoldsWhenItGoes)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    acquireNow(holder); // however deep
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    holder.mutex.reset();
    const Grant grant = granted(waiting);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

TEST_P(Mutex, LeavesTheQueueWhenItGoesWhileWaiting)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    client.mutex.reset();
    EXPECT_EQ(refused(waiting).code, ErrorCode::closed);
    EXPECT_THAT(queue(), ElementsAre(held.node));
}

TEST_P(Mutex, LeavesNothingWhenItGoesWhileItsNodeIsMade)
{
    makePath();
    LockClient& client = addClient();
    const Acquiring acquiring = world->start(client.mutex->acquire(OwnerId{0}));
    world->runReady(); // the create is under way
    client.mutex.reset();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::closed);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_P(Mutex, IsLostWhenItsSessionIsClosed)
{
    LockClient& holder = addClient();
    LockClient& client = addClient();
    acquireNow(holder);
    const Acquiring waiting = queueUp(client);
    client.session->close();
    EXPECT_EQ(refused(waiting).code, ErrorCode::sessionLost);
    int lost = 0;
    holder.mutex->onLost([&](OwnerId) { ++lost; });
    holder.session->close();
    world->runUntil([&] { return lost > 0; }, "the loss");
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 0);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
    EXPECT_EQ(lost, 1);
}

} // namespace
} // namespace lockscope::tests
