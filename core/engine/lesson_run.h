// The run of a lesson's step, on its own engine. One thread; see lesson::RunHandle.
// On a server of others, a step joins no other program's nodes, but those that the runs of its own earlier
// steps left: sessions that were frozen or cut off live on for a while.
#pragma once

#include "core/engine/engine.h"
#include "core/lesson/player.h"

#include <memory>
#include <set>
#include <string>

namespace lockscope::engine {

class LessonRun final : public lesson::RunHandle
{
public:
    // As ForeignCheck takes them.
    using Nodes = std::set<std::string>;

    // Starts the run. `connect`: the servers; empty: a private one. `made`: the nodes of the lesson's runs so
    // far; the run's own are added at its end.
    LessonRun(const sim::Scenario& scenario, const std::string& connect, std::shared_ptr<Nodes> made = {});
    ~LessonRun() override; // ends the run: Engine::stop()

    std::shared_ptr<const trace::TraceStore> trace() const override { return m_engine.trace(); }
    void execute(const sim::Action& action) override { m_engine.post(Execute{action}); }
    void runUntil(const sim::Trigger& when) override { m_engine.post(RunUntil{when}); }
    void resume() override { m_engine.post(Execute{sim::Action::Kind::resume}); }
    void pause() override { m_engine.post(Execute{sim::Action::Kind::pause}); }
    std::optional<Error> failure() const override { return m_engine.failure(); }

private:
    std::shared_ptr<Nodes> m_made;
    Engine m_engine;
};

} // namespace lockscope::engine
