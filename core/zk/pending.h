// Pending<T> is a reply that may still be on its way, so that two requests can be sent together and awaited
// in turn. Signal is an auto-reset wake-up for one sleeper. A coroutine that waits for a reply whose handler
// is destroyed, or for a Signal whose scheduler ends, is destroyed. Scheduler thread. Sessions never call
// handlers inside the network code, so an arriving reply resumes its coroutine directly.
#pragma once

#include "core/zk/session.h"
#include "core/zk/task.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace lockscope::zk {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

// What a coroutine of either kind returns, in a coroutine of Asio: `co_await asResult(...)`.
template <class T>
auto asResult(Task<T> task)
{
    return std::move(task).asResult();
}
template <class T>
Awaitable<T> asResult(Awaitable<T> coroutine)
{
    return coroutine;
}

// Suspends the caller; calling `waiter` resumes it. The captures of the lambda are trivial on purpose: gcc 12
// destroys the captures of a temporary closure in a co_await expression twice (gcc bug 99576).
inline Awaitable<void> suspend(UniqueFunction<void()>& waiter)
{
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [place = &waiter](auto&& resume) { *place = std::forward<decltype(resume)>(resume); },
        boost::asio::use_awaitable);
}

// Destroys the caller: the event that it waits for can no longer happen.
inline Awaitable<void> endCaller()
{
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [](auto&&) {}, boost::asio::use_awaitable);
}

// At most one waiting coroutine.
class Waiter
{
public:
    // `resume` owns a coroutine of Asio, or resumes a task.
    UniqueFunction<void()> resume;
    detail::TaskPromiseBase* task = nullptr;

    explicit operator bool() const { return static_cast<bool>(resume); }
    void wake()
    {
        task = nullptr;
        std::exchange(resume, nullptr)();
    }
    void forget()
    {
        task = nullptr;
        resume = nullptr;
    }
    // The owner must not be used afterwards: it may be destroyed.
    void abandon() noexcept
    {
        const UniqueFunction<void()> gone = std::exchange(resume, nullptr);
        if (detail::TaskPromiseBase* waiting = std::exchange(task, nullptr))
            detail::abandon(*waiting);
    }
};

template <class T>
class Pending
{
    struct State;

public:
    Pending()
        : m_state(makeRecycled<State>())
    {}

    // The handler to pass to a session. Call it once; destroying it uncalled means that there will be no
    // reply.
    class Handler
    {
    public:
        explicit Handler(std::shared_ptr<State> state)
            : m_state(std::move(state))
        {}
        Handler(Handler&&) noexcept = default;
        Handler& operator=(Handler&&) = delete;
        ~Handler()
        {
            if (const auto state = std::move(m_state))
                state->abandon();
        }
        void operator()(T value) const
        {
            const auto state = std::move(m_state);
            state->deliver(std::move(value));
        }

    private:
        mutable std::shared_ptr<State> m_state;
    };
    Handler handler() const { return Handler(m_state); }

    bool ready() const { return m_state->value.has_value(); }
    const T& peek() const { return *m_state->value; }     // when ready()
    T take() const { return std::move(*m_state->value); } // once, when ready()

    // Awaits the reply once, in a coroutine of Asio.
    Awaitable<T> get() const
    {
        std::shared_ptr<State> state = m_state;
        if (state->value)
            co_return std::move(*state->value);
        if (state->abandoned)
            co_await endCaller();
        co_await suspend(state->waiter.resume);
        co_return std::move(*state->value);
    }

    // Awaits the reply once, in a Task: `co_await pending.arrival()`.
    class Arrival;
    Arrival arrival() const { return Arrival(m_state); }

private:
    struct State
    {
        std::optional<T> value;
        Waiter waiter;
        bool abandoned = false;
        void deliver(T arrived)
        {
            value.emplace(std::move(arrived));
            if (waiter)
                waiter.wake();
        }
        void abandon() noexcept
        {
            abandoned = true;
            waiter.abandon();
        }
    };
    std::shared_ptr<State> m_state;
};

// Unregisters a task that is destroyed while it waits.
template <class T>
class Pending<T>::Arrival
{
public:
    explicit Arrival(std::shared_ptr<State> state)
        : m_state(std::move(state))
    {}
    Arrival(const Arrival&) = delete;
    Arrival& operator=(const Arrival&) = delete;
    ~Arrival()
    {
        if (m_waits)
            m_state->waiter.forget();
    }
    bool await_ready() const noexcept { return m_state->value.has_value(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> coroutine)
    {
        m_waits = true;
        m_state->waiter.resume = [coroutine] { detail::resume(coroutine); };
        m_state->waiter.task = detail::taskOf(coroutine);
        if (m_state->abandoned) {
            const auto state = m_state; // this awaiter may be destroyed with the coroutine
            state->waiter.abandon();
        }
    }
    T await_resume()
    {
        m_waits = false;
        return std::move(*m_state->value);
    }

private:
    std::shared_ptr<State> m_state;
    bool m_waits = false;
};

// notify() wakes the sleeper, or lets the next wait return at once. Several notifications before a wait count
// as one.
class Signal
{
    struct State final : Sleeper
    {
        Scheduler* scheduler;
        bool raised = false;
        bool posted = false; // a wake-up is on its way
        Waiter waiter;

        explicit State(Scheduler& s)
            : scheduler(&s)
        {}
        void notify(const std::shared_ptr<State>& self)
        {
            raised = true;
            if (!waiter || std::exchange(posted, true))
                return;
            scheduler->post([self] {
                self->posted = false;
                if (self->raised)
                    self->wakeNow();
            });
        }
        void wakeNow()
        {
            raised = true;
            unlink();
            if (waiter)
                waiter.wake();
        }
        void sleep() { scheduler->sleepers().push_back(*this); }
        void forget()
        {
            unlink();
            waiter.forget();
        }
        void abandon() noexcept override
        {
            unlink();
            waiter.abandon();
        }
    };

public:
    explicit Signal(Scheduler& scheduler)
        : m_state(makeRecycled<State>(scheduler))
    {}

    void notify() const { m_state->notify(m_state); }
    // Resumes the sleeper within this call. Use it only where the caller has finished its own work, as in
    // session handlers.
    void wakeNow() const { m_state->wakeNow(); }
    // A copyable function that notifies, even after the Signal is destroyed.
    auto notifier() const
    {
        return [state = m_state] { state->notify(state); };
    }

    // Waits in a coroutine of Asio.
    Awaitable<void> wait() const
    {
        std::shared_ptr<State> state = m_state;
        if (!state->raised) {
            state->sleep();
            co_await suspend(state->waiter.resume);
        }
        state->raised = false;
    }

    // Waits in a Task: co_await signal.until(condition). The condition is checked before the wait and at each
    // wake-up without resuming the task; the objects that it refers to must outlive the wait.
    template <class Condition>
    class Until
    {
    public:
        Until(std::shared_ptr<State> state, Condition condition)
            : m_state(std::move(state))
            , m_condition(condition)
        {}
        Until(const Until&) = delete;
        Until& operator=(const Until&) = delete;
        ~Until()
        {
            if (m_waits)
                m_state->forget(); // the task is destroyed while it waits
        }
        bool await_ready() const { return m_condition(); }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> coroutine)
        {
            m_coroutine = coroutine;
            m_task = detail::taskOf(coroutine);
            m_waits = true;
            sleep();
        }
        void await_resume() { m_state->raised = false; }

    private:
        void sleep()
        {
            m_state->raised = false;
            m_state->waiter.resume = [this] { check(); };
            m_state->waiter.task = m_task;
            m_state->sleep();
        }
        void check()
        {
            if (!m_condition()) {
                sleep();
                return;
            }
            m_waits = false;
            detail::resume(m_coroutine);
        }

        std::shared_ptr<State> m_state;
        Condition m_condition;
        std::coroutine_handle<> m_coroutine;
        detail::TaskPromiseBase* m_task = nullptr;
        bool m_waits = false;
    };
    template <class Condition>
    Until<Condition> until(Condition condition) const
    {
        return Until<Condition>(m_state, condition);
    }
    auto next() const // waits in a Task for one notification
    {
        return until([state = m_state.get()] { return state->raised; });
    }

private:
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::zk
