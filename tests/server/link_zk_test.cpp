// The link between the real client and a real ZooKeeper: what a lost reply, a half-open connection and a
// black hole mean for a session.
#include "core/server/relay/link.h"
#include "tests/support/zk_world.h"

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using server::Link;

class LinkZk : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_EQ(world->create(world->observer(), path()).code, zk::Code::ok);
    }

    std::unique_ptr<Link> openLink()
    {
        auto& io = static_cast<boost::asio::io_context&>(world->hub().executor().context());
        return Link::open(io, {server().address()}, 1).value();
    }
};

TEST_F(LinkZk, ALostReplyToACreateIsAConnectionLossAndTheNodeIsThere)
{
    const auto link = openLink();
    const auto session = world->connect(10s, link->hosts());
    int losses = 0;
    link->loseNextReply(Operation::create, [&] { ++losses; });
    const auto created = world->create(*session, path() + "/node");
    EXPECT_EQ(created.code, zk::Code::unknown) << describe(created.code);
    EXPECT_EQ(losses, 1);
    EXPECT_TRUE(world->exists(path() + "/node"));
    EXPECT_TRUE(world->waitFor(*session, zk::SessionPhase::connected)) << "it reconnects by itself";
    EXPECT_EQ(world->create(*session, path() + "/next").code, zk::Code::ok);
}

TEST_F(LinkZk, AHalfOpenConnectionIsGivenUpByTheClientItself)
{
    const auto link = openLink();
    const auto session = world->connect(2s, link->hosts());
    link->halfOpen();
    EXPECT_EQ(session->phase(), zk::SessionPhase::connected) << "it believes in its connection";
    EXPECT_TRUE(world->waitFor(*session, zk::SessionPhase::suspended));
    EXPECT_TRUE(world->waitFor(*session, zk::SessionPhase::connected));
    EXPECT_EQ(world->create(*session, path() + "/node").code, zk::Code::ok);
}

TEST_F(LinkZk, ThroughASlowLinkEverythingWorks)
{
    const auto link = openLink();
    link->set({.latency = 5ms, .jitter = 5ms, .bytesPerSecond = 100'000});
    const auto session = world->connect(10s, link->hosts());
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(world->create(*session, path() + "/n" + std::to_string(i)).code, zk::Code::ok);
    EXPECT_EQ(world->children(*session, path()).names.size(), 10u);
}

} // namespace
} // namespace lockscope::tests
