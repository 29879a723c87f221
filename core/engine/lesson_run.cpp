#include "core/engine/lesson_run.h"

namespace lockscope::engine {

LessonRun::LessonRun(const sim::Scenario& scenario, const std::string& connect)
    // With links, so that the learner can use every link fault. The nodes of the step before may still be there.
    : m_engine({.scenario = scenario, .connect = connect, .joinForeign = true, .startPaused = true, .links = true})
{
    m_engine.start();
}

LessonRun::~LessonRun() { m_engine.stop(); }

} // namespace lockscope::engine
