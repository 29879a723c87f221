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
