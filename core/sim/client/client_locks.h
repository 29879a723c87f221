// The locks of one client on one session, by the scenario's recipe, and what each cycle acquires. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/shared_count.h"
#include "core/sim/client/resource.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/tracing/trace_observer.h"

#include <functional>
#include <memory>
#include <vector>

namespace lockscope::sim {

// One lock of a run: its ids in the trace, and its resource.
struct RunLock
{
    std::string path;
    LockId queue = LockId::none();        // of a semaphore: its leases
    LockId acquireMutex = LockId::none(); // of a semaphore: the mutex of its acquires
    std::unique_ptr<Resource> resource{};
};

// The arguments of ClientLocks.
struct ClientLocksSetup
{
    zk::SessionPtr session;
    const Scenario& scenario;
    const Work& work;
    const std::vector<RunLock>& runLocks;
    lock::LockOptions options;                 // without path and observer
    std::string host;                          // the client's name, which some recipes put into node names
    std::shared_ptr<lock::SharedCount> leases; // for a semaphore whose size may change; otherwise null
    trace::Recorder& recorder;
    ClientId client;
    lock::StepGate& gate;
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
        bool shared = false;      // other acquisitions of its kind may hold the lock, too
        std::uint32_t weight = 1; // leases
    };
    // The locks of the next cycle, in order; read or write and numbers of leases are drawn.
    std::vector<Acquisition> next(Random& random);
    // Called when another client asks for a lock that this one holds.
    void onRevoked(std::function<void()> revoked);

private:
    struct LockInstance;
    void make(const RunLock& runLock);
    Acquisition makeAcquisition(const Take& take, Random& random);

    ClientLocksSetup m_setup;
    std::vector<std::unique_ptr<LockInstance>> m_locks; // one for each RunLock
    std::unique_ptr<lock::Lock> m_multiLock;            // for a multi-lock: all locks together
};

} // namespace lockscope::sim
