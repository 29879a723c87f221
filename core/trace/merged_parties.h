// What the inputs of a merge have in common: the locks, by their paths, and the clients, by their sessions.
#pragma once

#include "core/base/recipe.h"
#include "core/trace/merge_inputs.h"

namespace lockscope::trace {

struct MergedParties
{
    struct Lock
    {
        std::string path, recipe, handoff;
        std::size_t observer = 0; // the input whose word on the server's nodes counts
        std::uint64_t lists = 0;  // that it read
        bool isAdded = false;
        std::uint32_t permits = 0;
        EventIndex changed; // the last request that changed its children

        bool isWatched() const { return recipeOf(recipe) == Recipe::watched; }
    };
    struct Group // one client
    {
        std::string name, trace;
        bool isOfRun = false; // it is in a trace, not only in a log
        ClientId id{};
    };

    std::vector<Lock> locks;
    std::vector<Group> groups;
    std::set<SessionId> sessions; // of the clients of the runs
    std::size_t tables = 0;       // the input whose readings of the watch table count
    ClientId::Value nextId = 0;

    // Enters in the inputs what of this each of their locks and clients is. `namesTraces`: of every client.
    void join(std::vector<ReadInput>& inputs, bool namesTraces);

private:
    void joinLocks(std::vector<ReadInput>& inputs);
    void joinClients(std::vector<ReadInput>& inputs);
    void nameClients(const std::vector<ReadInput>& inputs, bool namesTraces);
};

} // namespace lockscope::trace
