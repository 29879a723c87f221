// What cannot work says why, at once, and leaves nothing behind.
#include "tests/lock/lock_test.h"
#include "tests/support/restricted_node.h"

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MutexErrors : public LockTest
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1)); // a retry would not end in time
    }
};

TEST_F(MutexErrors, NotPermittedToCreate)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), readRight));
    const Error error = refused(acquire(addClient()));
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(error.message.english(), HasSubstr("Not permitted"));
}

TEST_F(MutexErrors, NotPermittedToMakeTheParents)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), readRight));
    options.path = path() + "/deep/lock";
    EXPECT_EQ(refused(acquire(addClient())).code, ErrorCode::noAuth);
}

// The server asks for the right to create in the first part before it looks whether the second one exists.
TEST_F(MutexErrors, PartsOfThePathThatExistNeedNoRights)
{
    world->create(world->observer(), path());
    world->create(world->observer(), path() + "/ours");
    ASSERT_TRUE(setRights(server().address(), path(), readRight));
    options.path = path() + "/ours/lock";
    acquireNow(addClient());
}

TEST_F(MutexErrors, NotPermittedToList)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), createRight | deleteRight));
    const Error error = refused(acquire(addClient()));
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    const zk::Data parent = world->get(world->observer(), path());
    EXPECT_EQ(parent.code, zk::Code::noAuth);
}

// The node stays until the session ends: the caller must know, not wait for it.
TEST_F(MutexErrors, NotPermittedToDelete)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), createRight | readRight));
    LockClient& holder = addClient();
    acquireNow(holder);
    const Result<void> released = release(holder);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::noAuth);
    EXPECT_THAT(released.error().message.english(), HasSubstr(path()));
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_EQ(count<trace::Released>(holder), 0) << "it is not released";
    EXPECT_EQ(refused(acquire(addClient(), OwnerId{0}, Duration{})).code, ErrorCode::noAuth)
        << "it is not free, and the node of the one that looked stays, too";
}

TEST_F(MutexErrors, APathThatIsNone)
{
    for (const std::string_view bad :
         {"", "no/slash", "/double//slash", "/ends/with/", "/", "/a/../b", "/."}) {
        options.path = std::string(bad);
        const Error error = refused(acquire(addClient()));
        EXPECT_EQ(error.code, ErrorCode::badUsage) << "\"" << bad << "\": " << error.text();
        EXPECT_THAT(error.message.english(), HasSubstr("does not accept the path"));
        EXPECT_THAT(error.hint.english(), HasSubstr("slash"));
    }
    const Children root = world->children(world->observer(), "/");
    for (const std::string& name : root.names)
        EXPECT_FALSE(name.starts_with("_c_")) << "a node was left in the root";
}

TEST_F(MutexErrors, APathUnderAnEphemeralNode)
{
    world->create(world->observer(), path(), "", zk::CreateMode::ephemeral);
    const Error direct = refused(acquire(addClient()));
    EXPECT_EQ(direct.code, ErrorCode::badUsage);
    EXPECT_THAT(direct.message.english(), HasSubstr("ephemeral"));
    options.path = path() + "/below";
    EXPECT_EQ(refused(acquire(addClient())).code, ErrorCode::badUsage);
}

} // namespace
} // namespace lockscope::tests
