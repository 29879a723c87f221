// Access lists, credentials and the chroot of a session, on the server.
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::SessionPhase;

class Access : public ZkTest
{
protected:
    zk::ConnectOptions optionsOf(const std::string& secret, zk::Acl acl = zk::creatorAllAcl())
    {
        zk::ConnectOptions options{server().address()};
        if (!secret.empty())
            options.credentials = {
                zk::Credential::digest([secret]() -> Result<std::string> { return secret; })};
        options.acl = std::move(acl);
        return options;
    }
    HubSessionPtr connected(zk::ConnectOptions options)
    {
        HubSessionPtr session = world->connecting(std::move(options));
        EXPECT_TRUE(world->waitFor(*session, SessionPhase::connected));
        return session;
    }
};

TEST_F(Access, WhatTheCreatorAloneMayDoOthersMayNot)
{
    const HubSessionPtr ada = connected(optionsOf("ada:secret"));
    ASSERT_EQ(world->create(*ada, path(), "hers").code, Code::ok);
    EXPECT_EQ(world->get(world->observer(), path()).code, Code::noAuth);
    EXPECT_EQ(world->create(world->observer(), path() + "/child").code, Code::noAuth);
    EXPECT_EQ(world->get(*connected(optionsOf("ada:wrong")), path()).code, Code::noAuth);
    EXPECT_EQ(world->get(*connected(optionsOf("ada:secret")), path()).bytes, "hers");
}

TEST_F(Access, ACredentialIsSentAgainOnEveryConnection)
{
    const HubSessionPtr ada = connected(optionsOf("ada:secret"));
    ASSERT_EQ(world->create(*ada, path()).code, Code::ok);
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(world->waitFor(*ada, SessionPhase::suspended));
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(*ada, SessionPhase::connected));
    EXPECT_EQ(world->get(*ada, path()).code, Code::ok);
}

TEST_F(Access, ANodeForItsCreatorNeedsACredential)
{
    const HubSessionPtr session = connected(optionsOf({}));
    EXPECT_EQ(world->create(*session, path()).code, Code::noAuth);
}

TEST_F(Access, AListMayNameSeveral)
{
    const HubSessionPtr ada = connected(optionsOf(
        "ada:secret", {{zk::kAllPermissions, "auth", ""}, {zk::kReadPermission, "world", "anyone"}}));
    ASSERT_EQ(world->create(*ada, path(), "hers").code, Code::ok);
    EXPECT_EQ(world->get(world->observer(), path()).bytes, "hers");
    EXPECT_EQ(world->set(world->observer(), path(), "ours").code, Code::noAuth);
}

TEST_F(Access, ASchemeThatTheServerDoesNotKnowEndsTheSession)
{
    zk::ConnectOptions options = optionsOf("ada:secret");
    options.credentials[0].scheme = "no-such-scheme";
    const HubSessionPtr session = world->connecting(options);
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::lost));
    EXPECT_EQ(session->lossReason(), zk::LossReason::authFailed);
}

TEST_F(Access, ACredentialWithoutAProofEndsTheSession)
{
    zk::ConnectOptions options = optionsOf({});
    options.credentials = {zk::Credential::digestFile("/no/such/file")};
    const HubSessionPtr session = world->connecting(options);
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::lost));
    EXPECT_EQ(session->lossReason(), zk::LossReason::authFailed);
}

TEST_F(Access, ADigestComesFromAFileAndItsErrorsDoNotRepeatIt)
{
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / ("digest." + std::to_string(getpid()));
    std::ofstream(file) << "ada:secret\nanother line\n";
    EXPECT_EQ(zk::Credential::digestFile(file).proof().value(), "ada:secret");
    std::ofstream(file) << "only-a-password\n";
    const Result<std::string> bad = zk::Credential::digestFile(file).proof();
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.error().text(), ::testing::HasSubstr(file.string()));
    EXPECT_THAT(bad.error().text(), ::testing::Not(::testing::HasSubstr("only-a-password")));
    std::filesystem::remove(file);
}

// ---- the chroot ----

TEST_F(Access, AllPathsOfASessionBeginAtItsChroot)
{
    ASSERT_EQ(world->create(world->observer(), path()).code, Code::ok);
    const HubSessionPtr session = connected({server().address() + path()});
    const zk::Created made = world->create(*session, "/n-", "data", zk::CreateMode::ephemeralSequential);
    EXPECT_EQ(made.path, "/n-0000000000");
    EXPECT_EQ(world->get(world->observer(), path() + made.path).bytes, "data");
    EXPECT_EQ(world->get(*session, made.path).bytes, "data");
    EXPECT_THAT(world->children(*session, "/").names, ::testing::ElementsAre("n-0000000000"));

    std::vector<zk::WatchKind> fired;
    const auto note = [&](zk::WatchKind kind) { fired.push_back(kind); };
    const zk::WatchPtr data = session->getData(made.path, note, [](const zk::Data&) {});
    const zk::WatchPtr missing = session->exists("/later", note, [](const zk::StatReply&) {});
    world->settle(*session);
    EXPECT_EQ(world->set(world->observer(), path() + made.path, "new").code, Code::ok);
    ASSERT_TRUE(world->runUntil([&] { return fired.size() == 1; }, "the data watch"));
    EXPECT_EQ(world->create(world->observer(), path() + "/later").code, Code::ok);
    ASSERT_TRUE(world->runUntil([&] { return fired.size() == 2; }, "the exists watch"));
    EXPECT_THAT(fired, ::testing::ElementsAre(zk::WatchKind::changed, zk::WatchKind::created));
    EXPECT_EQ(world->set(*session, made.path, "newer").code, Code::ok);
    EXPECT_EQ(world->remove(*session, made.path), Code::ok);
    EXPECT_FALSE(world->exists(path() + made.path));
    ASSERT_TRUE(world->kill(*session)); // the second connection takes the same way
    EXPECT_TRUE(world->waitFor(*session, SessionPhase::lost));
}

// ---- settings of the process ----

TEST(HubOptionsTest, TheFileLimitStaysUnlessTheApplicationAsks)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit lower = before;
    lower.rlim_cur = std::min<rlim_t>(before.rlim_max, 512);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
    boost::asio::io_context io;
    ASSERT_TRUE(zk::Hub::create(io));
    rlimit after{};
    getrlimit(RLIMIT_NOFILE, &after);
    EXPECT_EQ(after.rlim_cur, lower.rlim_cur);
    ASSERT_TRUE(zk::Hub::create(io, {.raiseFileLimit = true}));
    getrlimit(RLIMIT_NOFILE, &after);
    EXPECT_EQ(after.rlim_cur, after.rlim_max);
}

} // namespace
} // namespace lockscope::tests
