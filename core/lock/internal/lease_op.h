// One acquire of a semaphore, from the call to the grant: acquires the mutex, creates a node for each lease,
// waits until the number of nodes is within the limit, and releases the mutex. Deletes its nodes on every
// exit without the leases. Lives in the frame of the coroutine of the acquire. Scheduler thread.
//
// Why the limit holds: a client is granted leases only after a list that contains its own nodes is within the
// limit, and every node created later finds all of these nodes. The mutex is needed for order: two clients
// with nodes but no leases yet could wait for each other's nodes.
#pragma once

#include "core/lock/internal/op_control.h"
#include "core/lock/internal/protected_node.h"
#include "core/lock/internal/refusal.h"
#include "core/lock/internal/semaphore_core.h"

#include <deque>

namespace lockscope::lock {

class LeaseOp
{
public:
    LeaseOp(std::shared_ptr<SemaphoreCore> core, OwnerId owner, std::uint32_t count, EventIndex called,
            std::optional<Duration> limit, CancelToken cancel);
    ~LeaseOp();
    LeaseOp(const LeaseOp&) = delete;
    LeaseOp& operator=(const LeaseOp&) = delete;

    zk::Task<Result<std::vector<Lease>>> run();
    void stop(ErrorCode why) { m_control.stop(why); }
    void onMaxLeasesChanged();
    void onAcquireMutexLost();
    EventIndex cause() const { return m_control.cause(); } // of the grant, after run()

private:
    struct WatchState // shared with the watch handler; outlives the op
    {
        bool fired = false;
        EventIndex event = EventIndex::none();
    };

    std::vector<Lease> leases() const;
    std::optional<Duration> timeLeft() const;
    zk::Task<StepResult> enter();
    void leave(CleanUp& cleanUp);
    std::shared_ptr<Refusal> askWhoIsAhead(CleanUp& cleanUp, std::optional<Refusal>* inQueue);
    Refusal learned(const Refusal* leases, const std::optional<Refusal>& inQueue) const;
    zk::Task<StepResult> attempt();
    zk::Task<StepResult> waitForLeases();
    zk::Task<StepResult> checkLeases(bool watch);
    zk::Task<StepResult> listOnce(bool watch);
    zk::Task<StepResult> sleep();
    ProtectedNode::NodeSpec nodeSpec(bool last);
    LockNodeClient::ListReducer leaseCounter() const;
    void sendList(bool pipelined);
    void sendWatchedList();
    // `undeleted`: the error of a node that could not be deleted, if any. `refusal`: what was learned.
    Error failure(StepResult how, std::uint32_t tries, const std::optional<Error>& undeleted,
                  const Refusal& refusal) const;

    std::shared_ptr<SemaphoreCore> m_core;
    const LockNodeClient& m_nodeClient;
    OwnerId m_owner;
    std::uint32_t m_count;
    std::optional<MonotonicTime> m_deadline;
    LinkedCancelToken m_cancel; // also ends the wait for the mutex
    OpControl m_control;
    OwnerId m_acquireId; // the owner id of this acquire on the mutex
    bool m_holdsAcquireMutex = false;
    bool m_acquireMutexLost = false;
    std::optional<Error> m_undeleted; // of a node that the acquire mutex could not delete
    std::deque<ProtectedNode> m_nodes;
    std::shared_ptr<WatchState> m_watchState = std::make_shared<WatchState>();
    std::optional<zk::Pending<Answer<ListResult>>> m_listSent;
    zk::WatchPtr m_watch;
    Decision m_listed;
    std::uint32_t m_maxLeases = 0;   // at the last decision
    std::uint64_t m_suspensions = 0; // before the last list
};

} // namespace lockscope::lock
