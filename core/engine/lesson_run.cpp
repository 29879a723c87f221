#include "core/engine/lesson_run.h"

namespace lockscope::engine {

namespace {

Options optionsFor(const sim::Scenario& scenario, const std::string& connect)
{
    Options options;
    options.scenario = scenario;
    options.connect = connect;
    options.startPaused = true;
    options.links = true; // so that the learner can use every fault of a link
    return options;
}

} // namespace

LessonRun::LessonRun(const sim::Scenario& scenario, const std::string& connect)
    : m_engine(optionsFor(scenario, connect))
{
    m_engine.start();
}

LessonRun::~LessonRun() { m_engine.stop(); }

} // namespace lockscope::engine
