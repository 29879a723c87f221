// The locks of one client for the scenario's recipe, on one session: what each cycle acquires. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/sim/scenario.h"

#include <memory>
#include <vector>

namespace lockscope::sim {

class RecipeLocks
{
public:
    // `host`: the client's name, for the recipe that writes it into its nodes' names.
    RecipeLocks(const zk::SessionPtr& session, const Scenario& scenario, lock::LockOptions options,
                const std::string& host);
    ~RecipeLocks();
    RecipeLocks(const RecipeLocks&) = delete;
    RecipeLocks& operator=(const RecipeLocks&) = delete;

    struct Turn
    {
        lock::Lock* lock = nullptr;
        bool shared = false; // holds together with others of its kind
    };
    // What the next cycle acquires; readers and writers are drawn.
    Turn next(Random& random) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::sim
