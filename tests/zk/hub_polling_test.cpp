// The I/O thread may poll for a reply: not for ever, and never to the harm of what else it has to do.
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <boost/asio/post.hpp>

namespace lockscope::tests {
namespace {

class HubPollingTest : public ZkTest
{};

// One session whose next request is never answered, so far that this wait is one of those spent polling.
class Unanswered
{
public:
    Unanswered(server::ManagedServer& server, bool adaptivePolling)
        : m_relay(server.address())
        , m_hub(zk::Hub::create(io, zk::HubOptions{adaptivePolling}).value())
        , m_session(m_hub->connect({m_relay.address(), std::chrono::seconds(60)}))
    {
        until([&] { return m_session->phase() == zk::SessionPhase::connected; });
        for (int i = 0; i < 4; ++i) {
            Later<zk::Code> synced;
            m_session->sync("/", synced.handler());
            until([&] { return synced.arrived(); });
        }
        m_relay.muteConnection(1);
        m_session->sync("/", [](zk::Code) {});
    }
    // Handlers that were run until none was ready.
    std::size_t runUntilAsleep()
    {
        std::size_t handlers = 0;
        while (const std::size_t some = io.poll())
            handlers += some;
        return handlers;
    }

    boost::asio::io_context io{1};

private:
    void until(const std::function<bool()>& reached)
    {
        while (!reached())
            io.run_one();
    }

    LossyRelay m_relay;
    std::unique_ptr<zk::Hub> m_hub;
    std::shared_ptr<zk::HubSession> m_session;
};

TEST_F(HubPollingTest, FallsAsleepWhenTheReplyDoesNotCome)
{
    const std::size_t asleep = Unanswered(server(), false).runUntilAsleep();
    EXPECT_GT(Unanswered(server(), true).runUntilAsleep(), asleep) << "it did not stay awake at all";
}

TEST_F(HubPollingTest, ServesWhatElseIsReady)
{
    Unanswered unanswered(server(), true);
    unanswered.io.poll_one(); // sends the request
    bool served = false;
    boost::asio::post(unanswered.io, [&] { served = true; });
    for (int i = 0; i < 3 && !served; ++i)
        unanswered.io.poll_one();
    EXPECT_TRUE(served);
}

} // namespace
} // namespace lockscope::tests
