// SASL DIGEST-MD5 with a real server: who has a user and a password sees what that user may see, and who has
// not is told why.
#include "core/zk/wire/observer_session.h"
#include "tests/sasl/sasl_server.h"
#include "tests/support/fake_server.h"

#include <optional>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using zk::Code;
using zk::SessionPhase;

constexpr const char* kLogin =
    "org.apache.zookeeper.server.auth.DigestLoginModule required user_alice=\"se:cret\"";

class DigestMd5 : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_folder = std::make_unique<TempFolder>();
        s_server = startWithSasl(*s_folder, kLogin);
        if (s_server)
            makeSecretNode(*s_server, "/secret", "alice");
    }
    static void TearDownTestSuite()
    {
        s_server.reset();
        s_folder.reset();
    }
    void SetUp() override { ASSERT_TRUE(s_server); }

    static std::string fileWith(const std::string& line)
    {
        const std::string name = *s_folder / "proof";
        std::ofstream(name) << line << "\n";
        return name;
    }
    static std::vector<std::string> with(const std::string& line)
    {
        return {"--sasl", "digest-md5", "--sasl-file", fileWith(line)};
    }
    static server::ManagedServer& server() { return *s_server; }
    static const TempFolder& folder() { return *s_folder; }

private:
    static inline std::unique_ptr<TempFolder> s_folder;
    static inline std::unique_ptr<server::ManagedServer> s_server;
};

TEST_F(DigestMd5, SeesWhatOnlyItsUserMaySee)
{
    EXPECT_EQ(askWho("/secret", server().address(), {}).code, 5);
    const Printed seen = askWho("/secret", server().address(), with("alice:se:cret"));
    EXPECT_EQ(seen.code, 1) << seen.errors;
    EXPECT_THAT(seen.output, HasSubstr("free"));
    EXPECT_EQ(seen.errors, "");
}

TEST_F(DigestMd5, AWrongPasswordOrUserIsNamedAndNotShown)
{
    for (const char* wrong : {"alice:mistaken", "bob:mistaken"}) {
        const Printed refused = askWho("/secret", server().address(), with(wrong));
        EXPECT_EQ(refused.code, 5) << wrong;
        EXPECT_THAT(refused.errors, HasSubstr("refuses the user or the password"));
        EXPECT_THAT(refused.errors, HasSubstr("proof")) << "the file to compare";
        EXPECT_THAT(refused.errors + refused.output, Not(HasSubstr("mistaken")));
    }
    const Printed watched = runCli({"watch", server().address(), "--lock", "/secret", "--sasl", "digest-md5",
                                    "--sasl-file", fileWith("alice:mistaken")});
    EXPECT_EQ(watched.code, 5);
    EXPECT_THAT(watched.errors, HasSubstr("refuses the user or the password"));
}

TEST_F(DigestMd5, OptionsThatDoNotFit)
{
    const auto refused = [&](const std::vector<std::string>& how) {
        const Printed said = askWho("/secret", server().address(), how);
        EXPECT_EQ(said.code, 2) << said.errors;
        return said.errors;
    };
    EXPECT_THAT(refused({"--sasl", "plain"}), HasSubstr("expected digest-md5 or gssapi"));
    EXPECT_THAT(refused({"--sasl", "digest-md5"}), HasSubstr("--sasl-file"));
    EXPECT_THAT(refused({"--sasl", "gssapi", "--sasl-file", "f"}), HasSubstr("goes with --sasl digest-md5"));
    EXPECT_THAT(refused({"--sasl", "digest-md5", "--sasl-file", "f", "--sasl-service", "zoo"}),
                HasSubstr("goes with --sasl gssapi"));
    EXPECT_THAT(refused({"--sasl", "digest-md5", "--sasl-file", folder() / "none"}),
                HasSubstr("cannot be read"));
    EXPECT_THAT(refused(with("no colon")), HasSubstr("is not USER:PASSWORD"));
}

// The session of the watch goes on with the next connection, and with what it may see.
TEST_F(DigestMd5, AuthenticatesAtEveryConnect)
{
    boost::asio::io_context io{1};
    zk::wire::IoScheduler scheduler(io);
    zk::wire::ObserverOptions options;
    options.hosts = server().address();
    options.timeout = std::chrono::seconds(60);
    options.sasl = {zk::wire::SaslMechanism::digestMd5, fileWith("alice:se:cret")};
    const auto session = zk::wire::ObserverSession::connect(scheduler, options);
    const auto until = [&](const std::function<bool()>& reached) {
        return test::eventually([&] {
            io.restart();
            io.poll();
            return reached();
        });
    };
    const auto read = [&] {
        std::optional<Code> code;
        session->getNode("/secret", [&](const zk::wire::NodeReply& reply) { code = reply.code; });
        EXPECT_TRUE(until([&] { return code.has_value(); }));
        return code.value_or(Code::closed);
    };
    ASSERT_TRUE(until([&] { return session->phase() == SessionPhase::connected; }));
    const SessionId id = session->id();
    EXPECT_EQ(read(), Code::ok);
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(until([&] { return session->phase() == SessionPhase::suspended; }));
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(until([&] { return session->phase() == SessionPhase::connected; }));
    EXPECT_EQ(session->id(), id);
    EXPECT_EQ(read(), Code::ok);
    session->close();
    io.restart();
    io.run();
}

TEST_F(DigestMd5, AServerThatDemandsItSaysHow)
{
    const auto strict = startWithSasl(folder(), kLogin, "-Dzookeeper.sessionRequireClientSASLAuth=true");
    ASSERT_TRUE(strict);
    const Printed without = askWho("/", strict->address(), {});
    EXPECT_EQ(without.code, 5);
    EXPECT_THAT(without.errors, HasSubstr("demands that clients authenticate"));
    EXPECT_THAT(without.errors, HasSubstr("--sasl digest-md5"));
    const Printed seen = askWho("/", strict->address(), with("alice:se:cret"));
    EXPECT_EQ(seen.code, 1) << seen.errors;
    const Printed wrong = askWho("/", strict->address(), with("alice:mistaken"));
    EXPECT_EQ(wrong.code, 5);
    EXPECT_THAT(wrong.errors, HasSubstr("refuses the user or the password"));
}

TEST_F(DigestMd5, AServerWithoutSasl)
{
    const auto plain = server::testing::startOrFail();
    ASSERT_TRUE(plain);
    const Printed said = askWho("/", plain->address(), with("alice:se:cret"));
    EXPECT_EQ(said.code, 5);
    EXPECT_THAT(said.errors, HasSubstr("has no SASL"));
    EXPECT_THAT(said.errors, HasSubstr("JAAS"));
}

// What uses the C client says at once that it cannot, and what can.
TEST(SaslOfTheCClient, IsRefusedWithTheWayThatWorks)
{
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "bare", "--connect", "127.0.0.1:1", "--sasl", "gssapi"},
          {"join", "run1", "--connect", "127.0.0.1:1", "--sasl", "gssapi"},
          {"free", "/a", "--connect", "127.0.0.1:1", "--sasl=gssapi"}}) {
        const Printed said = runCli(command);
        EXPECT_EQ(said.code, 2) << command.front();
        EXPECT_THAT(said.errors, HasSubstr("C client library")) << command.front();
        EXPECT_THAT(said.errors, HasSubstr("--cert")) << command.front();
        EXPECT_THAT(said.errors, HasSubstr("lockscope-cli watch")) << command.front();
    }
}

// ---- servers that are broken, or mean harm ---------------------------------------------------------------

constexpr std::int32_t kSaslOp = 102;
constexpr const char* kChallenge =
    "realm=\"zk-sasl-md5\",nonce=\"nonce\",charset=utf-8,algorithm=md5-sess,qop=\"auth\"";

struct BrokenSasl
{
    const char* name;
    std::function<std::string(const FakeRequest& request)> answer; // to a token
    const char* said;
};

class BrokenSaslServer : public ::testing::TestWithParam<BrokenSasl>
{};

TEST_P(BrokenSaslServer, GetsAClearWord)
{
    FakeServer server([](const FakeRequest& request) {
        return request.op == kSaslOp ? GetParam().answer(request) : defaultReply(request);
    });
    const TempFolder folder;
    std::ofstream(folder / "proof") << "alice:se:cret\n";
    const Printed said =
        askWho("/a", server.address(), {"--sasl", "digest-md5", "--sasl-file", folder / "proof"});
    EXPECT_NE(said.code, 0);
    EXPECT_EQ(said.output, "");
    EXPECT_THAT(said.errors, HasSubstr(GetParam().said));
    EXPECT_THAT(said.errors, Not(HasSubstr("se:cret")));
}

const BrokenSasl kBroken[] = {
    {"Nothing", [](const FakeRequest&) { return std::string(); }, "does not answer SASL"},
    {"NoToken", [](const FakeRequest& request) { return reply(request.xid, 0, int32(-1)); }, "has no SASL"},
    {"RefusesAtOnce", [](const FakeRequest& request) { return reply(request.xid, -115, int32(-1)); },
     "does not speak DIGEST-MD5"},
    {"AnotherRequest", [](const FakeRequest& request) { return reply(request.xid + 1, 0, text(kChallenge)); },
     "cannot be understood"},
    {"LengthBeyondTheEnd", [](const FakeRequest& request) { return reply(request.xid, 0, int32(1 << 30)); },
     "cannot be understood"},
    {"HugeToken",
     [](const FakeRequest& request) { return reply(request.xid, 0, text(std::string(1 << 20, 'x'))); },
     "cannot be understood"},
    {"Rubbish",
     [](const FakeRequest& request) {
         return reply(request.xid, 0, text(std::string("\0\xff,=\"realm", 11)));
     },
     "The exchange of SASL with the server at"},
    {"TheSameForEver", [](const FakeRequest& request) { return reply(request.xid, 0, text(kChallenge)); },
     "The exchange of SASL with the server at"},
};

INSTANTIATE_TEST_SUITE_P(Every, BrokenSaslServer, ::testing::ValuesIn(kBroken),
                         [](const auto& broken) { return broken.param.name; });

} // namespace
} // namespace lockscope::tests
