// What every schedule runs in: a simulated ensemble under a virtual clock, the clients on it, and the
// checkers that judge each step. What happens next is decided by its user: Schedule at random, Search in
// every order. One thread.
#pragma once

#include "core/explore/client.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::explore {

inline const std::string kLockPath = "/locks/well";

class World
{
public:
    World(const Recipe& recipe, const zk::memory::EnsembleOptions& options, bool keepLog);
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void add(ClientPlan plan); // call begin() of all when the last one was added
    void execute(const zk::memory::Transition& transition);
    void afterStep();                                   // judges what is there now
    std::optional<Violation> violation() const;         // the first one
    void violated(std::string invariant, Message what); // unless there is one already
    std::size_t grants() const;
    bool finished() const; // all clients have done what they planned
    // Nothing can happen any more: judges what is left.
    void judgeEnd();
    void tellViolation(); // in the log, once
    // Ends the clients, and writes the violation to the log.
    void end();

    ScheduleLog log;
    zk::memory::VirtualClock clock;
    zk::memory::Ensemble ensemble;
    std::vector<std::unique_ptr<Checker>> checkers;
    std::optional<ProtectedResource> resource; // when the recipe says so
    Context context;
    std::vector<std::unique_ptr<Client>> clients;

private:
    bool m_told = false;
};

} // namespace lockscope::explore
