// What is no lock for its users, as locks that owners may enter again: so that the explorer drives it like
// the others. They behave as every RecipeLock does. Scheduler thread.
#pragma once

#include "core/lock/lock_options.h"
#include "core/lock/recipe_lock.h"

namespace lockscope::explore {

inline constexpr std::uint32_t kLeases = 2;

// One lease of a semaphore of two.
class SemaphoreLock final : public lock::RecipeLock
{
public:
    SemaphoreLock(zk::SessionPtr session, lock::LockOptions options);
};

// The locks of one session that shares a node among its owners, as CohortMutex does among threads, by the
// same two parts: the cohort and its keeper. A node is passed on once.
class CohortLock final : public lock::RecipeLock
{
public:
    CohortLock(zk::SessionPtr session, lock::LockOptions options);
};

} // namespace lockscope::explore
