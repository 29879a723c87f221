// The run of a lesson's step, on its own engine. One thread; see lesson::RunHandle.
#pragma once

#include "core/engine/engine.h"
#include "core/lesson/player.h"

#include <memory>
#include <string>

namespace lockscope::engine {

class LessonRun final : public lesson::RunHandle
{
public:
    // Starts the run. `connect`: the servers; empty: a private one.
    LessonRun(const sim::Scenario& scenario, const std::string& connect);
    ~LessonRun() override; // ends the run: Engine::stop()

    std::shared_ptr<const trace::TraceStore> trace() const override { return m_engine.trace(); }
    void execute(const sim::Action& action) override { m_engine.post(Execute{action}); }
    void runUntil(const sim::Trigger& when) override { m_engine.post(RunUntil{when}); }
    void resume() override { m_engine.post(Execute{sim::Action::Kind::resume}); }
    void pause() override { m_engine.post(Execute{sim::Action::Kind::pause}); }
    std::optional<Error> failure() const override { return m_engine.failure(); }

private:
    Engine m_engine;
};

} // namespace lockscope::engine
