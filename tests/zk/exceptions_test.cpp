// What a user's function throws does not stop the hub: it leaves io.run(), or goes to
// HubOptions::onException, and everything else is done all the same.
#include "tests/support/fake_server.h"
#include "tests/zk/driven_hub.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace lockscope::tests {
namespace {

using zk::Code;

struct Thrown : std::runtime_error
{
    explicit Thrown(int n)
        : std::runtime_error("thrown")
        , number(n)
    {}
    int number;
};

class Exceptions : public ::testing::Test
{
protected:
    // Runs until `reached`, through every exception.
    bool runUntil(const std::function<bool()>& reached)
    {
        for (;;) {
            try {
                return world.runUntil(reached, std::chrono::seconds(4));
            } catch (const Thrown& thrown) {
                caught.push_back(thrown.number);
            }
        }
    }
    // A request that is sent now and answered: the hub reads, writes and calls.
    void expectTheHubToGoOn()
    {
        bool answered = false, due = false, posted = false;
        session->getData("/", [&](const zk::Data&) { answered = true; });
        world.hub().after(std::chrono::milliseconds(1), [&] { due = true; });
        world.hub().post([&] { posted = true; });
        EXPECT_TRUE(runUntil([&] { return answered && due && posted; }))
            << "answered " << answered << ", due " << due << ", posted " << posted;
    }

    FakeServer server;
    DrivenHub world;
    std::shared_ptr<zk::HubSession> session = world.connect(server.address());
    std::vector<int> caught;
};

// What is asked for after it is done all the same.
TEST_F(Exceptions, OfWhateverTheHubCalls)
{
    const std::function<void()> throwing[] = {
        [&] { world.hub().post([] { throw Thrown(1); }); },
        [&] { world.hub().after(std::chrono::milliseconds(1), [] { throw Thrown(1); }); },
        [&] { session->getData("/", [](const zk::Data&) { throw Thrown(1); }); },
        [&] { session->getChildren("/", [](Code, zk::ChildNames, const zk::Stat&) { throw Thrown(1); }); },
        [&, victim = world.connect(server.address())] {
            victim->kill([](Result<void>) { throw Thrown(1); });
        },
    };
    for (const auto& ask : throwing) {
        SCOPED_TRACE(&ask - throwing);
        caught.clear();
        ask();
        expectTheHubToGoOn();
        EXPECT_TRUE(runUntil([&] { return caught.size() == 1; }));
        EXPECT_THAT(caught, ::testing::ElementsAre(1));
    }
}

TEST_F(Exceptions, OfAWatch)
{
    const zk::WatchPtr watch = session->getData(
        "/a", [](zk::WatchKind) { throw Thrown(1); },
        [&](const zk::Data&) { server.send(watchEvent(3, "/a")); });
    EXPECT_TRUE(runUntil([&] { return caught.size() == 1; }));
    expectTheHubToGoOn();
}

TEST_F(Exceptions, OfAListener)
{
    std::vector<int> called;
    session->addListener([&](zk::SessionPhase) {
        called.push_back(1);
        throw Thrown(1);
    });
    session->addListener([&](zk::SessionPhase) {
        called.push_back(2);
        throw Thrown(2);
    });
    session->addListener([&](zk::SessionPhase) { called.push_back(3); });
    session->close();
    EXPECT_TRUE(runUntil([&] { return called.size() == 3; }));
    EXPECT_TRUE(runUntil([&] { return caught.size() == 1; }));
    session = world.connect(server.address());
    expectTheHubToGoOn();
    EXPECT_THAT(caught, ::testing::ElementsAre(1)) << "the first one";
}

TEST_F(Exceptions, OfManyAtOnceLeaveOneByOne)
{
    for (int i = 0; i < 5; ++i)
        world.hub().post([i] { throw Thrown(i); });
    EXPECT_TRUE(runUntil([&] { return caught.size() == 5; }));
    EXPECT_THAT(caught, ::testing::ElementsAre(0, 1, 2, 3, 4));
    expectTheHubToGoOn();
}

// What was asked for before the exception goes out, and is not held back for it.
TEST_F(Exceptions, DoNotHoldBackWhatWasAskedFor)
{
    bool answered = false;
    world.hub().post([&] {
        session->getData("/", [&](const zk::Data&) { answered = true; });
        throw Thrown(1);
    });
    EXPECT_TRUE(runUntil([&] { return answered; }));
}

} // namespace
} // namespace lockscope::tests
