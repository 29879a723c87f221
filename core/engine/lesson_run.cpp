#include "core/engine/lesson_run.h"

#include <map>
#include <utility>

namespace lockscope::engine {

LessonRun::LessonRun(const sim::Scenario& scenario, const std::string& connect, std::shared_ptr<Nodes> made)
    : m_made(std::move(made))
    // With links, so that the learner can use every link fault.
    , m_engine({.scenario = scenario,
                .connect = connect,
                .ownNodes = m_made ? *m_made : Nodes(),
                .startPaused = true,
                .links = true})
{
    m_engine.start();
}

LessonRun::~LessonRun()
{
    m_engine.stop();
    if (!m_made)
        return;
    const trace::TraceStore& events = *m_engine.trace();
    std::map<LockId, std::string> paths;
    for (std::size_t i = 0; i < events.count(); ++i) {
        const trace::Event& event = events.at(i);
        std::string_view made;
        if (const auto* lock = std::get_if<trace::LockAdded>(&event.what))
            paths[event.lock] = lock->path;
        else if (const auto* reply = std::get_if<trace::Reply>(&event.what);
                 reply && reply->op == Operation::create)
            made = reply->node;
        else if (const auto* seen = std::get_if<trace::NodeSeen>(&event.what); seen && !seen->foreign)
            made = seen->node;
        if (!made.empty())
            m_made->insert(paths[event.lock] + "/" + std::string(made));
    }
}

} // namespace lockscope::engine
