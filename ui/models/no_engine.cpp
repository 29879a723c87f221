// In place of the engine in a build without it: traces are shown, a live run fails at once.
#include "core/engine/engine.h"

namespace lockscope::engine {

struct Engine::Impl
{
    std::shared_ptr<trace::TraceStore> store = std::make_shared<trace::TraceStore>();
    std::function<void(Phase)> onPhase;
};
Engine::Engine(Options)
    : m_impl(std::make_unique<Impl>())
{}
Engine::~Engine() = default;
void Engine::start()
{
    if (m_impl->onPhase)
        m_impl->onPhase(Phase::failed);
}
void Engine::post(EngineCommand) {}
void Engine::stop() {}
Phase Engine::phase() const { return Phase::failed; }
std::optional<Error> Engine::failure() const
{
    return Error{ErrorCode::unsupported, "This build has no engine.", {}};
}
void Engine::onPhase(std::function<void(Phase)> callback) { m_impl->onPhase = std::move(callback); }
std::shared_ptr<const trace::TraceStore> Engine::trace() const { return m_impl->store; }

} // namespace lockscope::engine
