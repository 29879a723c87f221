// SASL GSSAPI with a real server and a real KDC: who has a ticket sees what its principal may see, and who
// has none is told why, and what to do.
#include "tests/sasl/sasl_server.h"
#include "tests/support/kerberos_realm.h"

#include <cstdlib>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

class Kerberos : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        auto started = KerberosRealm::start();
        if (!started) {
            s_missing = started.error().code == ErrorCode::unsupported ? started.error().text() : "";
            EXPECT_NE(s_missing, "") << started.error().text();
            return;
        }
        s_realm = std::move(*started);
        s_folder = std::make_unique<TempFolder>();
        s_server = startWith("zookeeper/localhost");
        s_realm->keyOf("alice");
        if (s_server)
            makeSecretNode(*s_server, "/secret", "alice@LOCKSCOPE.TEST");
    }
    static void TearDownTestSuite()
    {
        s_server.reset();
        s_folder.reset();
        s_realm.reset();
    }
    void SetUp() override
    {
        if (!s_missing.empty())
            GTEST_SKIP() << s_missing;
        ASSERT_TRUE(s_server);
        ::setenv("KRB5_CONFIG", s_realm->config().c_str(), 1);
        holds(s_realm->ticketOf("alice"));
    }
    void TearDown() override
    {
        ::unsetenv("KRB5_CONFIG");
        ::unsetenv("KRB5CCNAME");
    }
    // For the programs that are started from now on.
    static void holds(const std::string& ticket) { ::setenv("KRB5CCNAME", ("FILE:" + ticket).c_str(), 1); }

    static std::unique_ptr<server::ManagedServer> startWith(const std::string& principal)
    {
        return startWithSasl(*s_folder,
                             "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true "
                             "storeKey=true useTicketCache=false keyTab=\"" +
                                 s_realm->keyOf(principal) + "\" principal=\"" + principal + "\"",
                             "-Djava.security.krb5.conf=" + s_realm->config());
    }
    static std::string named(const server::ManagedServer& server, const std::string& host)
    {
        return host + server.address().substr(server.address().rfind(':'));
    }
    static Printed ask(std::vector<std::string> more = {}, const std::string& host = "localhost")
    {
        more.insert(more.begin(), {"--sasl", "gssapi"});
        return askWho("/secret", named(server(), host), more);
    }
    static KerberosRealm& realm() { return *s_realm; }
    static server::ManagedServer& server() { return *s_server; }

private:
    static inline std::string s_missing;
    static inline std::unique_ptr<KerberosRealm> s_realm;
    static inline std::unique_ptr<TempFolder> s_folder;
    static inline std::unique_ptr<server::ManagedServer> s_server;
};

TEST_F(Kerberos, SeesWhatOnlyItsPrincipalMaySee)
{
    EXPECT_EQ(askWho("/secret", named(server(), "localhost"), {}).code, 5);
    const Printed seen = ask();
    EXPECT_EQ(seen.code, 1) << seen.errors;
    EXPECT_THAT(seen.output, HasSubstr("free"));
    EXPECT_EQ(seen.errors, "");
}

TEST_F(Kerberos, WithoutATicketKinitIsNamed)
{
    holds("/no/such/ticket");
    const Printed said = ask();
    EXPECT_EQ(said.code, 5);
    EXPECT_THAT(said.errors, HasSubstr("There is no Kerberos ticket"));
    EXPECT_THAT(said.errors, HasSubstr("kinit"));
}

TEST_F(Kerberos, AServerThatTheKdcDoesNotKnowByThisName)
{
    const Printed number = ask({}, "127.0.0.1");
    EXPECT_EQ(number.code, 5);
    EXPECT_THAT(number.errors, HasSubstr("The KDC does not know the server as zookeeper/127.0.0.1"));
    const Printed service = ask({"--sasl-service", "zoo"});
    EXPECT_EQ(service.code, 5);
    EXPECT_THAT(service.errors, HasSubstr("The KDC does not know the server as zoo/localhost"));
}

TEST_F(Kerberos, AnotherServiceNameThatIsGiven)
{
    const auto other = startWith("coordination/localhost");
    ASSERT_TRUE(other);
    const Printed seen =
        askWho("/", named(*other, "localhost"), {"--sasl", "gssapi", "--sasl-service", "coordination"});
    EXPECT_EQ(seen.code, 1) << seen.errors;
}

// The keytab of the server has an older key than the KDC, and the server refuses the ticket.
TEST_F(Kerberos, AServerThatRefusesTheTicket)
{
    const auto stale = startWith("stale/localhost");
    ASSERT_TRUE(stale);
    realm().changeKeyOf("stale/localhost");
    const Printed said =
        askWho("/", named(*stale, "localhost"), {"--sasl", "gssapi", "--sasl-service", "stale"});
    EXPECT_EQ(said.code, 5);
    EXPECT_THAT(said.errors, HasSubstr("refuses the Kerberos ticket for stale/localhost"));
    EXPECT_THAT(said.errors, HasSubstr("keytab"));
}

TEST_F(Kerberos, OfAServerThatSpeaksTheOtherMechanism)
{
    const TempFolder folder;
    std::ofstream(folder / "proof") << "alice:secret\n";
    const Printed said = askWho("/secret", named(server(), "localhost"),
                                {"--sasl", "digest-md5", "--sasl-file", folder / "proof"});
    EXPECT_EQ(said.code, 5);
    EXPECT_THAT(said.errors, HasSubstr("does not speak DIGEST-MD5"));
    EXPECT_THAT(said.errors, HasSubstr("--sasl gssapi"));
}

TEST_F(Kerberos, WithoutAKdc)
{
    const auto own = KerberosRealm::start();
    ASSERT_TRUE(own);
    (*own)->keyOf("bob");
    (*own)->keyOf("zookeeper/localhost");
    ::setenv("KRB5_CONFIG", (*own)->config().c_str(), 1);
    holds((*own)->ticketOf("bob"));
    (*own)->stop();
    const Printed said = ask();
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.errors, HasSubstr("Kerberos finds no KDC for zookeeper/localhost"));
}

} // namespace
} // namespace lockscope::tests
