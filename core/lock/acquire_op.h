// One acquire of a Mutex from the call to the grant: creates the node, queues up, and on every exit without the lock
// deletes the node again. Lives in the frame of the acquire's coroutine. Scheduler thread.
#pragma once

#include "core/lock/mutex_core.h"

namespace lockscope::lock {

class AcquireOp
{
public:
    AcquireOp(std::shared_ptr<MutexCore> core, OwnerId owner, EventIndex called, std::optional<Duration> limit,
              Cancel cancel);
    ~AcquireOp();
    AcquireOp(const AcquireOp&) = delete;
    AcquireOp& operator=(const AcquireOp&) = delete;

    zk::Awaitable<Result<Hold>> run();
    void stop(ErrorCode why);
    EventIndex cause() const { return m_cause; }       // of the grant, after run()
    bool contended() const { return m_contended; } // somebody was in front, or is behind

private:
    enum class Next { acquired, listAgain, startOver, failed };

    // What handlers of the network reach: it outlives the op, so a late answer finds something to tell.
    struct Shared
    {
        explicit Shared(zk::Scheduler& scheduler) : wake(scheduler) {}
        zk::Signal wake;
        std::optional<ErrorCode> stopped;
        std::uint64_t suspensions = 0;     // any change means: what we knew of the queue may be old
        std::optional<zk::WatchKind> fired; // the watch on the node ahead
        EventIndex firedEvent = EventIndex::none();
        bool ownDeleted = false;           // the watch on our own node said so
        bool ownWatched = false;           // that watch is set and has not fired
    };

    zk::Awaitable<Next> attempt();
    zk::Awaitable<Next> makeNode();
    zk::Awaitable<Next> afterCreateFailed(zk::Code code, EventIndex event);
    zk::Awaitable<Next> recoverNode();
    zk::Awaitable<Next> queueUp();
    zk::Awaitable<Next> listOnce();
    zk::Awaitable<Next> waitBehind();
    zk::Awaitable<Next> readAhead(bool& aheadIsFirst);
    zk::Awaitable<void> giveUpNode();
    zk::Awaitable<void> untilBackOrStopped();
    zk::Awaitable<void> rest(Duration pause); // ends early when the op is stopped
    zk::Awaitable<void> pass(Step step);
    template <class T>
    zk::Awaitable<bool> answered(zk::Pending<T> pending);
    template <class T>
    auto deliver(const zk::Pending<T>& pending) const;

    bool stopped() const { return m_shared->stopped.has_value(); }
    bool gateOpen() const { return !m_core->options.gate || m_core->options.gate->open(); }
    Next fail(ErrorCode code, std::string message, std::string hint = {});
    Next failFor(zk::Code code, const std::string& what);
    Next startOver(std::string why);
    Error stopError() const;
    void watchOwnNode();

    std::shared_ptr<MutexCore> m_core;
    const Wire& m_wire;
    OwnerId m_owner;
    bool m_once;                            // a zero limit: one look, no waiting
    std::shared_ptr<Shared> m_shared;
    zk::Session::ListenerId m_listener = 0;
    zk::Scheduler::TimerId m_timer = 0;

    std::string m_prefix;                   // of this attempt
    std::string m_node;                     // empty until it is known to exist
    bool m_nodeUncertain = false;           // a create with m_prefix may have happened
    Zxid m_token = Zxid::none();
    std::optional<zk::Pending<Answer<Listed>>> m_listSent; // together with the create
    Decision m_decision;
    EventIndex m_cause;                     // of what comes next
    zk::WatchPtr m_aheadWatch;
    zk::WatchPtr m_ownWatch;
    bool m_contended = false;
    std::string m_why;                      // of a start over
    std::optional<Error> m_error;
};

} // namespace lockscope::lock
