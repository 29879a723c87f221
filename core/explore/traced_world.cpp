#include "core/explore/traced_world.h"

namespace lockscope::explore {

namespace {

trace::Header headerOf(const std::string& title)
{
    trace::Header header;
    header.scenario = "explore";
    header.title = title;
    return header;
}

} // namespace

TracedWorld::TracedWorld(const Workload& workload, const std::string& title)
    : m_store(headerOf(title))
    , m_recorder(m_store, MonotonicTime{}, &TracedWorld::now, this)
{
    m_world = std::make_unique<SteppedWorld>(workload, false, &m_recorder);
}

MonotonicTime TracedWorld::now(const void* self)
{
    const auto& traced = *static_cast<const TracedWorld*>(self);
    return (traced.m_world ? traced.m_world->now() : MonotonicTime{}) + traced.m_steps;
}

bool TracedWorld::take(const Step& step)
{
    m_steps += std::chrono::milliseconds(1);
    return m_world->takeIfPossible(step);
}

std::shared_ptr<const trace::TraceStore> traceOf(const std::shared_ptr<TracedWorld>& world)
{
    return {world, &world->store()};
}

} // namespace lockscope::explore
