// Watching a secured ensemble: the session of an observer.
#include "core/base/host_port.h"
#include "core/zk/wire/observer_session.h"
#include "tests/tls/secured.h"

#include <optional>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::wire::ObserverSession;

class SecuredWatch : public SecuredHub
{
protected:
    void TearDown() override
    {
        if (watching)
            watching->close();
        watching.reset();
        SecuredHub::TearDown();
    }
    void watch(const std::string& hosts, const tls::Security& security)
    {
        zk::wire::ObserverOptions options;
        options.hosts = hosts;
        options.security = security;
        watching = ObserverSession::connect(scheduler, options);
    }
    // Sees what another session writes, over the other port.
    void seesWhatHappens(SecureServer& server)
    {
        ASSERT_TRUE(connected(*watching));
        writing = hub->connect({.hosts = server.plain()});
        ASSERT_TRUE(connected(*writing));
        const std::string path =
            std::string("/") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
        std::optional<Code> set, made;
        std::string seen;
        watching->onEvent([&](const zk::wire::NodeEvent& event) { seen = event.path; });
        watching->addWatch(path, zk::wire::WatchMode::persistentRecursive, [&](Code code) { set = code; });
        ASSERT_TRUE(until([&] { return set.has_value(); }, "the watch is set"));
        EXPECT_EQ(*set, Code::ok);
        writing->create(path, std::string(100'000, 'x'), zk::CreateMode::ephemeral,
                        [&](const zk::Created& created) { made = created.code; });
        ASSERT_TRUE(until([&] { return made.has_value() && !seen.empty(); }, "the event has come"));
        EXPECT_EQ(seen, path);
        std::size_t bytes = 0;
        watching->getData(path, [&](const zk::Data& data) { bytes = data.bytes.size(); });
        EXPECT_TRUE(until([&] { return bytes > 0; }, "the data has come"));
        EXPECT_EQ(bytes, 100'000u) << "more than a record of TLS";
        watching->onEvent(nullptr);
    }

    zk::wire::IoScheduler scheduler{io};
    std::shared_ptr<ObserverSession> watching;
};

TEST_F(SecuredWatch, OfAServerThatDemandsCertificates)
{
    watch(needing().secure(), mutual());
    seesWhatHappens(needing());
}

TEST_F(SecuredWatch, OfAServerThatDemandsNoneInTls12)
{
    watch(open().secure(), trusting());
    seesWhatHappens(open());
}

TEST_F(SecuredWatch, ByAName)
{
    watch("tls://localhost:" + std::to_string(parseHostPort(needing().secure())->port), mutual());
    seesWhatHappens(needing());
}

TEST_F(SecuredWatch, IsNeverInPlainTextWhenTlsIsAskedFor)
{
    watch("tls://" + open().plain(), {});
    EXPECT_TRUE(over(*watching));
    writing = hub->connect({.hosts = "tls://" + open().plain()});
    EXPECT_TRUE(over(*writing));
}

// A server with the right certificate of the wrong authority gets nothing: no session, so no credentials
// either.
TEST_F(SecuredWatch, HasNoSessionWithAServerThatIsNotTrusted)
{
    zk::wire::ObserverOptions options;
    options.hosts = needing().secure();
    options.connectTimeout = std::chrono::seconds(2);
    options.security = security({.ca = stranger().certificate(), .certificate = ours()});
    watching = ObserverSession::connect(scheduler, options);
    EXPECT_TRUE(over(*watching));
    EXPECT_EQ(watching->id(), SessionId::none());
}

} // namespace
} // namespace lockscope::tests
