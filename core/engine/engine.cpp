#include "core/engine/engine.h"

#include "core/engine/engine_thread.h"

#include <boost/asio/post.hpp>

namespace lockscope::engine {

Engine::Engine(Options options) : m_impl(std::make_unique<Impl>(std::move(options))) {}

Engine::~Engine() { stop(); }

void Engine::start()
{
    if (m_impl->thread.joinable())
        return;
    m_impl->phase = Phase::starting;
    m_impl->thread = std::thread([impl = m_impl.get()] { impl->run(); });
}

void Engine::post(EngineCommand command)
{
    boost::asio::post(m_impl->io, [impl = m_impl.get(), command] { impl->execute(command); });
}

void Engine::stop()
{
    m_impl->stopping.request_stop();
    boost::asio::post(m_impl->io, [impl = m_impl.get()] { impl->shutDown(); });
    if (m_impl->thread.joinable())
        m_impl->thread.join();
}

Phase Engine::phase() const { return m_impl->phase; }

std::optional<Error> Engine::failure() const
{
    std::lock_guard lock(m_impl->failureMutex);
    return m_impl->failure;
}

void Engine::onPhase(std::function<void(Phase)> callback) { m_impl->phaseCallback = std::move(callback); }

std::shared_ptr<const trace::TraceStore> Engine::trace() const { return m_impl->store; }

} // namespace lockscope::engine
