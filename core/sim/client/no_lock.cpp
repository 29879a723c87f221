#include "core/sim/client/no_lock.h"

namespace lockscope::sim {

zk::Task<Result<lock::Grant>> NoLock::acquire(OwnerId owner, std::optional<Duration>, lock::CancelToken)
{
    m_owners.insert(owner);
    co_return lock::Grant{};
}

zk::Task<Result<void>> NoLock::release(OwnerId owner)
{
    m_owners.erase(owner);
    co_return Result<void>{};
}

} // namespace lockscope::sim
