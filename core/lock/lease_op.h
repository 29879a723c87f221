// One acquire of a semaphore from the call to the grant: enters (the mutex), makes a node for each lease,
// waits until there are few enough, and leaves. On every exit without the leases all its nodes are deleted
// again. Lives in the frame of the acquire's coroutine. Scheduler thread.
//
// Why no more leases are out than the most: whoever is granted one has read a list with its own nodes in it
// that was short enough, and a node made later finds all of these. The mutex is not needed for that, but for
// order: two clients inside could wait for each other's nodes.
#pragma once

#include "core/lock/op_control.h"
#include "core/lock/protected_node.h"
#include "core/lock/semaphore_core.h"

#include <deque>

namespace lockscope::lock {

class LeaseOp
{
public:
    LeaseOp(std::shared_ptr<SemaphoreCore> core, OwnerId owner, std::uint32_t count, EventIndex called,
            std::optional<Duration> limit, Cancel cancel);
    ~LeaseOp();
    LeaseOp(const LeaseOp&) = delete;
    LeaseOp& operator=(const LeaseOp&) = delete;

    zk::Task<Result<std::vector<Lease>>> run();
    void stop(ErrorCode why) { m_control.stop(why); }
    void mostChanged();
    void entranceLost();
    EventIndex cause() const { return m_control.cause(); } // of the grant, after run()

private:
    struct Seen // what the watch reaches; it outlives the op
    {
        bool fired = false;
        EventIndex event = EventIndex::none();
    };

    std::vector<Lease> leases() const;
    std::optional<Duration> timeLeft() const;
    zk::Task<Next> enter();
    void leave(CleanUp& cleanUp);
    zk::Task<Next> attempt();
    zk::Task<Next> waitForRoom();
    zk::Task<Next> look(bool watch);
    zk::Task<Next> listOnce(bool watch);
    zk::Task<Next> sleep();
    ProtectedNode::Wish wish(bool last);
    Wire::Reduce countThem() const;
    void sendList(bool together);
    void sendWatchedList();
    // `stays`: what could not be deleted.
    Error failure(Next how, std::uint32_t tries, const std::optional<Error>& stays) const;

    std::shared_ptr<SemaphoreCore> m_core;
    const Wire& m_wire;
    OwnerId m_owner;
    std::uint32_t m_count;
    std::optional<MonotonicTime> m_deadline;
    LinkedCancel m_cancel; // ends the wait in the queue, too
    OpControl m_control;
    OwnerId m_visitor; // its owner of the mutex
    bool m_inside = false;
    bool m_entranceLost = false;
    std::optional<Error> m_stays; // a node that the entrance could not delete
    std::deque<ProtectedNode> m_nodes;
    std::shared_ptr<Seen> m_seen = std::make_shared<Seen>();
    std::optional<zk::Pending<Answer<Listed>>> m_listSent;
    zk::WatchPtr m_watch;
    Decision m_listed;
    std::uint32_t m_most = 0;        // at the last decision
    std::uint64_t m_suspensions = 0; // before the last list
};

} // namespace lockscope::lock
