// Stops or wakes a waiting operation: at its time limit, a cancellation, the end of its session, a
// disconnect. Awaits answers meanwhile. Lives in the frame of the operation. Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/cancel_token.h"
#include "core/lock/internal/recipe_hooks.h"
#include "core/lock/timeouts.h"
#include "core/zk/pending.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace lockscope::lock {

// How a part of an operation ended. proceed: continue with the next part. repeat: do this part again.
// startOver: begin the whole operation again, after a pause. failed: failure() returns the error.
enum class StepResult : std::uint8_t { proceed, repeat, startOver, failed };

class OpControl
{
public:
    // A limit of zero or less is a single try, stopped after timeouts.singleTry. `timeouts` must outlive it.
    OpControl(zk::SessionPtr session, std::optional<Duration> limit, const CancelToken& cancel,
              StepGate* gate, const Timeouts& timeouts = kDefaultTimeouts);
    ~OpControl();
    OpControl(const OpControl&) = delete;
    OpControl& operator=(const OpControl&) = delete;

    // Shared with handlers; outlives the operation, so that a late answer is harmless.
    struct Shared
    {
        explicit Shared(zk::Scheduler& scheduler)
            : wake(scheduler)
        {}
        void stop(ErrorCode why);
        zk::Signal wake;
        std::optional<ErrorCode> stopped;
        std::uint64_t suspensions = 0; // a change means that our view of the server may be out of date
    };
    const std::shared_ptr<Shared>& shared() const { return m_shared; }

    bool stopped() const { return m_shared->stopped.has_value(); }
    bool isTimedOut() const { return m_shared->stopped == ErrorCode::timedOut; }
    void stop(ErrorCode why) { m_shared->stop(why); }
    bool isSingleTry() const { return m_isSingleTry; }
    const Timeouts& timeouts() const { return m_timeouts; }
    bool isGateOpen() const { return !m_gate || m_gate->open(); }
    std::uint64_t suspensions() const { return m_shared->suspensions; }
    zk::Session& session() const { return *m_session; }
    EventIndex cause() const { return m_cause; } // of the next request or event
    // The seed for the pauses of a Retry: different for each client, and for each owner on its session.
    std::uint64_t pauseSeed(OwnerId owner) const
    {
        return static_cast<std::uint64_t>(m_session->id().value) ^ std::uint64_t{owner.value} << 48U;
    }
    void setCause(EventIndex event) { m_cause = event; }

    // A handler for a session: stores the answer and resumes the operation at once.
    template <class T>
    auto deliver(const zk::Pending<T>& pending) const
    {
        return [store = pending.handler(), shared = m_shared](T value) mutable {
            store(std::move(value));
            shared->wake.wakeNow();
        };
    }
    // co_await: waits for the answer or a stop; afterwards pending.ready() is true if the answer has arrived.
    template <class T>
    auto answered(const zk::Pending<T>& pending) const
    {
        return m_shared->wake.until([this, &pending] { return pending.ready() || stopped(); });
    }
    auto woken() const { return m_shared->wake.next(); } // co_await, then check the condition again
    zk::Task<void> waitUntilConnectedOrStopped();
    zk::Task<void> pauseFor(Duration pause); // ends early when the operation is stopped
    // Check isGateOpen() first where speed matters: that saves a coroutine.
    zk::Task<void> pass(GateStep step);

    // ---- why the operation ends or starts over ----
    StepResult fail(ErrorCode code, Message message, Message hint = {});
    StepResult fail(Error error);
    // Fails after a refusal that a retry would not change. `what`: the request, such as "list the children of
    // /a"; `right`: the permission that it needs on `node`.
    StepResult failRequest(zk::Code code, const Message& what, const std::string& node, const char* right);
    StepResult startOver(Message reason);
    const Message& startOverReason() const { return m_startOverReason; }
    const std::optional<Error>& error() const { return m_error; }
    // The error of a stopped operation on the lock `path`.
    Error stopError(const std::string& path) const;
    // The error of an operation that failed, or that gave up starting over.
    Error failure(const std::string& path) const;

private:
    zk::SessionPtr m_session;
    StepGate* m_gate;
    const Timeouts& m_timeouts;
    CancelToken m_cancel;
    bool m_isSingleTry;
    EventIndex m_cause = EventIndex::none();
    std::shared_ptr<Shared> m_shared;
    zk::Session::ListenerId m_sessionListener = 0;
    CancelToken::ListenerId m_cancelListener = 0;
    zk::Scheduler::TimerId m_timer = 0;
    Message m_startOverReason; // of the latest startOver()
    std::optional<Error> m_error;
};

// Registers a waiting operation in a set while this object exists, so that others can wake or stop it.
class Waiting
{
public:
    Waiting(std::set<OpControl*>& all, OpControl& control)
        : m_all(all)
        , m_control(&control)
    {
        m_all.insert(m_control);
    }
    ~Waiting() { m_all.erase(m_control); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    std::set<OpControl*>& m_all;
    OpControl* m_control;
};

// Waits until the gate lets the step pass; for work that cannot be stopped.
zk::Task<void> passGate(StepGate* gate, GateStep step);

// Suspends the caller until the loop has run what is ready. The session must not be over.
zk::Task<void> nextTurn(zk::SessionPtr session);

} // namespace lockscope::lock
