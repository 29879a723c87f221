#include "core/explore/world.h"

#include <algorithm>
#include <utility>

namespace lockscope::explore {

World::World(const Recipe& recipe, const zk::memory::EnsembleOptions& options, bool keepLog)
    : log(keepLog)
    , ensemble(clock, options)
    , context{clock, ensemble, checkers, log, recipe, resource}
{
    if (const std::optional<bool> fenced = recipe.fenced())
        resource.emplace(*fenced);
    for (const std::string& path : recipe.queuePaths(kLockPath))
        checkers.push_back(std::make_unique<Checker>(recipe, path, ensemble, log));
}

void World::add(ClientPlan plan)
{
    const auto index = static_cast<std::uint32_t>(clients.size());
    clients.push_back(std::make_unique<Client>(context, index, std::move(plan)));
}

void World::execute(const zk::memory::Transition& transition)
{
    if (log.isEnabled())
        log.writeLog(clock.now(), ensemble.describe(transition));
    if (transition.kind == zk::memory::TransitionKind::deliver)
        for (const auto& client : clients)
            if (client->session()->index() == transition.session)
                for (const auto& checker : checkers)
                    checker->beforeDelivery(*client->session(), *ensemble.nextMessage(transition.session));
    ensemble.execute(transition);
}

void World::afterStep()
{
    for (const auto& checker : checkers)
        checker->afterStep();
}

std::optional<Violation> World::violation() const
{
    for (const auto& checker : checkers)
        if (checker->violation())
            return checker->violation();
    return std::nullopt;
}

void World::violated(std::string invariant, Message what)
{
    if (!violation())
        context.checker().violated(std::move(invariant), std::move(what));
}

std::size_t World::grants() const { return checkers.front()->grants(); }

bool World::finished() const
{
    return std::ranges::all_of(clients, [](const auto& client) { return client->finished(); });
}

void World::judgeEnd()
{
    std::vector<BusyThread> busy;
    std::vector<Checker::SessionPtr> sessions;
    for (const auto& client : clients) {
        client->addBusy(busy);
        sessions.push_back(client->session());
    }
    for (const auto& checker : checkers)
        finished() ? checker->atEnd(sessions) : checker->atStandstill(busy);
}

void World::tellViolation()
{
    const std::optional<Violation> found = violation();
    if (found && !std::exchange(m_told, true))
        log.writeLog(clock.now(), "VIOLATED  " + found->invariant + ": " + found->what.english());
}

void World::end()
{
    tellViolation();
    if (m_told)
        log.end();
    bool ended = true;
    for (const auto& client : clients)
        ended = client->end() && ended;
    if (!ended && !violation()) {
        violated("S7", message("Something goes on though its session was closed."));
        tellViolation();
    }
}

} // namespace lockscope::explore
