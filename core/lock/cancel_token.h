// Cancels waiting acquires; one token may be passed to several. Copies share one state. Scheduler thread.
#pragma once

#include "core/base/listeners.h"
#include "core/zk/task.h"

#include <memory>

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
    explicit LinkedCancelToken(CancelToken callers, CancelToken own = CancelToken());
    ~LinkedCancelToken() { m_callers.removeListener(m_listener); }
    LinkedCancelToken(const LinkedCancelToken&) = delete;
    LinkedCancelToken& operator=(const LinkedCancelToken&) = delete;

    const CancelToken& get() const { return m_own; }
    void request() const { m_own.request(); }

private:
    CancelToken m_callers;
    CancelToken m_own;
    CancelToken::ListenerId m_listener = 0;
};

// Connects Asio's cancellation slots: a cancellation of `task` requests `token`.
template <class T>
zk::Task<T> cancelledBy(const CancelToken& token, zk::Task<T> task)
{
    task.onCancel([token] { token.request(); });
    return task;
}

} // namespace lockscope::lock
