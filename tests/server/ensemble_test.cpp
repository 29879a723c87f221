// A real ensemble of three: who leads, what a killed, suspended and restarted member means for a session and
// for the data, and that nothing is left behind.
#include "core/server/process/managed_server.h"

#include "core/server/deadline.h"
#include "core/server/process/free_port.h"
#include "core/zk/hub.h"
#include "process_watch.h"
#include "raw_session.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::entriesIn;
using testing::isProcessAlive;
using testing::RawSession;
using tests::TempFolder;

// A real session of the C client, which knows all members.
class Client
{
public:
    explicit Client(const std::string& hosts)
        : m_session(m_hub->connect({hosts, 20s, 20s}))
    {}

    template <class Condition>
    bool becomes(Condition condition)
    {
        const auto deadline = deadlineIn(3min);
        while (!condition() && MonotonicClock::now() < deadline) {
            m_io.restart();
            m_io.run_one_for(20ms);
        }
        return condition();
    }
    bool connected()
    {
        return becomes([&] { return m_session->phase() == zk::SessionPhase::connected; });
    }
    zk::SessionPhase phase() const { return m_session->phase(); }
    SessionId id() const { return m_session->id(); }
    std::string server() const { return m_session->server(); }

    zk::Code create(const std::string& path)
    {
        std::optional<zk::Code> code;
        m_session->create(path, {}, zk::CreateMode::ephemeral, [&](zk::Created made) { code = made.code; });
        return becomes([&] { return code.has_value(); }) ? *code : zk::Code::closed;
    }
    zk::Code get(const std::string& path)
    {
        std::optional<zk::Code> code;
        m_session->getData(path, [&](zk::Data data) { code = data.code; });
        return becomes([&] { return code.has_value(); }) ? *code : zk::Code::closed;
    }

private:
    boost::asio::io_context m_io;
    std::unique_ptr<zk::Hub> m_hub = zk::Hub::create(m_io, zk::HubOptions::ownProcess()).value();
    std::shared_ptr<zk::HubSession> m_session;
};

class Ensemble : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto started = ManagedServer::start({.baseDir = m_base.path(), .members = 3});
        ASSERT_TRUE(started) << started.error().text();
        ensemble = std::move(*started);
    }
    void TearDown() override
    {
        ensemble.reset();
        EXPECT_EQ(entriesIn(m_base.path()), 0u);
    }

    template <class Condition>
    ::testing::AssertionResult becomes(Condition condition)
    {
        const auto seen = [&] {
            ensemble->status();
            return condition();
        };
        // A leader gives an attempt up after 20 s, and ZooKeeper 3.8 may need several: a member that
        // acknowledges an old change before it acknowledges its new leader is refused.
        if (testing::becomesTrue(seen, 3min))
            return ::testing::AssertionSuccess();
        auto failure = ::testing::AssertionFailure() << "waited in vain";
        for (std::size_t i = 0; i < ensemble->size(); ++i)
            failure << "\n" << ensemble->member(i).mode << ": " << ensemble->logTail(i);
        return failure;
    }
    std::size_t countOf(const std::string& mode) const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < ensemble->size(); ++i)
            count += ensemble->member(i).mode == mode ? 1 : 0;
        return count;
    }
    std::size_t aFollower() const { return *ensemble->leader() == 0 ? 1 : 0; }
    const std::filesystem::path& base() const { return m_base.path(); }

    std::unique_ptr<ManagedServer> ensemble;

private:
    TempFolder m_base;
};

TEST_F(Ensemble, StartsWithOneLeaderAndTwoFollowers)
{
    ASSERT_EQ(ensemble->size(), 3u);
    EXPECT_EQ(countOf("leader"), 1u);
    EXPECT_EQ(countOf("follower"), 2u);
    EXPECT_TRUE(ensemble->hasQuorum());
    EXPECT_THAT(ensemble->version(), ::testing::MatchesRegex("3\\.[0-9]+\\.[0-9]+"));
    EXPECT_EQ(ensemble->hosts(), ensemble->member(0).address + "," + ensemble->member(1).address + "," +
                                     ensemble->member(2).address);
    EXPECT_EQ(entriesIn(base()), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(ensemble->member(i).running && isProcessAlive(ensemble->processId(i)));
    // What one member takes, the others have.
    RawSession writer(ensemble->member(0).address);
    ASSERT_TRUE(writer.createNode("/shared"));
    EXPECT_TRUE(
        testing::becomesTrue([&] { return RawSession(ensemble->member(2).address).hasNode("/shared"); }));
}

TEST_F(Ensemble, ASessionAndItsNodeSurviveTheKillOfTheLeader)
{
    Client client(ensemble->hosts());
    ASSERT_TRUE(client.connected());
    const auto id = client.id();
    ASSERT_EQ(client.create("/before"), zk::Code::ok);
    const auto killed = ensemble->killLeader();
    ASSERT_TRUE(killed) << killed.error().text();
    EXPECT_FALSE(ensemble->member(*killed).running);
    EXPECT_EQ(ensemble->member(*killed).mode, "");
    // Every member drops its clients while there is no leader.
    EXPECT_TRUE(client.becomes([&] { return client.phase() == zk::SessionPhase::suspended; }));
    ASSERT_TRUE(becomes([&] { return ensemble->hasQuorum(); }));
    EXPECT_NE(*ensemble->leader(), *killed);
    ASSERT_TRUE(client.connected());
    EXPECT_EQ(client.id(), id);
    EXPECT_EQ(client.get("/before"), zk::Code::ok);

    ASSERT_TRUE(ensemble->respawn(true, *killed));
    EXPECT_TRUE(ensemble->member(*killed).running);
    EXPECT_TRUE(becomes([&] { return ensemble->member(*killed).mode == "follower"; }));
    EXPECT_EQ(countOf("leader"), 1u);
}

TEST_F(Ensemble, AMemberWithoutItsDataCopiesTheLeaders)
{
    RawSession writer(ensemble->member(*ensemble->leader()).address);
    ASSERT_TRUE(writer.createNode("/kept"));
    const auto follower = aFollower();
    const auto address = ensemble->member(follower).address;
    const auto before = ensemble->processId(follower);
    const auto mark = ensemble->directory(follower) / "data" / "mark";
    std::ofstream(mark) << "x";
    ASSERT_TRUE(ensemble->respawn(false, follower));
    EXPECT_FALSE(std::filesystem::exists(mark)) << "nothing of the old data is left";
    EXPECT_FALSE(isProcessAlive(before));
    ASSERT_TRUE(becomes([&] { return ensemble->member(follower).mode == "follower"; }));
    EXPECT_EQ(ensemble->member(follower).address, address);
    EXPECT_TRUE(testing::becomesTrue([&] { return RawSession(address).hasNode("/kept"); }));
}

TEST_F(Ensemble, WithoutAQuorumNoServerServes)
{
    const auto follower = aFollower();
    ASSERT_TRUE(ensemble->killNow(follower));
    ASSERT_TRUE(ensemble->killLeader());
    EXPECT_FALSE(ensemble->hasQuorum());
    EXPECT_TRUE(becomes([&] { return countOf("") == 3; }));
    EXPECT_FALSE(ensemble->killLeader()) << "there is no leader";
    ASSERT_TRUE(ensemble->respawn(true, follower));
    EXPECT_TRUE(becomes([&] { return ensemble->hasQuorum(); }));
    EXPECT_TRUE(ensemble->killNow(follower));
    EXPECT_TRUE(ensemble->killNow(follower)) << "already gone is no error";
    EXPECT_FALSE(ensemble->suspend(follower));
    EXPECT_EQ(ensemble->killNow(3).error().code, ErrorCode::badUsage);
}

TEST_F(Ensemble, StopLeavesNothing)
{
    std::vector<int> processes;
    std::vector<std::string> addresses;
    for (std::size_t i = 0; i < 3; ++i) {
        processes.push_back(ensemble->processId(i));
        processes.push_back(ensemble->supervisorId(i));
        addresses.push_back(ensemble->member(i).address);
    }
    ASSERT_TRUE(ensemble->suspend(0)); // this one cannot help
    ensemble.reset();
    EXPECT_EQ(entriesIn(base()), 0u);
    for (const int process : processes)
        EXPECT_FALSE(isProcessAlive(process));
    for (const auto& address : addresses)
        EXPECT_TRUE(isLoopbackPortFree(
            static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)))));
}

TEST(EnsembleStart, RefusesAnEvenNumber)
{
    for (const std::size_t members : {0u, 2u, 4u, 9u}) {
        const auto ensemble = ManagedServer::start({.members = members});
        ASSERT_FALSE(ensemble) << members;
        EXPECT_EQ(ensemble.error().code, ErrorCode::badUsage);
    }
}

} // namespace
} // namespace lockscope::server
