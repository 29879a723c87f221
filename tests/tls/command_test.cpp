// lockscope-cli on a secured ensemble: what it does, and what it says of a mistake.
#include "core/base/host_port.h"
#include "tests/integration/child.h"
#include "tests/tls/secured.h"

#include <gmock/gmock.h>

#include <optional>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

class SecuredCommand : public SecuredHub
{};

TEST_F(SecuredCommand, TellsWhoHoldsALock)
{
    writing = hub->connect({.hosts = needing().secure(), .security = mutual()});
    ASSERT_TRUE(connected(*writing));
    std::optional<zk::Code> held;
    writing->create("/locked", "", zk::CreateMode::persistent, [](const zk::Created&) {});
    writing->create("/locked/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "me",
                    zk::CreateMode::ephemeralSequential,
                    [&](const zk::Created& created) { held = created.code; });
    ASSERT_TRUE(until([&] { return held.has_value(); }, "the lock is held"));
    ASSERT_EQ(*held, zk::Code::ok);
    const auto who = [&](const std::vector<std::string>& how) {
        std::vector<std::string> arguments{"who", "/locked", "--connect", needing().secure()};
        arguments.insert(arguments.end(), how.begin(), how.end());
        test::Child child(LOCKSCOPE_CLI, arguments);
        // The holder's session is to live on.
        EXPECT_TRUE(until([&] { return !test::isProcessAlive(child.pid()); }, "an answer"));
        return std::tuple(child.wait(), child.output(), child.errors());
    };
    const auto [code, output, errors] = who({"--ca", authority().certificate(), "--cert", ours()});
    EXPECT_EQ(code, 0) << errors;
    EXPECT_THAT(output, HasSubstr("127.0.0.1")) << "where the holder is, by the words over TLS";
    EXPECT_EQ(errors, "");
    const auto [refused, nothing, why] = who({"--ca", authority().certificate()});
    EXPECT_EQ(refused, 3);
    EXPECT_THAT(why, HasSubstr("demands a certificate of its clients"));
    const auto [wrong, none, mistake] = who({"--ca", "/no/such/file"});
    EXPECT_EQ(wrong, 2);
    EXPECT_THAT(mistake, HasSubstr("/no/such/file cannot be read"));
}

TEST_F(SecuredCommand, RunsAScenario)
{
    const auto run = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--quiet", "--lock", "/RunsAScenario"});
        test::Child child(LOCKSCOPE_CLI, arguments);
        const int code = child.wait();
        return std::pair(code, child.errors());
    };
    const std::string ca = authority().certificate();
    const std::string address = "tls://localhost:" + std::to_string(parseHostPort(needing().secure())->port);
    // Its clients connect through links that are cut.
    EXPECT_EQ(run({"run", "cut-link", "--connect", address, "--ca", ca, "--cert", ours()}),
              std::pair(0, std::string()));
    const auto [refused, who] = run({"run", "bare", "--connect", address, "--ca", ca});
    EXPECT_EQ(refused, 3);
    EXPECT_THAT(who, HasSubstr("demands a certificate of its clients"));
    const auto [plain, what] = run({"run", "bare", "--connect", needing().secure()});
    EXPECT_EQ(plain, 3);
    EXPECT_THAT(what, HasSubstr("expects TLS, and was spoken to without it"));
}

} // namespace
} // namespace lockscope::tests
