// Addresses: every one of every name, a name that is wrong beside others, and which server a session comes
// to.
#include "core/zk/hosts.h"
#include "tests/support/fake_server.h"
#include "tests/zk/driven_hub.h"

#include <gmock/gmock.h>

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <stop_token>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using zk::SessionPhase;

// A name service of the test's own.
zk::Resolver namesOf(std::map<std::string, std::vector<std::string>> names)
{
    return [names = std::move(names)](const std::string& host) -> Result<std::vector<std::string>> {
        const auto found = names.find(host);
        if (found == names.end())
            return Error{ErrorCode::badUsage, "No \"" + host + "\".", "Ask elsewhere."};
        return found->second;
    };
}

TEST(ResolveHosts, GivesEveryAddressOfEveryNameOnce)
{
    const auto resolver =
        namesOf({{"a", {"::1", "127.0.0.1", "127.0.0.1"}}, {"b", {"127.0.0.1", "10.0.0.1"}}});
    EXPECT_EQ(zk::resolveHosts("a:1,b:1,b:2", resolver).value(),
              "[::1]:1,127.0.0.1:1,10.0.0.1:1,127.0.0.1:2,10.0.0.1:2");
}

TEST(ResolveHosts, LeavesOutANameThatIsWrongBesideOthersAndSaysSo)
{
    const auto resolver = namesOf({{"good", {"127.0.0.1"}}, {"empty", {}}});
    const auto resolved = zk::resolveEveryHost("bad:1,good:2,empty:3", resolver);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->addresses, "127.0.0.1:2");
    ASSERT_EQ(resolved->unresolved.size(), 2U);
    EXPECT_EQ(resolved->unresolved[0].message, "No \"bad\".");
    EXPECT_THAT(resolved->unresolved[1].message.english(), HasSubstr("\"empty\""));
}

TEST(ResolveHosts, SaysOfEveryNameWhyWhenNoneIsLeft)
{
    const auto resolved = zk::resolveHosts("bad:1,worse:2", namesOf({}));
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().code, ErrorCode::badUsage);
    EXPECT_THAT(resolved.error().message.english(), HasSubstr("\"bad\""));
    EXPECT_THAT(resolved.error().message.english(), HasSubstr("\"worse\""));
}

// A name server that does not answer: the system's resolver then waits, and cannot be interrupted.
TEST(ResolveHosts, EndsAtOnceWhenItIsStopped)
{
    struct Silence
    {
        std::promise<void> asked, answer;
    };
    const auto silence = std::make_shared<Silence>();
    const zk::Resolver resolver = [silence,
                                   answer = silence->answer.get_future().share()](const std::string&) {
        silence->asked.set_value();
        answer.wait();
        return Result<std::vector<std::string>>(std::vector<std::string>{"127.0.0.1"});
    };
    std::stop_source stop;
    auto resolving = std::async(std::launch::async, [&] {
        return zk::resolveEveryHost("silent:1,silent:2,silent:3", resolver, stop.get_token());
    });
    ASSERT_EQ(silence->asked.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
    stop.request_stop();
    const bool ended = resolving.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
    EXPECT_TRUE(ended) << "it waits for the name server";
    silence->answer.set_value();
    const auto resolved = resolving.get();
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().code, ErrorCode::cancelled);
}

TEST(ResolveHosts, TakesBlanksBetweenAddressesAndNoneInsideOne)
{
    const auto names = namesOf({{"a", {"10.0.0.1"}}, {"b", {"10.0.0.2"}}});
    const auto both = zk::resolveHosts("a:1, b:2 ", names);
    ASSERT_TRUE(both);
    EXPECT_EQ(*both, "10.0.0.1:1,10.0.0.2:2");
    for (const char* bad : {"[::1", "::1]:2", "a b:1", "a:1 b:2"}) {
        const auto none = zk::resolveHosts(bad, names);
        ASSERT_FALSE(none) << bad;
        EXPECT_EQ(none.error().code, ErrorCode::badUsage) << bad;
        EXPECT_THAT(none.error().text(), HasSubstr(bad));
    }
}

class Addresses : public ::testing::Test
{
protected:
    // A port of the loopback that has no listener.
    static std::string closedPort()
    {
        boost::asio::io_context io;
        boost::asio::ip::tcp::acceptor closed(io, {boost::asio::ip::make_address("127.0.0.1"), 0});
        return "127.0.0.1:" + std::to_string(closed.local_endpoint().port());
    }
    FakeServer server;
    DrivenHub world;
};

TEST_F(Addresses, OfANameWithIPv6FirstTheIPv4OneIsTried)
{
    const std::string port = std::to_string(server.port());
    const auto resolver = namesOf({{"both", {"::1", "127.0.0.1"}}});
    for (int i = 0; i < 10; ++i) // whatever the order
        world.connect(zk::resolveHosts("both:" + port, resolver).value());
}

// The name service cannot be replaced here: of the loopback every machine has one.
TEST_F(Addresses, OfANameAreLookedUpForTheSession)
{
    const std::string port = std::to_string(server.port());
    EXPECT_EQ(world.connect("localhost:" + port)->server(), server.address());
    EXPECT_EQ(world.connect(closedPort() + ",localhost:" + port)->server(), server.address());
}

TEST_F(Addresses, ANameWithoutOneIsAskedForUntilTheSessionMayNoLongerConnect)
{
    zk::ConnectOptions options{"no-such-host.invalid:2181"};
    options.connectTimeout = std::chrono::milliseconds(50);
    const auto session = world.hub().connect(options);
    EXPECT_EQ(session->phase(), SessionPhase::connecting);
    ASSERT_TRUE(world.runUntil([&] { return isOver(session->phase()); }));
    EXPECT_EQ(session->lossReason(), zk::LossReason::connectTimedOut);
}

TEST_F(Addresses, ALookupEndsWithItsHub)
{
    const auto session = world.hub().connect({"no-such-host.invalid:2181"});
    world.destroyHub();
    EXPECT_EQ(session->phase(), SessionPhase::closed);
}

TEST_F(Addresses, OfIPv6Alone)
{
    FakeServer six(defaultReply, {"::1", 30'000, true});
    EXPECT_EQ(world.connect(six.address())->server(), six.address());
}

TEST_F(Addresses, SessionsSpreadOverTheServers)
{
    constexpr int kSessions = 60;
    FakeServer second, third;
    const std::string hosts = server.address() + "," + second.address() + "," + third.address();
    std::vector<std::shared_ptr<zk::HubSession>> sessions;
    for (int i = 0; i < kSessions; ++i)
        sessions.push_back(world.connecting(hosts));
    ASSERT_TRUE(world.runUntil(
        [&] { return server.connections() + second.connections() + third.connections() == kSessions; }));
    // Each has 20 of 60; less than 4 would be a chance of one in a million.
    for (const FakeServer* one : {&server, &second, &third})
        EXPECT_GE(one->connections(), 4);
}

// Of an even number the library alone would try every other one.
TEST_F(Addresses, EveryOneOfAnEvenNumberIsTried)
{
    for (int i = 0; i < 10; ++i)
        world.connect(closedPort() + "," + server.address());
    for (int i = 0; i < 10; ++i)
        world.connect(closedPort() + "," + closedPort() + "," + closedPort() + "," + server.address());
}

TEST_F(Addresses, TheOthersAreTriedAfterALoss)
{
    FakeServer second;
    const auto session = world.connect(server.address() + "," + second.address());
    FakeServer& first = session->server() == server.address() ? server : second;
    FakeServer& next = &first == &server ? second : server;
    first.hangUp();
    EXPECT_TRUE(world.runUntil([&] { return session->server() == next.address(); }));
}

// None is waited for as long as the session lasts.
TEST_F(Addresses, OneThatDoesNotAnswerIsLeftForTheNext)
{
    FakeServer mute(defaultReply, {"127.0.0.1", 30'000, false});
    for (int i = 0; i < 3; ++i) {
        const auto session = world.connecting(mute.address() + "," + server.address());
        EXPECT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::connected; },
                                   std::chrono::seconds(8)));
    }
}

// Takes no connection any more: its queue is full, so what asks for one is not even refused.
class FullServer
{
public:
    FullServer()
        : m_acceptor(m_io, boost::asio::ip::tcp::v4())
    {
        m_acceptor.bind({boost::asio::ip::make_address("127.0.0.1"), 0});
        m_acceptor.listen(0);
        for (int i = 0; i < 4; ++i) {
            m_waiting.emplace_back(m_io);
            m_waiting.back().async_connect(m_acceptor.local_endpoint(),
                                           [](const boost::system::error_code&) {});
        }
        m_io.poll();
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }

private:
    boost::asio::io_context m_io;
    boost::asio::ip::tcp::acceptor m_acceptor;
    std::vector<boost::asio::ip::tcp::socket> m_waiting;
};

TEST_F(Addresses, OneThatSwallowsPacketsIsLeftForTheNext)
{
    const FullServer full;
    for (int i = 0; i < 3; ++i) {
        const auto session = world.connecting(full.address() + "," + server.address());
        EXPECT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::connected; },
                                   std::chrono::seconds(8)));
    }
}

// All refuse: the attempts do not follow one another without a pause.
TEST_F(Addresses, WithoutAServerThereIsAPauseAfterEachRound)
{
    const auto session = world.connecting(closedPort() + "," + closedPort());
    std::size_t turns = 0;
    const auto until = MonotonicClock::now() + std::chrono::milliseconds(500);
    while (MonotonicClock::now() < until) {
        world.io().restart();
        turns += world.io().run_one_for(std::chrono::milliseconds(20));
    }
    EXPECT_LT(turns, 100U);
}

} // namespace
} // namespace lockscope::tests
