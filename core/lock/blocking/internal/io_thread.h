// The thread of a blocking client: runs the hub and the coroutines that other threads start and wait for.
// Call open() first. Any thread may call start(), call(), callAndWait(), post(), close() and isCurrent(); the
// functions below "the I/O thread" are for that thread. After close() nothing starts, all replies are
// delivered, and the thread has ended.
#pragma once

#include "core/lock/blocking/internal/thread_owners.h"
#include "core/lock/blocking/reply.h"
#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace lockscope::lock {

class IoThread : public std::enable_shared_from_this<IoThread>
{
public:
    using Work = UniqueFunction<zk::Awaitable<void>()>;
    using CloserId = std::uint64_t;

    ~IoThread();
    Result<void> open(zk::HubOptions options); // once, before everything else
    // Runs the work on the I/O thread. The reply is delivered by the work or when it ends. Fails at once with
    // `busy` when called on the I/O thread, which would wait for itself, and with `closed` after close().
    void start(std::shared_ptr<ReplyBase> reply, Work work);
    // The same for a function that does not wait and delivers the reply itself. When it throws before that,
    // the waiting thread gets the exception.
    void call(std::shared_ptr<ReplyBase> reply, UniqueFunction<void()> function);
    // Runs the function on the I/O thread and waits for its end; when called on that thread, it simply calls
    // the function. After close() the function is dropped. Its exceptions go to onError.
    void callAndWait(UniqueFunction<void()> function) noexcept;
    // Runs the function on the I/O thread without a reply; drops it after close().
    void post(UniqueFunction<void()> function);
    // Blocks until the thread has ended: a few seconds at most, even if no server answers. On the I/O thread
    // it returns at once, and the thread ends later.
    void close();
    // Called with errors that no call can return. Empty: a line is written to standard error.
    using OnError = std::function<void(const Error&)>;
    bool isCurrent() const { return Caller::current().number == m_number; }

    // ---- the I/O thread ----
    zk::Hub& hub() { return *m_hub; }
    boost::asio::io_context& context() { return *m_io; }
    bool isClosing() const { return m_closing; }
    void onError(OnError callback) { m_onError = std::move(callback); }
    void report(const Error& error) noexcept;
    void report(const std::exception_ptr& thrown) noexcept;
    // Calls a function of the library user and reports its exceptions.
    template <class Function, class... Args>
    void invokeUserCallback(Function& function, const Args&... args) noexcept
    {
        try {
            function(args...);
        } catch (...) {
            report(std::current_exception());
        }
    }
    // The closer is called once, at the close. Closers run in reverse order of their addition.
    CloserId addCloser(UniqueFunction<void()> closer);
    void forget(CloserId closer) { m_closers.erase(closer); }

private:
    struct Job
    {
        std::shared_ptr<ReplyBase> reply;
        boost::asio::cancellation_signal cancel;
    };
    bool tryPost(UniqueFunction<void()> function);
    void run(zk::HubOptions options, std::promise<Result<void>> opened);
    void serve(std::size_t (boost::asio::io_context::*how)());
    void begin(std::shared_ptr<ReplyBase> reply, Work work);
    void finish(std::uint64_t job, std::exception_ptr error);
    void beginShutdown();
    void cancelJobs();
    void endIfDone();

    std::mutex m_mutex;
    bool m_open = false;        // guarded by m_mutex: posts are accepted
    bool m_closeWanted = false; // guarded by m_mutex
    std::thread m_thread;       // used by the opening and the closing thread
    ThreadNumber m_number;      // set by the I/O thread before open() returns
    std::unique_ptr<boost::asio::io_context> m_io = std::make_unique<boost::asio::io_context>(1);

    std::unique_ptr<zk::Hub> m_hub;
    std::map<std::uint64_t, std::unique_ptr<Job>> m_jobs;
    std::map<CloserId, UniqueFunction<void()>> m_closers;
    std::uint64_t m_next = 1;
    OnError m_onError;
    bool m_closing = false;
    bool m_sessionsClosed = false;
    std::unique_ptr<boost::asio::steady_timer> m_cancelTimer;
};

Error closedError();

} // namespace lockscope::lock
