// Several mutexes between processes as one, for threads: the InterProcessMultiLock of Curator (MultiLock).
// All or none are held. They are acquired in the order of their paths, so that two multi-locks over the same
// paths never deadlock. A std::scoped_lock over several BlockingMutexes does not deadlock either, but it
// releases them and tries again.
#pragma once

#include "core/lock/blocking/blocking_lock.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lock {

class BlockingMultiLock : public BlockingLock
{
public:
    // Throws LockError (badUsage) when there is no path; lock() throws it when a path occurs twice.
    BlockingMultiLock(const Client& client, const std::vector<std::string>& paths);
    BlockingMultiLock(const Client& client, std::initializer_list<std::string_view> paths);
    BlockingMultiLock(const Client& client, std::vector<LockOptions> parts);

    // The fencing token of each part, in the order in which they are acquired; empty when the calling thread
    // does not hold the lock, or lost a part of it: then it must not write. Does not wait.
    std::vector<PartToken> tokens() const
    {
        const std::optional<HeldTokens> held = m_lock.held(Side::exclusive);
        return held ? held->parts : std::vector<PartToken>{};
    }
};

} // namespace lockscope::lock
