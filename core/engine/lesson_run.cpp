#include "core/engine/lesson_run.h"

namespace lockscope::engine {

LessonRun::LessonRun(const sim::Scenario& scenario, const std::string& connect)
    // With links, so that the learner can use every link fault.
    : m_engine({.scenario = scenario, .connect = connect, .startPaused = true, .links = true})
{
    m_engine.start();
}

LessonRun::~LessonRun() { m_engine.stop(); }

} // namespace lockscope::engine
