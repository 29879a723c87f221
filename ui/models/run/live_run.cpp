#include "ui/models/run/live_run.h"

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
    m_endings.start(
        [run = std::shared_ptr<LiveRun>(std::move(run))](const std::stop_token&) mutable { run.reset(); });
}

bool EndingRuns::any() { return m_endings.busy(); }

} // namespace lockscope::ui
