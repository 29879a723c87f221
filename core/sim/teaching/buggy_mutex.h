// For teaching: the mutex with a mistake that other libraries made. Use Mutex instead. Pure; any thread.
#pragma once

#include "core/lock/internal/recipe_bugs.h"

namespace lockscope::lock {

// Watches with exists: a node that is deleted between the list and the watch leaves a stray watch behind
// (CURATOR-107).
constexpr RecipeBugs existsWatching()
{
    RecipeBugs bugs;
    bugs.existsInsteadOfGet = true;
    return bugs;
}

// Nodes without a GUID (`lock-0000000001`): when the reply to a create is lost, the node stays and blocks the
// queue until its session ends (ZOOKEEPER-1262).
constexpr RecipeBugs unprotected()
{
    RecipeBugs bugs;
    bugs.noGuidSearch = true;
    return bugs;
}

} // namespace lockscope::lock
