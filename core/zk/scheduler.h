// Runs recipes on one thread, with a queue of ready functions, timers and a clock. Implementations: the hub
// of the C client, wire::IoScheduler (sessions without the C client) and memory::VirtualScheduler (a virtual
// clock); the same recipe runs on each. Call every function on the thread of the scheduler.
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
    // Called when the sleeper will never be woken: leaves the list and destroys the coroutine.
    virtual void abandon() noexcept = 0;

protected:
    ~Sleeper() = default;
};
using Sleepers = boost::intrusive::list<Sleeper, boost::intrusive::constant_time_size<false>>;

// now + delay, saturated: kForever gives the greatest time point.
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
    // Runs `ready` soon, never within this call, in the order of the calls.
    virtual void post(UniqueFunction<void()> ready) = 0;
    // Runs `due` soon for a delay of zero or less; never for kForever.
    virtual TimerId after(Duration delay, UniqueFunction<void()> due) = 0;
    virtual void cancel(TimerId timer) = 0; // does nothing when the timer has fired
    virtual boost::asio::any_io_executor executor() = 0;
    virtual Sleepers& sleepers() = 0; // abandoned when the scheduler ends
};

// Calls a function of the library user. Its exception does not reach the caller: it is rethrown from a posted
// function, where the scheduler handles it like any other.
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
