// Fences: a holder that has lost its lock and does not know it is refused by what it writes to.
#include "core/lock/fence.h"

#include "tests/lock/lock_test.h"
#include "tests/support/fake_server.h"

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

class FenceTest : public LockTest
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        makePath();
        data = path() + "-data";
        world->create(world->observer(), data);
    }
    Later<Result<void>> write(LockClient& client, const Grant& grant, const std::string& text)
    {
        return world->start(fence::write(client.session, path() + "/" + grant.node, data, text));
    }
    Result<void> ended(const Later<Result<void>>& writing)
    {
        world->runUntil([&] { return writing.arrived(); }, "the write to end");
        return *writing;
    }
    std::string content() { return world->get(world->observer(), data).bytes; }

    std::string data;
};

TEST_F(FenceTest, AHolderWritesAndALateOneIsRefused)
{
    LockClient& old = addClient();
    const Grant before = acquireNow(old);
    ASSERT_TRUE(ended(write(old, before, "old")));
    EXPECT_EQ(content(), "old");
    // It hears nothing for a while, and the lock goes to another client.
    old.session->freeze();
    deleteNodeOf(old);
    LockClient& next = addClient();
    const Grant after = acquireNow(next);
    ASSERT_TRUE(ended(write(next, after, "new")));
    EXPECT_EQ(old.mutex->depth(OwnerId{0}), 1) << "it does not know";
    const auto late = write(old, before, "late");
    old.session->thaw();
    const Result<void> refused = ended(late);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::notOwner);
    EXPECT_THAT(refused.error().text(), HasSubstr(before.node));
    EXPECT_EQ(content(), "new");
    ASSERT_TRUE(release(next));
}

TEST_F(FenceTest, AMissingNodeIsNotALostLock)
{
    LockClient& client = addClient();
    const Grant grant = acquireNow(client);
    world->remove(world->observer(), data);
    const Result<void> failed = ended(write(client, grant, "text"));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::noNode);
    EXPECT_THAT(failed.error().text(), HasSubstr(data));
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 1);
}

TEST_F(FenceTest, NoPathIsNoPath)
{
    LockClient& client = addClient();
    for (const auto& [holder, node] : std::vector<std::pair<std::string, std::string>>{
             {"no path", data}, {path(), "no path"}, {path() + std::string(1, '\0'), data}}) {
        const Result<void> failed = ended(world->start(fence::write(client.session, holder, node, "")));
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().code, ErrorCode::badUsage);
    }
}

// The library would end the process when it finds fewer results, or more, than it has asked for.
TEST_F(FenceTest, ResultsThatAreNoneBreakTheConnection)
{
    const auto head = [](std::int32_t type, bool end, std::int32_t error) {
        return int32(type) + std::string(1, end ? '\1' : '\0') + int32(error);
    };
    const std::string failed = head(-1, false, -101) + int32(-101);
    const std::string end = head(-1, true, -1);
    const std::string done = head(13, false, 0) + head(5, false, 0) + stat();
    for (const std::string& body :
         {std::string(), end, failed + end, failed + failed + failed + end, done, done + end + end,
          head(5, false, 0) + stat() + head(13, false, 0) + end, failed + failed + head(-1, false, -1)}) {
        FakeServer broken([&](const FakeRequest& request) {
            return request.op == 14 ? reply(request.xid, 0, body) : defaultReply(request);
        });
        const HubSessionPtr session = world->connect(std::chrono::seconds(30), broken.address());
        const Result<void> failure = ended(world->start(fence::write(session, "/a/b", "/c", "")));
        ASSERT_FALSE(failure);
        EXPECT_EQ(failure.error().code, ErrorCode::connectionLost);
        session->close();
    }
    FakeServer busy([](const FakeRequest& request) {
        return request.op == 14 ? reply(request.xid, -127) : defaultReply(request);
    });
    const HubSessionPtr session = world->connect(std::chrono::seconds(30), busy.address());
    EXPECT_EQ(ended(world->start(fence::write(session, "/a/b", "/c", ""))).error().code, ErrorCode::busy);
    session->close();
}

} // namespace
} // namespace lockscope::tests
