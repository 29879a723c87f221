// Cancels waiting acquires; one token may be passed to several. Copies share one state. Scheduler thread.
#pragma once

#include "core/base/listeners.h"
#include "core/zk/task.h"

#include <memory>
#include <utility>

namespace lockscope::lock {

class CancelToken
{
public:
    using ListenerId = lockscope::ListenerId;

    CancelToken()
        : m_state(makeRecycled<State>())
    {}
    static CancelToken never() { return CancelToken(nullptr); } // must not be requested; costs nothing

    void request() const;
    bool isRequested() const { return m_state && m_state->isRequested; }

    // `callback` is called once, when cancellation is requested; not if it was requested before: check
    // isRequested().
    ListenerId addListener(UniqueFunction<void()> callback) const;
    void removeListener(ListenerId listener) const;

private:
    struct State
    {
        bool isRequested = false;
        Listeners<> listeners;
    };
    explicit CancelToken(std::shared_ptr<State> state)
        : m_state(std::move(state))
    {}
    std::shared_ptr<State> m_state;
};

// The token of one operation; it is also cancelled when the caller's token is.
class LinkedCancelToken
{
public:
    explicit LinkedCancelToken(CancelToken callers);
    ~LinkedCancelToken() { m_callers.removeListener(m_listener); }
    LinkedCancelToken(LinkedCancelToken&& other) noexcept
        : m_callers(std::exchange(other.m_callers, CancelToken::never()))
        , m_own(other.m_own)
        , m_listener(std::exchange(other.m_listener, 0))
    {}
    LinkedCancelToken& operator=(LinkedCancelToken&&) = delete;

    const CancelToken& get() const { return m_own; }
    void request() const { m_own.request(); }

private:
    CancelToken m_callers;
    CancelToken m_own;
    CancelToken::ListenerId m_listener = 0;
};

// The task that `begin` makes with a token of its own, which is requested when the caller's token is, and
// when the cancellation slot of the task's handler is signalled.
template <class Begin>
auto cancellable(zk::Scheduler& scheduler, CancelToken callers, Begin begin)
{
    LinkedCancelToken linked(std::move(callers));
    const CancelToken own = linked.get();
    auto task = begin(std::move(linked));
    task.onCancel([own] { own.request(); });
    return std::move(task).onScheduler(scheduler);
}

} // namespace lockscope::lock
