#include "tests/faults/stall_detector.h"

#include "tests/faults/sleep.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace lockscope::tests {

namespace {

constexpr Duration kInterval = std::chrono::milliseconds(100);
// Sessions are pinged every third of their timeout, which is one second at least.
constexpr Duration kLate = std::chrono::milliseconds(400);
constexpr Duration kTimeout = std::chrono::seconds(12);

} // namespace

StallDetector::StallDetector(zk::Hub& hub, std::string address, std::function<void(Duration)> stalled)
    : m_hub(hub)
    , m_address(std::move(address))
    , m_stalled(std::move(stalled))
{}

void StallDetector::start()
{
    connect();
    const auto keepAlive = [](std::shared_ptr<StallDetector> self) -> zk::Awaitable<void> {
        co_await self->run();
    };
    boost::asio::co_spawn(m_hub.executor(), keepAlive(shared_from_this()), boost::asio::detached);
}

void StallDetector::stop()
{
    m_stopped = true;
    if (m_session)
        m_session->close();
}

void StallDetector::connect()
{
    m_session = m_hub.connect({m_address, kTimeout, kTimeout});
    m_session->addListener([weak = weak_from_this()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && phase == zk::SessionPhase::connected)
            self->m_lastAnswer = self->m_hub.now();
    });
}

// Without a connection it says nothing: the server may be slow to take this one back, and serve the others.
bool StallDetector::isLate() const { return connected() && m_hub.now() - m_lastAnswer > kLate; }

zk::Awaitable<void> StallDetector::run()
{
    while (!m_stopped) {
        if (m_session->phase() == zk::SessionPhase::lost)
            connect();
        if (connected()) {
            co_await probe();
        }
        co_await sleepFor(&m_hub, kInterval);
    }
    m_ended = true;
}

zk::Awaitable<void> StallDetector::probe()
{
    zk::Pending<zk::Code> answered;
    m_session->sync("/", answered.handler());
    const zk::Code code = co_await answered.get();
    const Duration late = m_hub.now() - m_lastAnswer;
    if (code != zk::Code::ok)
        co_return;
    m_lastAnswer = m_hub.now();
    if (late > kLate)
        m_stalled(late);
}

} // namespace lockscope::tests
