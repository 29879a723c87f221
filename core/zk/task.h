// Task<T>: the coroutine type of the recipes. It starts when another task awaits it, or when it is called
// with a completion token of Asio (a "started task"): it is an asynchronous operation with the signature
// void(error_code, T), where the code reports an exception (recipes throw only bad_alloc). A Task<Result<T>>
// has that signature, too: the code is that of its error. asResult() gives the Result, with the text of the
// error: void(error_code, Result<T>). Coroutines of Asio await both in the same way, so that an error of
// the former is thrown. A cancellation slot of the handler cancels it if onCancel() was called; it still
// runs to its end. Lighter than boost::asio::awaitable: frames are recycled, and a wait needs no frame. Await
// it once. A task that never starts (a deferred operation that is dropped) destroys its frame with itself. A
// started task owns itself while it waits; when the event it waits for can no longer happen, it is destroyed
// with all tasks that it awaits (abandon). The handler runs when no coroutine of this kind is on the stack
// any more: on its associated executor, or, when it has none, on the scheduler thread; what it throws leaves
// the function that resumed the task, and so reaches the scheduler. Scheduler thread.
#pragma once

#include "core/base/error_code.h"
#include "core/base/recycled.h"
#include "core/base/unique_function.h"
#include "core/zk/scheduler.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/system/error_code.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lockscope::zk {

template <class T>
class Task;

namespace detail {

struct TaskPromiseBase;

// Resumes a coroutine. Started tasks that end meanwhile are completed when the outermost of nested calls
// returns.
void resume(std::coroutine_handle<> coroutine);
// A started task has ended: completes it when the outermost resume() returns.
void completeLater(TaskPromiseBase& ended) noexcept;

struct TaskPromiseBase : Recycled
{
    std::coroutine_handle<> caller;    // resumed when this task is done; null for a started task
    TaskPromiseBase* parent = nullptr; // promise of the caller, if that is a task
    UniqueFunction<void()> whenDone;   // of a started task: destroys it and calls the handler
    TaskPromiseBase* nextEnded = nullptr;
    UniqueFunction<void()> cancel;    // see Task::onCancel()
    Scheduler* scheduler = nullptr;   // see Task::onScheduler()
    std::coroutine_handle<> ownFrame; // of a started task, while it waits
    bool abandoned = false;           // abandoned before it owned itself
    std::exception_ptr failure;

    struct Final
    {
        bool await_ready() noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept
        {
            TaskPromiseBase& promise = done.promise();
            if (promise.caller)
                return promise.caller;
            if (promise.whenDone)
                completeLater(promise);
            return std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }
};

// Destroys the waiting task and all tasks that await it, if the outermost of them owns itself. Otherwise the
// outermost is only marked, and its owner destroys it.
void abandon(TaskPromiseBase& waiting) noexcept;

// The promise of a task; null for a coroutine of another type.
template <class Promise>
TaskPromiseBase* taskOf(std::coroutine_handle<Promise> coroutine) noexcept
{
    if constexpr (std::is_base_of_v<TaskPromiseBase, Promise>)
        return &coroutine.promise();
    else
        return nullptr;
}

template <class T>
struct TaskPromise : TaskPromiseBase
{
    std::optional<T> value;

    Task<T> get_return_object();
    template <class U>
    void return_value(U&& result)
    {
        value.emplace(std::forward<U>(result));
    }
    T take()
    {
        if (failure)
            std::rethrow_exception(failure);
        return std::move(*value);
    }
};

template <>
struct TaskPromise<void> : TaskPromiseBase
{
    Task<void> get_return_object();
    void return_void() {}
    void take()
    {
        if (failure)
            std::rethrow_exception(failure);
    }
};

boost::system::error_code codeOf(const std::exception_ptr& failure); // no error for null

// The arguments of the handler of a task that has ended: the code of its exception, and its value.
template <class T>
struct Whole
{
    using Signature = void(boost::system::error_code, T);
    static std::tuple<boost::system::error_code, T> of(TaskPromise<T>& ended)
    {
        const boost::system::error_code error = codeOf(ended.failure);
        return {error, error ? T() : std::move(*ended.value)};
    }
};
template <>
struct Whole<void>
{
    using Signature = void(boost::system::error_code);
    static std::tuple<boost::system::error_code> of(TaskPromise<void>& ended)
    {
        return {codeOf(ended.failure)};
    }
};
// The same, or the code of the error of a Result, and its value.
template <class T>
struct ByCode : Whole<T>
{};
template <class T>
boost::system::error_code codeOf(const TaskPromise<Result<T>>& ended)
{
    if (ended.failure)
        return codeOf(ended.failure);
    return *ended.value ? boost::system::error_code() : toErrorCode(ended.value->error().code);
}
template <class T>
struct ByCode<Result<T>>
{
    using Signature = void(boost::system::error_code, T);
    static std::tuple<boost::system::error_code, T> of(TaskPromise<Result<T>>& ended)
    {
        const boost::system::error_code error = codeOf(ended);
        return {error, error ? T() : std::move(**ended.value)};
    }
};
template <>
struct ByCode<Result<void>>
{
    using Signature = void(boost::system::error_code);
    static std::tuple<boost::system::error_code> of(TaskPromise<Result<void>>& ended)
    {
        return {codeOf(ended)};
    }
};

// Lets the cancellation slot of the handler, if it has one, cancel the task.
template <class Handler>
void connectCancellation(TaskPromiseBase& promise, const Handler& handler)
{
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    if (!promise.cancel || !slot.is_connected())
        return;
    slot.assign([cancel = std::move(promise.cancel)](boost::asio::cancellation_type type) mutable {
        if (type != boost::asio::cancellation_type::none)
            cancel();
    });
}

// The arguments of the handler of a task that has ended. Destroys the task.
template <class Arguments, class T>
auto takeResult(Task<T> task)
{
    return Arguments::of(task.promise());
}

template <class Handler>
void disconnectCancellation(const Handler& handler)
{
    if (auto slot = boost::asio::get_associated_cancellation_slot(handler); slot.is_connected())
        slot.clear();
}

template <class Handler>
using ExecutorOf = boost::asio::associated_executor_t<Handler>;
// Handlers without an associated executor have the system's.
template <class Handler>
inline constexpr bool kHasExecutor = !std::is_same_v<ExecutorOf<Handler>, boost::asio::system_executor>;

// Keeps the executor of a handler busy while its operation waits. Coroutines of Asio, whose executor is an
// any_io_executor, do that themselves.
template <class Handler>
auto workOf(const Handler& handler)
{
    if constexpr (kHasExecutor<Handler> && !std::is_same_v<ExecutorOf<Handler>, boost::asio::any_io_executor>)
        return boost::asio::make_work_guard(boost::asio::get_associated_executor(handler));
    else
        return nullptr;
}

template <class Handler, class Result>
auto bound(Handler handler, Result result)
{
    return [handler = std::move(handler), result = std::move(result)]() mutable {
        std::apply(std::move(handler), std::move(result));
    };
}

// Completes a task that has waited. On the executor of the handler, which is nearly always that of the
// scheduler: then the handler is called within this call.
template <class Handler, class Result>
void dispatchResult(Handler handler, Result result)
{
    if constexpr (kHasExecutor<Handler>) {
        const auto executor = boost::asio::get_associated_executor(handler);
        boost::asio::dispatch(executor, bound(std::move(handler), std::move(result)));
    } else {
        std::apply(std::move(handler), std::move(result));
    }
}

// Completes a task that had nothing to wait for: not within the function that started it, so that coroutines
// in a loop do not pile up on the stack. A handler without an executor is called at once when the task has no
// scheduler.
template <class Handler, class Result>
void postResult(Scheduler* scheduler, Handler handler, Result result)
{
    if constexpr (kHasExecutor<Handler>) {
        const auto executor = boost::asio::get_associated_executor(handler);
        boost::asio::post(executor, bound(std::move(handler), std::move(result)));
    } else if (scheduler) {
        scheduler->post(bound(std::move(handler), std::move(result)));
    } else {
        std::apply(std::move(handler), std::move(result));
    }
}

// Runs `task` up to its first wait.
template <class Arguments, class T, class Handler>
void startTask(Task<T> task, Handler handler)
{
    connectCancellation(task.promise(), handler);
    resume(task.frame());
    TaskPromise<T>& promise = task.promise();
    if (task.frame().done()) {
        disconnectCancellation(handler);
        // The result keeps nothing alive that the scheduler, which may have ended, would have to outlive.
        Scheduler* scheduler = promise.scheduler;
        auto result = takeResult<Arguments>(std::move(task));
        postResult(scheduler, std::move(handler), std::move(result));
        return;
    }
    if (promise.abandoned)
        return;
    promise.ownFrame = task.frame();
    promise.whenDone = [frame = task.release(), work = workOf(handler),
                        handler = std::move(handler)]() mutable {
        disconnectCancellation(handler);
        auto result = takeResult<Arguments>(Task<T>(frame));
        dispatchResult(std::move(handler), std::move(result));
    };
}

// Starts a task for an asynchronous operation of Asio, or destroys it when the operation is never launched. A
// class and not a lambda, because gcc 12 destroys the captures of a temporary closure in a co_await
// expression twice (gcc bug 99576). A copy takes the task over: up to Boost 1.83 `deferred` copies what
// begins its operation, which begins once.
template <class Arguments, class T>
class Launch
{
public:
    explicit Launch(Task<T> task)
        : m_task(std::move(task))
    {}
    Launch(const Launch& other)
        : m_task(std::move(other.m_task))
    {}
    Launch(Launch&&) noexcept = default;
    template <class Handler>
    void operator()(Handler&& handler)
    {
        startTask<Arguments, T>(std::move(m_task), std::forward<Handler>(handler));
    }

private:
    mutable Task<T> m_task;
};

template <class Arguments, class T, class Token>
auto launch(Task<T> task, Token&& token)
{
    return boost::asio::async_initiate<Token, typename Arguments::Signature>(
        Launch<Arguments, T>(std::move(task)), token);
}

// See Task::asResult().
template <class T>
class [[nodiscard]] WholeTask
{
public:
    explicit WholeTask(Task<T> task)
        : m_task(std::move(task))
    {}
    template <boost::asio::completion_token_for<typename Whole<T>::Signature> Token>
    auto operator()(Token&& token) &&
    {
        return launch<Whole<T>>(std::move(m_task), std::forward<Token>(token));
    }

private:
    Task<T> m_task;
};

} // namespace detail

template <class T>
class [[nodiscard]] Task
{
public:
    using value_type = T;
    using promise_type = detail::TaskPromise<T>;
    using Frame = std::coroutine_handle<promise_type>;

    explicit Task(Frame frame)
        : m_frame(frame)
    {}
    Task(Task&& other) noexcept
        : m_frame(std::exchange(other.m_frame, nullptr))
    {}
    Task& operator=(Task&&) = delete;
    ~Task()
    {
        if (m_frame)
            m_frame.destroy();
    }

    // For the function that creates the task. `cancel` is called on the scheduler thread at each
    // cancellation, even when the task has already ended; it should make the task end soon.
    void onCancel(UniqueFunction<void()> cancel) { m_frame.promise().cancel = std::move(cancel); }
    // For the function that creates the task: the scheduler on which a handler without an executor is called.
    // It must live as long as the parameters of the coroutine.
    Task onScheduler(Scheduler& scheduler) &&
    {
        m_frame.promise().scheduler = &scheduler;
        return std::move(*this);
    }

    // Awaited by another task.
    struct Awaiter
    {
        Frame frame;
        bool await_ready() noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) noexcept
        {
            frame.promise().caller = caller;
            frame.promise().parent = detail::taskOf(caller);
            return frame;
        }
        T await_resume() { return frame.promise().take(); }
    };
    Awaiter operator co_await() && { return {m_frame}; }

    // Starts the task as an asynchronous operation of Asio; coroutines of Asio await it in this way.
    template <boost::asio::completion_token_for<typename detail::ByCode<T>::Signature> Token>
    auto operator()(Token&& token) &&
    {
        return detail::launch<detail::ByCode<T>>(std::move(*this), std::forward<Token>(token));
    }
    // The same operation, which completes with the Result instead of a code: `co_await lock.acquire(owner)`
    // throws in a coroutine of Asio, and `co_await lock.acquire(owner).asResult()` does not.
    auto asResult() && { return detail::WholeTask<T>(std::move(*this)); }

    // ---- for starting it ----
    Frame frame() const { return m_frame; }
    promise_type& promise() const { return m_frame.promise(); }
    Frame release() { return std::exchange(m_frame, nullptr); } // the caller owns it

private:
    Frame m_frame;
};

template <class T>
Task<T> detail::TaskPromise<T>::get_return_object()
{
    return Task<T>(Task<T>::Frame::from_promise(*this));
}

inline Task<void> detail::TaskPromise<void>::get_return_object()
{
    return Task<void>(Task<void>::Frame::from_promise(*this));
}

// Starts the task now; it must own the objects that it uses. Its exceptions are dropped, but not those of
// handlers that it completes.
void startDetached(Task<void> task);

} // namespace lockscope::zk
