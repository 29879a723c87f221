// What a client of a fault run uses beside its mutexes, on the same session: a read/write lock, a semaphore
// whose number of leases changes meanwhile, and a lock over two revocable mutexes. One use is an acquire, a
// hold and a release of one of them. I/O thread.
#pragma once

#include "tests/faults/fault_context.h"

#include "core/lock/multi_lock.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

class MixedLocks
{
public:
    MixedLocks(FaultContext& context, ClientId client, zk::SessionPtr session, const FaultExposure& contact,
               std::uint64_t seed);

    // Also when the session is lost meanwhile. A violation is reported to the checker.
    zk::Awaitable<void> useOne();
    const std::string& doing() const { return m_doing; }

    // Where nodes of contenders are.
    static std::vector<std::string> queues();

private:
    enum class Kind { read, write, semaphore, multi };

    zk::Awaitable<bool> begin();
    zk::Awaitable<void> use(Kind kind, lock::Lock* lock);
    zk::Awaitable<void> useSemaphore();
    zk::Awaitable<void> hold(Kind kind, std::uint32_t weight);
    zk::Awaitable<void> askForIt();
    zk::Awaitable<bool> expected(Error error);
    void lost(Kind kind);
    static SharedBeliefs::Pool poolOf(Kind kind);

    FaultContext& m_context;
    const FaultExposure& m_contact;
    ClientId m_client;
    zk::SessionPtr m_session;
    Random m_random;
    std::shared_ptr<lock::SharedCount> m_leases;
    bool m_begun = false;
    std::unique_ptr<lock::ReadWriteLock> m_readWrite;
    std::unique_ptr<lock::Semaphore> m_semaphore;
    std::vector<std::shared_ptr<lock::Mutex>> m_mutexes;
    std::unique_ptr<lock::MultiLock> m_multi;
    bool m_revoked = false;
    std::string m_doing;
};

} // namespace lockscope::tests
