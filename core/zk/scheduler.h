// Where recipes run: one thread, a queue of ready functions, timers, and a clock. The real one is the C client's
// hub; the in-memory ensemble has one with a virtual clock, so that the same recipe runs in both.
// Every function is called on the scheduler's own thread.
#pragma once

#include "core/base/time.h"
#include "core/base/unique_function.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace lockscope::zk {

// A coroutine that waits for a Signal.
class Sleeper
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>
{
public:
    virtual void
    abandon() noexcept = 0; // it will never be woken: leaves the list, and its coroutine is destroyed

protected:
    ~Sleeper() = default;
};
using Sleepers = boost::intrusive::list<Sleeper, boost::intrusive::constant_time_size<false>>;

// The moment after `delay`, which may be as long as it likes: kForever gives the last moment there is.
constexpr MonotonicTime deadlineAfter(MonotonicTime now, Duration delay)
{
    return delay < MonotonicTime::max() - now ? now + delay : MonotonicTime::max();
}

class Scheduler
{
public:
    using TimerId = std::uint64_t; // 0 is no timer
    virtual ~Scheduler() = default;

    virtual MonotonicTime now() const = 0;
    // Runs `ready` soon, never inside this call, in the order of the posts.
    virtual void post(UniqueFunction<void()> ready) = 0;
    // At once for a delay of zero or less; kForever never comes.
    virtual TimerId after(Duration delay, UniqueFunction<void()> due) = 0;
    virtual void cancel(TimerId timer) = 0; // harmless when it has fired
    virtual boost::asio::any_io_executor executor() = 0;
    virtual Sleepers& sleepers() = 0; // those that it abandons when it ends
};

// Calls a function that the user of the library gave. An exception of it does not reach the caller, which goes on: it
// leaves a posted function of its own instead, and the scheduler does with it what it does with every exception.
template <class Function, class... Args>
void invokeUserCallback(Scheduler& scheduler, Function& function, Args&&... args)
{
    try {
        function(std::forward<Args>(args)...);
    } catch (...) {
        scheduler.post([thrown = std::current_exception()] { std::rethrow_exception(thrown); });
    }
}

} // namespace lockscope::zk
