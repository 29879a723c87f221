// Hundreds of sessions in one process: one thread, and all reconnect when the server goes and comes
// back.
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace lockscope::tests {
namespace {

using zk::SessionPhase;

class ManySessions : public ZkTest
{
protected:
    void connectAll(std::size_t count, Duration timeout)
    {
        for (std::size_t i = 0; i < count; ++i)
            sessions.push_back(world->connecting({{}, timeout, std::chrono::seconds(25)}));
    }
    bool all(SessionPhase phase) const
    {
        return std::all_of(sessions.begin(), sessions.end(),
                           [phase](const HubSessionPtr& session) { return session->phase() == phase; });
    }
    static std::ptrdiff_t threads()
    {
        return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    }
    void TearDown() override
    {
        sessions.clear();
        ZkTest::TearDown();
    }
    std::vector<HubSessionPtr> sessions;
};

TEST_F(ManySessions, ShareOneThread)
{
    world->connect()->close(); // whatever is started once is there now
    const auto before = threads();
    connectAll(300, std::chrono::seconds(30));
    EXPECT_EQ(world->hub().sessionCount(), 300U);
    ASSERT_TRUE(world->runUntil([&] { return all(SessionPhase::connected); }, "300 sessions"));
    EXPECT_EQ(threads(), before);
    std::set<SessionId> ids;
    for (const auto& session : sessions)
        ids.insert(session->id());
    EXPECT_EQ(ids.size(), 300U);
}

// After a reconnect a session's socket usually has the number that another session's had before.
TEST_F(ManySessions, AllComeBackAfterTheServerDoes)
{
    connectAll(200, std::chrono::seconds(40));
    ASSERT_TRUE(world->runUntil([&] { return all(SessionPhase::connected); }, "200 sessions"));
    std::vector<SessionId> ids;
    for (const auto& session : sessions)
        ids.push_back(session->id());
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(world->runUntil([&] { return all(SessionPhase::suspended); }, "all to notice"));
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->runUntil([&] { return all(SessionPhase::connected); }, "all to be back"));
    std::size_t answered = 0;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        EXPECT_EQ(sessions[i]->id(), ids[i]);
        sessions[i]->getData("/", [&](zk::Data data) { answered += data.code == zk::Code::ok ? 1 : 0; });
    }
    world->runUntil([&] { return answered == sessions.size(); }, "an answer for each");
}

TEST_F(ManySessions, WaitTheirTurnToConnectAndCanBeClosedMeanwhile)
{
    connectAll(300, std::chrono::seconds(30));
    world->runReady();
    for (std::size_t i = 0; i < sessions.size(); i += 2)
        sessions[i]->close();
    ASSERT_TRUE(world->runUntil(
        [&] {
            for (std::size_t i = 1; i < sessions.size(); i += 2)
                if (sessions[i]->phase() != SessionPhase::connected)
                    return false;
            return true;
        },
        "the other half"));
    for (std::size_t i = 0; i < sessions.size(); i += 2)
        EXPECT_EQ(sessions[i]->phase(), SessionPhase::closed);
}

TEST_F(ManySessions, BigListsOfAllArrive)
{
    auto& observer = world->observer();
    world->create(observer, path(), "");
    int made = 0;
    for (int i = 0; i < 1000; ++i)
        observer.create(path() + "/" + std::string(200, 'n') + "-", "", zk::CreateMode::ephemeralSequential,
                        [&](zk::Created) { ++made; });
    ASSERT_TRUE(world->runUntil([&] { return made == 1000; }, "the nodes"));
    connectAll(60, std::chrono::seconds(30));
    ASSERT_TRUE(world->runUntil([&] { return all(SessionPhase::connected); }, "60 sessions"));
    std::size_t whole = 0;
    for (const auto& session : sessions)
        session->getChildren(path(), [&](zk::Code, zk::ChildNames names, const zk::Stat&) {
            whole += names.size() == 1000 ? 1 : 0;
        });
    world->runUntil([&] { return whole == sessions.size(); }, "every list");
}

} // namespace
} // namespace lockscope::tests
