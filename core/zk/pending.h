// Awaiting things: Pending<T> is an answer that is under way, so that two requests can be sent together and then
// awaited one after the other; Signal is an auto-reset wake-up for one sleeper. Scheduler thread only.
// A value that arrives resumes its coroutine through Scheduler::post, never inside the network code.
#pragma once

#include "core/zk/session.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace lockscope::zk {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

// Suspends the caller; calling `waiter` resumes it. What the lambda captures is trivial on purpose: gcc 12 destroys the
// captures of a temporary closure in a co_await expression twice (gcc bug 99576).
inline Awaitable<void> suspend(UniqueFunction<void()>& waiter)
{
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [place = &waiter](auto&& resume) { *place = std::forward<decltype(resume)>(resume); },
        boost::asio::use_awaitable);
}

template <class T>
class Pending
{
public:
    Pending() : m_state(std::make_shared<State>()) {}

    // The handler to hand to a session. Call it once.
    auto handler() const
    {
        return [state = m_state](T value) { state->deliver(std::move(value)); };
    }

    bool ready() const { return m_state->value.has_value(); }
    T take() const { return std::move(*m_state->value); } // once, when it is ready

    // Await it once.
    Awaitable<T> get() const
    {
        std::shared_ptr<State> state = m_state;
        if (state->value)
            co_return std::move(*state->value);
        co_await suspend(state->waiter);
        co_return std::move(*state->value);
    }

private:
    struct State
    {
        std::optional<T> value;
        UniqueFunction<void()> waiter;
        void deliver(T arrived)
        {
            value.emplace(std::move(arrived));
            if (waiter)
                std::exchange(waiter, nullptr)();
        }
    };
    std::shared_ptr<State> m_state;
};

// notify() wakes the sleeper, or lets the next wait() pass at once. Several notifies before a wait are one.
class Signal
{
public:
    explicit Signal(Scheduler& scheduler) : m_state(std::make_shared<State>(State{&scheduler, false, {}})) {}

    void notify() const { m_state->notify(m_state); }
    // A copyable function that notifies, also after the Signal is gone.
    auto notifier() const
    {
        return [state = m_state] { state->notify(state); };
    }

    Awaitable<void> wait() const
    {
        std::shared_ptr<State> state = m_state;
        if (!state->raised)
            co_await suspend(state->waiter);
        state->raised = false;
    }

private:
    struct State
    {
        Scheduler* scheduler;
        bool raised;
        UniqueFunction<void()> waiter;
        void notify(const std::shared_ptr<State>& self)
        {
            raised = true;
            if (waiter)
                scheduler->post([self, wake = std::exchange(self->waiter, nullptr)]() mutable { wake(); });
        }
    };
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::zk
