// Watches: one call for one change, none for who has gone, none left behind on a node that does not exist.
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using zk::Code;
using zk::CreateMode;
using zk::WatchKind;

class Watches : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        watcher = world->connect();
        other = world->connect();
    }
    void TearDown() override
    {
        watcher.reset();
        other.reset();
        ZkTest::TearDown();
    }

    zk::WatchHandler note()
    {
        return [this](WatchKind kind) { fired.push_back(kind); };
    }
    // Watches the node's data; returns when the watch is set (or not).
    zk::WatchPtr watch(const std::string& node, Code expected = Code::ok)
    {
        Later<zk::Data> reply;
        zk::WatchPtr handle = watcher->getData(node, note(), reply.handler());
        world->runUntil([&] { return reply.arrived(); }, "the watch to be set");
        EXPECT_EQ(reply->code, expected);
        return handle;
    }
    // Whatever the other session did has come to the watcher.
    void meet()
    {
        world->settle(*other);
        world->settle(*watcher);
    }

    HubSessionPtr watcher;
    HubSessionPtr other;
    std::vector<WatchKind> fired;
};

TEST_F(Watches, FireOnceWhenTheNodeIsDeleted)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    world->remove(*other, path());
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
    world->create(*other, path(), "");
    world->remove(*other, path());
    meet();
    EXPECT_EQ(fired.size(), 1U);
}

TEST_F(Watches, FireOnceWhenTheDataChanges)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    world->set(*other, path(), "one");
    world->set(*other, path(), "two");
    world->remove(*other, path());
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::changed));
}

TEST_F(Watches, FireWhenTheChildrenChange)
{
    world->create(*other, path(), "");
    Later<Code> listed;
    const zk::WatchPtr handle = watcher->getChildren(
        path(), note(),
        [handler = listed.handler()](Code code, zk::ChildNames, const zk::Stat&) { handler(code); });
    world->runUntil([&] { return listed.arrived(); }, "the list");
    world->create(*other, path() + "/child", "");
    world->remove(*other, path() + "/child");
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::childrenChanged));
}

TEST_F(Watches, OfExistsFireWhenTheNodeComes)
{
    Later<zk::StatReply> reply;
    const zk::WatchPtr handle = watcher->exists(path(), note(), reply.handler());
    world->runUntil([&] { return reply.arrived(); }, "the answer");
    EXPECT_EQ(reply->code, Code::noNode);
    world->create(*other, path(), "");
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::created));
}

TEST_F(Watches, AreSilentOnceTheHandleIsGone)
{
    world->create(*other, path(), "");
    watch(path()).reset();
    world->remove(*other, path());
    meet();
    EXPECT_THAT(fired, IsEmpty());
}

// Both watches come with one packet: what the first one's handler lets go of must stay silent all the same.
TEST_F(Watches, AreSilentWhenTheHandlerBeforeLetsGoOfThem)
{
    world->create(*other, path(), "");
    int calls = 0;
    zk::WatchPtr first;
    zk::WatchPtr second;
    Later<zk::Data> firstSet;
    Later<zk::Data> secondSet;
    const auto letGoOfBoth = [&](WatchKind) {
        ++calls;
        first.reset();
        second.reset();
    };
    first = watcher->getData(path(), letGoOfBoth, firstSet.handler());
    second = watcher->getData(path(), letGoOfBoth, secondSet.handler());
    world->runUntil([&] { return firstSet.arrived() && secondSet.arrived(); }, "both watches");
    world->remove(*other, path());
    meet();
    EXPECT_EQ(calls, 1);
}

TEST_F(Watches, MayBeSetAgainInsideTheirHandler)
{
    world->create(*other, path(), "0");
    zk::WatchPtr handle;
    int changes = 0;
    std::function<void(WatchKind)> again = [&](WatchKind) {
        ++changes;
        handle = watcher->getData(path(), again, [](zk::Data) {});
    };
    handle = watcher->getData(path(), again, [](zk::Data) {});
    world->settle(*watcher);
    for (int i = 1; i <= 10; ++i) {
        world->set(*other, path(), std::to_string(i));
        meet();
        ASSERT_EQ(changes, i);
    }
}

// CURATOR-107: a sequential name never comes back, so a watch on it would stay for ever.
TEST_F(Watches, AreNotLeftBehindOnANodeThatIsMissing)
{
    const zk::WatchPtr handle = watch(path(), Code::noNode);
    EXPECT_EQ(world->watchesUnder(path()), 0U);
    world->create(*other, path(), "");
    meet();
    EXPECT_THAT(fired, IsEmpty());
}

TEST_F(Watches, OfTwoSessionsAreTwo)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    Later<zk::Data> reply;
    int othersCalls = 0;
    const zk::WatchPtr others = other->getData(
        path(), [&](WatchKind) { ++othersCalls; }, reply.handler());
    world->runUntil([&] { return reply.arrived(); }, "the other watch");
    EXPECT_EQ(world->watchesUnder(path()), 2U);
    world->remove(*other, path());
    meet();
    EXPECT_EQ(fired.size(), 1U);
    EXPECT_EQ(othersCalls, 1);
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

TEST_F(Watches, SurviveTheLossOfTheConnection)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    ASSERT_TRUE(server().restart());
    world->waitFor(*watcher, zk::SessionPhase::connected);
    world->runUntil([&] { return world->watchesUnder(path()) == 1; }, "the watch to be set again");
    world->waitFor(*other, zk::SessionPhase::connected);
    EXPECT_THAT(fired, IsEmpty());
    EXPECT_EQ(world->remove(*other, path()), Code::ok);
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
}

TEST_F(Watches, TellWhatHappenedWhileTheConnectionWasLost)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    watcher->freeze(); // it does not read what comes
    world->remove(*other, path());
    ASSERT_TRUE(server().restart());
    watcher->thaw();
    world->runUntil([&] { return !fired.empty(); }, "the watch");
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
}

TEST_F(Watches, AreDroppedWithTheirSession)
{
    world->create(*other, path(), "");
    const zk::WatchPtr handle = watch(path());
    watcher->close();
    world->remove(*other, path());
    world->settle(*other);
    EXPECT_THAT(fired, IsEmpty());
    watcher.reset(); // before its watch's handle
}

} // namespace
} // namespace lockscope::tests
