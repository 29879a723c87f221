// A wish to give up a waiting acquire; give it to one or more acquires. Copies are the same wish. Scheduler
// thread.
#pragma once

#include "core/base/listeners.h"

#include <memory>

namespace lockscope::lock {

class CancelToken
{
public:
    using ListenerId = lockscope::ListenerId;

    CancelToken()
        : m_state(std::make_shared<State>())
    {}
    static CancelToken never() { return CancelToken(nullptr); } // cannot be requested; costs nothing

    void request() const;
    bool isRequested() const { return m_state && m_state->isRequested; }

    // For those who wait: `told` is called when it is requested.
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

// A cancel of an operation's own, requested when the caller's is.
class LinkedCancelToken
{
public:
    explicit LinkedCancelToken(CancelToken callers);
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

} // namespace lockscope::lock
