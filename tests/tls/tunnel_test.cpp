// The sessions of the C client on a secured ensemble: they do what they do in plain text, and never speak it.
#include "core/base/host_port.h"
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/client.h"
#include "core/server/relay/link.h"
#include "tests/tls/secured.h"

#include <boost/asio/ip/tcp.hpp>
#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using zk::Code;
using zk::CreateMode;
using zk::SessionPhase;

class Tunnelled : public SecuredHub
{
protected:
    std::shared_ptr<zk::HubSession> open(const std::string& hosts, const tls::Security& security,
                                         zk::ConnectOptions options = {})
    {
        options.hosts = hosts;
        options.security = security;
        return hub->connect(std::move(options));
    }
    Code create(zk::Session& session, const std::string& path, const std::string& data = {},
                CreateMode mode = CreateMode::ephemeral)
    {
        std::optional<Code> code;
        session.create(path, data, mode, [&](const zk::Created& created) { code = created.code; });
        until([&] { return code.has_value(); }, "an answer to the create");
        return code.value_or(Code::closed);
    }
    zk::Data get(zk::ReadSession& session, const std::string& path)
    {
        std::optional<zk::Data> found;
        session.getData(path, [&](zk::Data data) { found = std::move(data); });
        until([&] { return found.has_value(); }, "an answer to the read");
        return found.value_or(zk::Data{});
    }
    std::string said(zk::HubSession& session)
    {
        if (!until([&] { return session.notSecured().has_value(); }, "the reason is known"))
            return "nothing";
        EXPECT_EQ(session.id(), SessionId::none());
        return session.notSecured()->text();
    }
    static std::string path()
    {
        return std::string("/") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    static std::string named(const std::string& address)
    {
        return "localhost:" + std::to_string(parseHostPort(address)->port);
    }
};

TEST_F(Tunnelled, WorksAsInPlainText)
{
    writing = open(needing().secure(), mutual());
    ASSERT_TRUE(connected(*writing));
    EXPECT_EQ(writing->server(), needing().secure());
    const std::string large(900'000, 'x'); // many records of TLS, in both directions
    EXPECT_EQ(create(*writing, path(), large), Code::ok);
    EXPECT_EQ(get(*writing, path()).bytes, large);
    const auto other = open("tls://" + named(SecuredHub::open().secure()) + "/zookeeper", trusting());
    ASSERT_TRUE(connected(*other));
    EXPECT_EQ(get(*other, "/quota").code, Code::ok) << "by a name, below a chroot, in TLS 1.2";
    EXPECT_FALSE(writing->notSecured());
}

TEST_F(Tunnelled, TellsWhyItCannotBeSecured)
{
    const auto strange = open(needing().secure(), security({.ca = stranger().certificate()}));
    EXPECT_THAT(said(*strange), HasSubstr("not trusted here"));
    const auto bare = open(needing().secure(), trusting());
    EXPECT_THAT(said(*bare), HasSubstr("demands a certificate of its clients"));
    tls::Security wrong = mutual();
    wrong.names[needing().secure()] = "zk1.example";
    const auto another = open(needing().secure(), wrong);
    EXPECT_THAT(said(*another), HasSubstr("for another host than zk1.example"));
    const auto plain = open(needing().plain(), mutual());
    EXPECT_THAT(said(*plain), HasSubstr("closes the connection instead of answering the TLS handshake"));
}

TEST_F(Tunnelled, TriesAllServers)
{
    writing = open("127.0.0.1:1," + needing().plain() + "," + needing().secure(), mutual());
    EXPECT_TRUE(connected(*writing));
}

// A listener that keeps what it gets: each attempt of a new session begins with a handshake.
TEST_F(Tunnelled, NeverSpeaksInPlainText)
{
    using boost::asio::ip::tcp;
    tcp::acceptor listener(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    std::vector<unsigned char> first;
    std::function<void()> accept = [&] {
        listener.async_accept([&](boost::system::error_code failed, tcp::socket socket) {
            if (failed)
                return;
            const auto client = std::make_shared<tcp::socket>(std::move(socket));
            const auto byte = std::make_shared<std::array<unsigned char, 1>>();
            client->async_read_some(boost::asio::buffer(*byte),
                                    [&first, client, byte](boost::system::error_code error, std::size_t) {
                                        if (!error)
                                            first.push_back(byte->front());
                                    });
            accept();
        });
    };
    accept();
    const std::string address = "127.0.0.1:" + std::to_string(listener.local_endpoint().port());
    const auto fresh = open(address, mutual());
    ASSERT_TRUE(until([&] { return first.size() >= 3; }, "it has connected three times"));
    EXPECT_THAT(first, ::testing::Each(0x16)) << "the begin of a TLS handshake";
    listener.close();
}

TEST_F(Tunnelled, ReconnectsThroughALink)
{
    const std::string secure = needing().secure();
    auto link = server::Link::open(io, {secure}, 1);
    ASSERT_TRUE(link);
    tls::Security security = mutual();
    security.names[secure] = "localhost"; // of the server behind the link
    zk::ConnectOptions options;
    options.killHosts = secure;
    writing = open((*link)->hosts(), security, options);
    ASSERT_TRUE(connected(*writing));
    const SessionId session = writing->id();
    for (int i = 0; i < 3; ++i) {
        (*link)->reset();
        ASSERT_TRUE(until([&] { return writing->phase() != SessionPhase::connected; }, "it is cut off"));
        ASSERT_TRUE(connected(*writing));
        EXPECT_EQ(writing->id(), session);
    }
    EXPECT_EQ(create(*writing, path()), Code::ok);
    std::optional<Result<void>> killed;
    writing->kill([&](Result<void> done) { killed = std::move(done); });
    ASSERT_TRUE(until([&] { return killed.has_value(); }, "it is killed"));
    EXPECT_TRUE(*killed) << killed->error().text();
    EXPECT_TRUE(over(*writing));
    security.names[secure] = "zk1.example";
    const auto wrong = open((*link)->hosts(), security, options);
    EXPECT_THAT(said(*wrong), HasSubstr("for another host than zk1.example"));
    writing.reset();
}

// The server hears of the end at once, not when the session would have expired.
TEST_F(Tunnelled, IsClosedWithTheHub)
{
    writing = open(needing().secure(), mutual());
    ASSERT_TRUE(connected(*writing));
    EXPECT_EQ(create(*writing, path()), Code::ok);
    const Duration timeout = writing->timeout();
    const MonotonicTime end = monotonicNow();
    hub.reset();
    hub = *zk::Hub::create(io, zk::HubOptions::ownProcess());
    writing = hub->connect({.hosts = needing().plain()});
    ASSERT_TRUE(connected(*writing));
    EXPECT_EQ(get(*writing, path()).code, Code::noNode);
    EXPECT_LT(monotonicNow() - end, timeout) << "otherwise the test says nothing";
}

TEST_F(Tunnelled, IsTheIdentityInAcls)
{
    zk::ConnectOptions options;
    options.acl = {{zk::kAllPermissions, "x509", "CN=client"}};
    writing = open(needing().secure(), mutual(), options);
    ASSERT_TRUE(connected(*writing));
    EXPECT_EQ(create(*writing, path(), "mine"), Code::ok);
    EXPECT_EQ(get(*writing, path()).bytes, "mine");
    const auto another = open(
        needing().secure(),
        security({.ca = authority().certificate(), .certificate = authority().issue({.name = "other"})}));
    ASSERT_TRUE(connected(*another));
    EXPECT_EQ(get(*another, path()).code, Code::noAuth);
}

TEST_F(Tunnelled, LeavesNothingOpen)
{
    const auto openFiles = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto before = openFiles();
    zk::ConnectOptions patient;
    patient.connectTimeout = std::chrono::minutes(1); // the machine may be busy
    const tls::Security security = mutual();
    std::vector<std::shared_ptr<zk::HubSession>> sessions;
    for (int i = 0; i < 50; ++i)
        sessions.push_back(open(needing().secure(), security, patient));
    for (const auto& session : sessions)
        ASSERT_TRUE(connected(*session));
    EXPECT_EQ(openFiles(), before + 150) << "a connection, and the ends of a pair";
    sessions.clear();
    EXPECT_TRUE(until([&] { return openFiles() == before; }, "all is closed"));
}

TEST_F(Tunnelled, CarriesTheLockLibrary)
{
    zk::ConnectOptions options;
    options.hosts = "tls://" + named(needing().secure());
    options.security = mutual();
    auto client = lock::Client::connect(options);
    ASSERT_TRUE(client) << client.error().text();
    lock::BlockingMutex mutex(**client, path());
    EXPECT_TRUE(mutex.try_lock_for(std::chrono::seconds(30)));
    EXPECT_TRUE(mutex.token());
    mutex.unlock();
    zk::HubOptions all;
    all.security = mutual();
    EXPECT_TRUE(lock::Client::connect({.hosts = options.hosts}, all)) << "by the name, not by its number";
    options.security = trusting();
    options.connectTimeout = std::chrono::seconds(2);
    const auto refused = lock::Client::connect(options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text(), HasSubstr("demands a certificate of its clients"));
}

} // namespace
} // namespace lockscope::tests
