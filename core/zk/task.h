// Task<T>: the coroutine type of the recipes. It starts when another task awaits it, or when it is called with a
// completion token of Asio (a "started task"): it is an asynchronous operation with the signature
// void(error_code, T), where the code reports an exception (recipes throw only bad_alloc). Coroutines of Asio await it
// in the same way. A cancellation slot of the handler cancels it if onCancel() was called; it still runs to its end.
// Lighter than boost::asio::awaitable: frames are recycled, and a wait needs no frame. Await it once. A started task
// owns itself while it waits; when the event it waits for can no longer happen, it is destroyed with all tasks that
// it awaits (abandon). Scheduler thread.
#pragma once

#include "core/base/recycled.h"
#include "core/base/unique_function.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/system/error_code.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace lockscope::zk {

template <class T>
class Task;

namespace detail {

struct TaskPromiseBase : Recycled
{
    std::coroutine_handle<> caller;    // resumed when this task is done; null for a started task
    TaskPromiseBase* parent = nullptr; // promise of the caller, if that is a task
    UniqueFunction<void()> whenDone;   // of a started task; may destroy it
    UniqueFunction<void()> cancel;     // see Task::onCancel()
    std::coroutine_handle<> ownFrame;  // of a started task, while it waits
    bool abandoned = false;            // abandoned before it owned itself
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
            if (UniqueFunction<void()> after = std::move(promise.whenDone))
                after();
            return std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }
};

// Destroys the waiting task and all tasks that await it, if the outermost of them owns itself. Otherwise the outermost
// is only marked, and its owner destroys it.
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

template <class T>
struct TaskSignature
{
    using Type = void(boost::system::error_code, T);
};
template <>
struct TaskSignature<void>
{
    using Type = void(boost::system::error_code);
};

boost::system::error_code codeOf(const std::exception_ptr& failure); // no error for null

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

// Destroys the frame and passes its result to the handler.
template <class T, class Handler>
void deliverResult(std::coroutine_handle<TaskPromise<T>> done, Handler& handler)
{
    const boost::system::error_code error = codeOf(done.promise().failure);
    if (auto slot = boost::asio::get_associated_cancellation_slot(handler); slot.is_connected())
        slot.clear();
    if constexpr (std::is_void_v<T>) {
        done.destroy();
        std::move(handler)(error);
    } else {
        T value = error ? T() : std::move(*done.promise().value);
        done.destroy();
        std::move(handler)(error, std::move(value));
    }
}

// Runs `task` up to its first wait. If it does not wait, the handler is called through its executor, so that
// coroutines in a loop do not pile up on the stack; a handler without an executor is called at once.
template <class T, class Handler>
void startTask(std::coroutine_handle<TaskPromise<T>> task, Handler&& handler)
{
    connectCancellation(task.promise(), handler);
    task.resume();
    if (!task.done()) {
        if (task.promise().abandoned) {
            task.destroy();
            return;
        }
        task.promise().ownFrame = task;
        task.promise().whenDone = [task, handler = std::forward<Handler>(handler)]() mutable {
            auto completionHandler = std::move(handler); // the frame that holds this lambda is destroyed
            deliverResult<T>(task, completionHandler);
        };
        return;
    }
    const auto executor = boost::asio::get_associated_executor(handler);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(executor)>, boost::asio::system_executor>)
        deliverResult<T>(task, handler);
    else
        boost::asio::post(executor, [task, handler = std::forward<Handler>(handler)]() mutable {
            deliverResult<T>(task, handler);
        });
}

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

    // For the function that creates the task. `cancel` is called on the scheduler thread at each cancellation, even
    // when the task has already ended; it should make the task end soon.
    void onCancel(UniqueFunction<void()> cancel) { m_frame.promise().cancel = std::move(cancel); }

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

    // Starts the task as an asynchronous operation of Asio; coroutines of Asio await it in this way. The captures of
    // the lambda are trivial on purpose (gcc bug 99576).
    template <boost::asio::completion_token_for<typename detail::TaskSignature<T>::Type> Token>
    auto operator()(Token&& token) &&
    {
        return boost::asio::async_initiate<Token, typename detail::TaskSignature<T>::Type>(
            [frame = std::exchange(m_frame, nullptr)](auto&& handler) {
                detail::startTask<T>(frame, std::forward<decltype(handler)>(handler));
            },
            token);
    }

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

// Starts the task now; it must own the objects that it uses. Its exceptions are dropped.
void startDetached(Task<void> task);

} // namespace lockscope::zk
