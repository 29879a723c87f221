// Lists take turns when there are many. However their session ends meanwhile, each is answered, once.
#include "tests/support/fake_server.h"
#include "tests/zk/driven_hub.h"

#include <gmock/gmock.h>

#include <map>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::SessionPhase;

constexpr int kMany = 500; // far more than are under way at once

class ListAnswers : public ::testing::Test
{
protected:
    void askFor(zk::Session& session, int lists)
    {
        for (int i = 0; i < lists; ++i)
            session.getChildren("/a",
                                [this](Code code, zk::ChildNames, const zk::Stat&) { ++answers[code]; });
    }
    int answered() const
    {
        int all = 0;
        for (const auto& [code, count] : answers)
            all += count;
        return all;
    }
    bool allAnswered(int lists)
    {
        return world.runUntil([&] { return answered() >= lists; }, std::chrono::seconds(8));
    }
    std::map<Code, int> answers;

    // Knows everything but lists.
    FakeServer server{
        [](const FakeRequest& request) { return request.op == 12 ? "" : defaultReply(request); }};
    DrivenHub world;
};

TEST_F(ListAnswers, AfterAClose)
{
    const auto session = world.connect(server.address());
    askFor(*session, kMany);
    session->close();
    EXPECT_EQ(answered(), 0) << "never inside the call";
    EXPECT_TRUE(allAnswered(kMany));
    EXPECT_EQ(answers[Code::closed], kMany);
    EXPECT_EQ(answered(), kMany);
}

TEST_F(ListAnswers, AfterOurOwnClockHasEndedTheSession)
{
    FakeServer shortLived([](const FakeRequest&) { return std::string(); }, {"127.0.0.1", 600, true});
    const auto session = world.connect(shortLived.address());
    session->freeze(); // so that it does not learn how its connection ends
    shortLived.hangUp();
    session->thaw();
    askFor(*session, kMany);
    ASSERT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::lost; }));
    EXPECT_TRUE(allAnswered(kMany));
    askFor(*session, 1);
    EXPECT_TRUE(allAnswered(kMany + 1));
    EXPECT_EQ(answered(), kMany + 1);
    EXPECT_EQ(answers[Code::closed], 0);
}

// One whose turn comes when its session ends goes neither to the server nor to a place of the others.
TEST_F(ListAnswers, TheOthersHaveTheirTurnAfterTheEnd)
{
    FakeServer other;
    const auto first = world.connect(server.address());
    const auto second = world.connect(other.address());
    askFor(*first, kMany);
    int served = 0;
    for (int i = 0; i < 100; ++i)
        second->getChildren(
            "/b", [&](Code code, zk::ChildNames, const zk::Stat&) { served += code == Code::ok ? 1 : 0; });
    first->close();
    EXPECT_TRUE(world.runUntil([&] { return served == 100; }, std::chrono::seconds(8))) << served;
    EXPECT_EQ(answers[Code::closed], kMany);
}

TEST_F(ListAnswers, ASessionThatStandsStillDelaysNoOther)
{
    FakeServer other;
    const auto frozen = world.connect(server.address());
    const auto second = world.connect(other.address());
    askFor(*frozen, 10); // sent
    world.runUntil([&] { return server.requests() > 0; });
    frozen->freeze();
    askFor(*frozen, kMany);
    int served = 0;
    for (int i = 0; i < 100; ++i)
        second->getChildren(
            "/b", [&](Code code, zk::ChildNames, const zk::Stat&) { served += code == Code::ok ? 1 : 0; });
    EXPECT_TRUE(world.runUntil([&] { return served == 100; }, std::chrono::seconds(8))) << served;
    frozen->close();
    EXPECT_TRUE(allAnswered(kMany + 10));
    EXPECT_EQ(answers[Code::closed], kMany + 10);
}

TEST_F(ListAnswers, WhenTheHubGoesAllAreDestroyedAndNoneIsCalled)
{
    const auto session = world.connect(server.address());
    const auto token = std::make_shared<int>(0);
    for (int i = 0; i < kMany; ++i)
        session->getChildren("/a", [token](Code, zk::ChildNames, const zk::Stat&) { FAIL(); });
    world.destroyHub();
    session->getChildren("/a", [token](Code, zk::ChildNames, const zk::Stat&) { FAIL(); });
    world.io().restart();
    world.io().poll();
    EXPECT_EQ(token.use_count(), 1);
}

} // namespace
} // namespace lockscope::tests
