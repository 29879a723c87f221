// One acquire of a QueueLock, from the call to the grant: creates the node, queues up, and deletes the node
// on every exit without the lock. Owned by the coroutine of the acquire. Scheduler thread.
#pragma once

#include "core/lock/internal/op_control.h"
#include "core/lock/internal/protected_node.h"
#include "core/lock/internal/queue_core.h"

namespace lockscope::lock {

class AcquireOp : public Recycled
{
public:
    AcquireOp(std::shared_ptr<QueueCore> core, OwnerId owner, EventIndex called,
              std::optional<Duration> limit, CancelToken cancel);
    ~AcquireOp();
    AcquireOp(const AcquireOp&) = delete;
    AcquireOp& operator=(const AcquireOp&) = delete;

    // The uncontended path needs no extra coroutine: begin() sends the create, unless the operation must wait
    // for something first; after created(), wasGrantedUncontended() returns whether the lock is held. When
    // either returns false, run() does the rest.
    bool begin();
    auto created() const { return m_node.answered(); }
    bool wasGrantedUncontended();
    zk::Task<Result<Hold>> run();
    Hold takeHold(); // after wasGrantedUncontended()
    void stop(ErrorCode why) { m_control.stop(why); }

    // ---- after the grant ----
    EventIndex cause() const { return m_control.cause(); } // of the grant
    bool contended() const { return m_contended; }         // another node was ahead of ours or behind it

private:
    // Shared with the watch handlers; outlives the op.
    struct WatchState
    {
        std::optional<zk::WatchKind> fired; // of the watch on the predecessor
        EventIndex firedEvent = EventIndex::none();
        bool ownDeleted = false; // reported by the watch on our own node
        bool ownAsked = false;   // that watch was requested and has not fired
        bool ownWatched = false; // the server has set that watch
    };

    Zxid token() const { return m_inheritedPosition ? m_inheritedPosition->token : m_node.token(); }
    bool isUncontended() const { return m_decision.count == 1 && !m_contended; }
    ProtectedNode::NodeSpec nodeSpec();
    void sendListWithCreate();
    bool followsLastUncontended() const;
    bool mustSearchFirst() const;
    std::shared_ptr<Refusal> askWhoIsAhead(CleanUp& cleanUp); // null: it is not asked
    void grantUncontended();
    zk::Task<StepResult> attempt();
    zk::Task<StepResult> queueUp();
    zk::Task<StepResult> listOnce();
    StepResult acceptList(const Answer<ListResult>& answer);
    zk::Task<StepResult> waitForPredecessor();
    zk::Task<StepResult> readPredecessor(bool& predecessorIsFirst);
    zk::Task<zk::Code> watchPredecessor(std::string& bytes);
    void watchOwnNode();

    std::shared_ptr<QueueCore> m_core;
    const LockNodeClient& m_nodeClient;
    OwnerId m_owner;
    OpControl m_control;
    std::optional<InheritedPosition> m_inheritedPosition; // instead of a position at the end of the queue
    ProtectedNode m_node;
    std::shared_ptr<WatchState> m_watchState; // created for the first watch
    std::optional<zk::Pending<Answer<ListResult>>> m_listSent;
    std::optional<LastUncontended> m_lastUncontended;
    Decision m_decision;
    zk::WatchPtr m_predecessorWatch;
    zk::WatchPtr m_ownWatch;
    bool m_contended = false;
    bool m_over = false;  // no longer in QueueCore::acquiring
    bool m_begun = false; // the create of the next attempt is under way, or answered
};

} // namespace lockscope::lock
