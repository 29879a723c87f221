// Records what happens in a world as events of a trace, so that every view can show it: what the clients do
// and believe, and the queue as the leader's log has it. One thread.
#pragma once

#include "core/explore/step.h"
#include "core/explore/world.h"
#include "core/trace/command_verb.h"
#include "core/trace/recorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::explore {

class WorldTrace
{
public:
    WorldTrace(trace::Recorder& recorder, World& world);
    // The observers of what the client makes. Call it for all clients before the first step.
    ObserverOf addClient(std::uint32_t client, HandoffPolicy handoff);
    void fault(const Step& step, std::uint32_t session);
    void nodeDeleted(std::size_t queue, const std::string& name);
    void afterStep();

private:
    std::string nameOfClient(std::uint32_t client) const;
    EventIndex command(ClientId client, LockId lock, trace::CommandVerb verb, const std::string& argument);
    void follow(const zk::memory::Transaction& transaction);
    void record(const ResourceUse& use);
    void vanished(const std::string& path);
    std::size_t queueOf(const std::string& path) const; // past the last one: of none

    trace::Recorder& m_recorder;
    World& m_world;
    std::size_t m_followed = 0;
    std::vector<zk::SessionPhase> m_phases; // by client
    std::vector<std::uint32_t> m_sessions;
    std::vector<bool> m_paused;
};

} // namespace lockscope::explore
