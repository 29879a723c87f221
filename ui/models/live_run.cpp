#include "ui/models/live_run.h"

#include <utility>

namespace lockscope::ui {

LiveRun::LiveRun(engine::Options options, std::function<void()> onPhase)
    : m_engine(std::make_unique<engine::Engine>(std::move(options)))
{
    m_engine->onPhase([notify = std::move(onPhase)](engine::Phase) { notify(); });
    m_engine->start();
}

LiveRun::~LiveRun() = default;

std::shared_ptr<const trace::TraceStore> LiveRun::trace() const { return m_engine->trace(); }

bool LiveRun::paused() const { return m_engine->phase() == engine::Phase::paused; }

bool LiveRun::ended() const
{
    const engine::Phase phase = m_engine->phase();
    return phase == engine::Phase::finished || phase == engine::Phase::failed;
}

bool LiveRun::over() const { return m_engine->over(); }

void EndingRuns::end(std::unique_ptr<LiveRun> run)
{
    auto done = std::make_shared<std::atomic<bool>>(false);
    std::jthread thread([run = std::move(run), done]() mutable {
        run.reset();
        done->store(true);
    });
    m_endings.push_back({std::move(done), std::move(thread)});
}

bool EndingRuns::any()
{
    std::erase_if(m_endings, [](const Ending& ending) { return ending.done->load(); });
    return !m_endings.empty();
}

} // namespace lockscope::ui
