// The mutex on the server: its nodes and their parents, who is woken, and what is left when it is over.
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

#include <algorithm>

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MutexNodes : public EitherPolicy
{};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexNodes,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// What a Curator client on the same path reads.
TEST_P(MutexNodes, WritesWhatCuratorWrites)
{
    LockClient& client = addClient();
    const Grant grant = acquireNow(client);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_THAT(grant.node,
                ::testing::MatchesRegex(
                    "_c_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-lock-[0-9]{10}"));
    const zk::Data data = world->get(world->observer(), path() + "/" + grant.node);
    EXPECT_EQ(data.bytes, lock::defaultNodeData());
    EXPECT_EQ(data.stat.ephemeralOwner, client.session->id());
    EXPECT_EQ(data.stat.czxid, grant.token);
}

TEST_P(MutexNodes, MakesMissingParentsAsContainers)
{
    world->create(world->observer(),
                  path().substr(0, path().find('/', 1))); // the other policy's test may have made it
    options.path = path() + "/deeply/nested/lock";
    const LossyRelay link(server().address()); // it sees what is asked for; a reply does not tell containers
    LockClient& client = addClient(link.address());
    const Grant grant = acquireNow(client);
    EXPECT_TRUE(world->exists(options.path + "/" + grant.node));
    // Of "/<test>/<policy>/deeply/nested/lock" four are missing: up to the first of them, and down again.
    EXPECT_EQ(link.requests(LossyRelay::Op::createContainer), 4 + 3);
    client.session->close();
}

TEST_P(MutexNodes, LeavesAnExistingParentAsItIs)
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
TEST_P(MutexNodes, MakesAContainerAgainThatTheServerHasRemoved)
{
    LockClient& client = addClient();
    const Grant first = acquireNow(client);
    ASSERT_TRUE(release(client));
    ASSERT_EQ(world->remove(world->observer(), path()), zk::Code::ok);
    const Grant second = acquireNow(client);
    EXPECT_TRUE(second.node.ends_with("0000000000"));
    EXPECT_GT(second.token, first.token);
}

TEST_P(MutexNodes, ListsItsParticipantsInOrder)
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

TEST_P(MutexNodes, WakesOneWaiterForEachRelease)
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
    EXPECT_EQ(fired(trace::WatchKind::deleted), kClients - 1);
    // Besides, an announcement wakes the next in line during the hold; the first holder had no successor to
    // notify.
    EXPECT_EQ(fired(trace::WatchKind::changed), GetParam() == HandoffPolicy::curator ? 0 : kClients - 2);
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

// ---- all clients at once ----

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
        const Result<Grant> grant = co_await mutex->acquire(OwnerId{0}).asResult();
        if (!grant) {
            ADD_FAILURE() << grant.error().text();
            co_return false;
        }
        inside->most = std::max(inside->most, ++inside->now);
        inside->tokensGrow = inside->tokensGrow && grant->token > inside->lastToken;
        inside->lastToken = grant->token.value();
        zk::Pending<zk::Code> roundTrip; // something takes time while it is held
        session->sync("/", roundTrip.handler());
        co_await roundTrip.get();
        --inside->now;
        const Result<void> released = co_await mutex->release(OwnerId{0}).asResult();
        if (!released) {
            ADD_FAILURE() << released.error().text();
            co_return false;
        }
    }
    co_return true;
}

TEST_P(MutexNodes, HasNeverTwoInsideThoughTwentyWantIt)
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

// ---- the end of a mutex ----

TEST_P(MutexNodes, ReleasesWhatItHoldsWhenItGoes)
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

TEST_P(MutexNodes, LeavesTheQueueWhenItGoesWhileWaiting)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    client.mutex.reset();
    EXPECT_EQ(refused(waiting).code, ErrorCode::closed);
    EXPECT_THAT(queue(), ElementsAre(held.node));
}

TEST_P(MutexNodes, LeavesNothingWhenItGoesWhileItsNodeIsMade)
{
    makePath();
    LockClient& client = addClient();
    client.session->freeze(); // so that it does not learn of its node
    const Acquiring acquiring = acquire(client);
    ASSERT_TRUE(world->waitForChildren(path(), 1));
    client.mutex.reset();
    client.session->thaw();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::closed);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_P(MutexNodes, IsLostWhenItsSessionIsClosed)
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
