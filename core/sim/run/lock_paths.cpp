#include "core/sim/run/lock_paths.h"

#include "core/lock/internal/parents.h"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace lockscope::sim {

struct LockPaths::State
{
    zk::Hub& hub;
    std::string hosts;
    std::vector<std::string> paths;
    std::function<void()> done{}; // empty when it was stopped
    std::shared_ptr<zk::HubSession> session{};
};

namespace {

zk::Awaitable<void> makeAll(std::shared_ptr<zk::HubSession> session, std::vector<std::string> paths)
{
    lock::OpControl control(session, std::nullopt, lock::CancelToken(), nullptr);
    co_await control.waitUntilConnectedOrStopped();
    for (const std::string& path : paths)
        if (!control.stopped())
            co_await lock::makeParents(control, path);
}

} // namespace

LockPaths::LockPaths(zk::Hub& hub, std::string hosts, std::vector<std::string> paths)
    : m_state(std::make_shared<State>(State{hub, std::move(hosts), std::move(paths)}))
{}

LockPaths::~LockPaths() { stop(); }

void LockPaths::make(std::function<void()> done)
{
    m_state->done = std::move(done);
    m_state->session =
        m_state->hub.connect({m_state->hosts, std::chrono::seconds(10), std::chrono::seconds(15)});
    boost::asio::co_spawn(m_state->hub.executor(), makeAll(m_state->session, m_state->paths),
                          [state = m_state](const std::exception_ptr& thrown) {
                              if (const auto ready = std::exchange(state->done, nullptr))
                                  ready();
                              if (state->session)
                                  state->session->close();
                              if (thrown)
                                  std::rethrow_exception(thrown);
                          });
}

void LockPaths::stop()
{
    m_state->done = nullptr;
    if (m_state->session)
        m_state->session->close();
}

} // namespace lockscope::sim
