#include "core/zk/task.h"

#include <boost/system/system_error.hpp>

#include <new>

namespace lockscope::zk {

namespace {

// A coroutine that destroys its frame at its end.
struct Detached
{
    struct promise_type : detail::TaskPromiseBase
    {
        Detached get_return_object()
        {
            ownFrame = std::coroutine_handle<promise_type>::from_promise(*this);
            return {ownFrame};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<> frame;
};

Detached run(Task<void> task) { co_await std::move(task); }

// The started tasks of this thread that have ended and are not completed yet.
struct EndedTasks
{
    int resumes = 0; // nested calls of resume()
    detail::TaskPromiseBase* first = nullptr;
    detail::TaskPromiseBase* last = nullptr;
};
constinit thread_local EndedTasks endedTasks;

// Every task is completed, also when a handler throws; the first exception leaves.
void completeEnded()
{
    std::exception_ptr thrown;
    while (detail::TaskPromiseBase* ended = endedTasks.first) {
        endedTasks.first = ended->nextEnded;
        UniqueFunction<void()> complete = std::move(ended->whenDone); // destroys the task
        try {
            complete();
        } catch (...) {
            thrown = thrown ? thrown : std::current_exception();
        }
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace

// A handler must not run on top of a coroutine: what it throws would end that coroutine, or the process if it
// has come to its end, and what it destroys may be that coroutine.
void detail::resume(std::coroutine_handle<> coroutine)
{
    struct Nested
    {
        Nested() { ++endedTasks.resumes; }
        ~Nested() { --endedTasks.resumes; }
    };
    {
        const Nested nested;
        coroutine.resume();
    }
    if (endedTasks.resumes == 0 && endedTasks.first)
        completeEnded();
}

// A task that an awaiter of another library has resumed is completed at once; its handler must not throw.
void detail::completeLater(TaskPromiseBase& ended) noexcept
{
    TaskPromiseBase*& place = endedTasks.first ? endedTasks.last->nextEnded : endedTasks.first;
    place = &ended;
    endedTasks.last = &ended;
    if (endedTasks.resumes == 0)
        completeEnded();
}

void detail::abandon(TaskPromiseBase& waiting) noexcept
{
    TaskPromiseBase* outermost = &waiting;
    while (outermost->parent)
        outermost = outermost->parent;
    if (outermost->ownFrame)
        outermost->ownFrame.destroy();
    else
        outermost->abandoned = true;
}

boost::system::error_code detail::codeOf(const std::exception_ptr& failure)
{
    namespace errc = boost::system::errc;
    if (!failure)
        return {};
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return errc::make_error_code(errc::not_enough_memory);
    } catch (const boost::system::system_error& error) {
        return error.code();
    } catch (...) {
        return errc::make_error_code(errc::state_not_recoverable);
    }
}

void startDetached(Task<void> task) { detail::resume(run(std::move(task)).frame); }

} // namespace lockscope::zk
