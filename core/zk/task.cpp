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
            return {};
        }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};

Detached run(Task<void> task) { co_await std::move(task); }

} // namespace

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

void startDetached(Task<void> task) { run(std::move(task)); }

} // namespace lockscope::zk
