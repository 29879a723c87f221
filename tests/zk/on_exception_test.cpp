// HubOptions::onException has what users' functions throw, and nothing leaves io.run().
#include "tests/support/fake_server.h"
#include "tests/zk/driven_hub.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

class OnException : public ::testing::Test
{
protected:
    std::vector<int> thrown;
    zk::HubOptions options()
    {
        zk::HubOptions options = zk::HubOptions::ownProcess();
        options.onException = [this](const std::exception_ptr& exception) {
            try {
                std::rethrow_exception(exception);
            } catch (int number) {
                thrown.push_back(number);
            }
        };
        return options;
    }
    FakeServer server;
    DrivenHub world{options()};
    std::shared_ptr<zk::HubSession> session = world.connect(server.address());
};

TEST_F(OnException, HasThemAll)
{
    world.hub().post([] { throw 1; });
    world.hub().after(Duration{}, [] { throw 2; });
    session->getData("/", [](const zk::Data&) { throw 3; });
    session->getChildren("/", [](zk::Code, zk::ChildNames, const zk::Stat&) { throw 4; });
    session->addListener([](zk::SessionPhase) { throw 5; });
    bool answered = false;
    session->getData("/", [&](const zk::Data&) {
        answered = true;
        session->close();
    });
    EXPECT_TRUE(world.runUntil([&] { return answered && thrown.size() == 5; }));
    EXPECT_THAT(thrown, ::testing::UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST_F(OnException, MayDestroyTheHub)
{
    world.hub().post([this] {
        world.destroyHub();
        throw 1;
    });
    world.io().restart();
    world.io().run();
    EXPECT_THAT(thrown, ::testing::ElementsAre(1));
}

} // namespace
} // namespace lockscope::tests
