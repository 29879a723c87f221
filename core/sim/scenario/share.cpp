#include "core/sim/scenario/share.h"

#include "core/sim/scenario/scenario.h"

#include <map>

namespace lockscope::sim {

std::vector<std::uint32_t> ranksOf(const std::vector<Participant>& all, std::uint32_t workers)
{
    std::vector<std::uint32_t> ranks;
    std::map<std::string, std::uint32_t> ofProcesses;
    std::uint32_t next = 0;
    for (const Participant& one : all) {
        if (one.process.empty()) {
            ranks.push_back(next++ % workers);
            continue;
        }
        const auto [place, isNew] = ofProcesses.try_emplace(one.process, next % workers);
        next += isNew ? 1 : 0;
        ranks.push_back(place->second);
    }
    return ranks;
}

bool hasMovingTarget(const Action& action)
{
    using Target = Action::Target;
    return action.target == Target::holder || action.target == Target::firstWaiter ||
           action.target == Target::nextInTurn;
}

Result<void> checkShares(const Scenario& scenario, std::uint32_t workers)
{
    const auto refused = [&](Message what) {
        return Error{ErrorCode::badUsage,
                     message("Several workers cannot carry out %1: %2", scenario.name, std::move(what)),
                     {}};
    };
    if (onlyWatches(scenario))
        return refused(message("it has no clients."));
    if (const std::size_t processes = sessionCount(participants(scenario)); processes < workers)
        return refused(message("it has fewer processes of clients (%1) than there are workers (%2).",
                               processes, workers));
    if (scenario.stepping || !scenario.steps.empty())
        return refused(message("its clients take steps in turn, which one process decides."));
    if (scenario.resource.kind != ResourceContent::Kind::section)
        return refused(message("what its holders count is kept in the memory of one process."));
    return {};
}

} // namespace lockscope::sim
