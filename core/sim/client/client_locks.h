// The locks of one client for the scenario's recipe, on one session: what each cycle acquires. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/shared_count.h"
#include "core/sim/client/resource.h"
#include "core/sim/scenario/scenario.h"

#include <functional>
#include <memory>
#include <vector>

namespace lockscope::sim {

// One lock of a run: the ids it is traced by, and what it protects.
struct RunLock
{
    std::string path;
    LockId queue = LockId::none();    // of a semaphore: its leases
    LockId acquireMutex = LockId::none(); // of a semaphore: the mutex in front of them
    std::unique_ptr<Resource> resource{};
};

// What one client's locks are made with.
struct ClientLocksSetup
{
    zk::SessionPtr session;
    const Scenario& scenario;
    const Work& work;
    const std::vector<RunLock>& runLocks;
    lock::LockOptions options; // without path and lock id
    std::string host;          // the client's name, for recipes that write it into their nodes' names
    std::shared_ptr<lock::SharedCount> leases; // of a semaphore whose size may change; else null
};

class ClientLocks
{
public:
    explicit ClientLocks(ClientLocksSetup setup);
    ~ClientLocks();
    ClientLocks(const ClientLocks&) = delete;
    ClientLocks& operator=(const ClientLocks&) = delete;

    struct Acquisition
    {
        lock::Lock* lock = nullptr;
        Resource* resource = nullptr;
        bool shared = false;      // holds together with others of its kind
        std::uint32_t weight = 1; // leases that it takes
    };
    // What the next cycle acquires, in this order; sides and numbers are drawn.
    std::vector<Acquisition> next(Random& random);
    // Called when somebody asks the client to give up a lock that it holds.
    void onRevoked(std::function<void()> revoked);

private:
    struct LockInstance;
    void make(const RunLock& place);
    Acquisition makeAcquisition(const Take& take, Random& random);

    ClientLocksSetup m_setup;
    std::vector<std::unique_ptr<LockInstance>> m_locks; // one for each place
    std::unique_ptr<lock::Lock> m_multiLock;        // of a multi-lock: all of them
};

} // namespace lockscope::sim
