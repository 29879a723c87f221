// An acquire that goes on in a new session with the GUID of the old one, as Curator's clients do: the old
// session's node may still be there, and must not be taken for the own one.
#include "tests/lock/lock_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;

constexpr const char* kGuid = "11111111-2222-4333-8444-555555555555";

class KeptGuid : public EitherPolicy
{
protected:
    void SetUp() override
    {
        EitherPolicy::SetUp();
        options.keptGuid = kGuid;
    }
};
INSTANTIATE_TEST_SUITE_P(Handoff, KeptGuid,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

TEST_P(KeptGuid, NamesTheNodeOfTheFirstAttempt)
{
    LockClient& client = addClient();
    EXPECT_THAT(acquireNow(client).node, ::testing::HasSubstr(kGuid));
    ASSERT_TRUE(release(client));
    EXPECT_THAT(acquireNow(client).node, ::testing::Not(::testing::HasSubstr(kGuid))) << "that one is over";
}

// CURATOR-498, CURATOR-604: the new session would hold by a node that goes at any moment.
TEST_P(KeptGuid, DoesNotHoldByANodeOfItsOldSession)
{
    LockClient& old = addClient();
    const Grant before = acquireNow(old);
    old.session->freeze(); // its session lives on at the server, and it is not informed
    LockClient& next = addClient();
    const Grant grant = acquireNow(next);
    EXPECT_NE(grant.node, before.node);
    EXPECT_EQ(world->get(world->observer(), path() + "/" + grant.node).stat.ephemeralOwner,
              next.session->id());
    EXPECT_THAT(queue(), ElementsAre(grant.node)) << "the old one is deleted, it would block the queue";
    old.session->thaw();
}

// In the same session it is the own one: the create was applied and its reply lost.
TEST_P(KeptGuid, TakesANodeOfItsOwnSession)
{
    LockClient& client = addClient();
    makePath();
    const std::string prefix = lock::NodeNaming::protectionPrefix(kGuid);
    const zk::Created made = world->create(*client.session, path() + "/" + prefix + "lock-", "",
                                           zk::CreateMode::ephemeralSequential);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(path() + "/" + grant.node, made.path);
    EXPECT_EQ(grant.token, made.stat.czxid);
}

} // namespace
} // namespace lockscope::tests
