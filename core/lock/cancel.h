// A wish to give up a waiting acquire; give it to one or more acquires. Copies are the same wish. Scheduler
// thread.
#pragma once

#include "core/base/listeners.h"

#include <memory>

namespace lockscope::lock {

class Cancel
{
public:
    using ListenerId = lockscope::ListenerId;

    Cancel()
        : m_state(std::make_shared<State>())
    {}
    static Cancel never() { return Cancel(nullptr); } // cannot be requested; costs nothing

    void request() const;
    bool requested() const { return m_state && m_state->requested; }

    // For those who wait: `told` is called when it is requested.
    ListenerId listen(UniqueFunction<void()> told) const;
    void unlisten(ListenerId listener) const;

private:
    struct State
    {
        bool requested = false;
        Listeners<> listeners;
    };
    explicit Cancel(std::shared_ptr<State> state)
        : m_state(std::move(state))
    {}
    std::shared_ptr<State> m_state;
};

// A cancel of an operation's own, requested when the caller's is.
class LinkedCancel
{
public:
    explicit LinkedCancel(Cancel callers);
    ~LinkedCancel() { m_callers.unlisten(m_listener); }
    LinkedCancel(const LinkedCancel&) = delete;
    LinkedCancel& operator=(const LinkedCancel&) = delete;

    const Cancel& get() const { return m_own; }
    void request() const { m_own.request(); }

private:
    Cancel m_callers;
    Cancel m_own;
    Cancel::ListenerId m_listener = 0;
};

} // namespace lockscope::lock
