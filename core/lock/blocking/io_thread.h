// The thread behind a blocking client: runs the hub and the coroutines that other threads start here and wait
// for. start() and close() may be called from any thread, the rest says where. After close() nothing starts
// any more, whoever waits has been told, and the thread has ended.
#pragma once

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
    // Runs the work here. The waiter is told by the work itself or when it ends; at once, with `busy`, when
    // this is the I/O thread, which would wait for itself; with `closed` when it is too late.
    void start(std::shared_ptr<ReplyBase> reply, Work work);
    // The same for a function that does not wait and tells the waiter itself.
    void call(std::shared_ptr<ReplyBase> reply, UniqueFunction<void()> function);
    // Runs it here without a waiter; it is dropped when it is too late.
    void post(UniqueFunction<void()> function);
    // Blocks until the thread has ended: at most a few seconds, also when no server answers. On the I/O
    // thread itself it returns at once and the thread ends by itself.
    void close();
    // Called with what goes wrong where no caller could be given an error; empty: a line on standard error.
    using OnError = std::function<void(const Error&)>;
    bool isCurrent() const { return std::this_thread::get_id() == m_id; }

    // ---- the I/O thread ----
    zk::Hub& hub() { return *m_hub; }
    bool isClosing() const { return m_closing; }
    void onError(OnError callback) { m_onError = std::move(callback); }
    void report(const Error& error) noexcept;
    void report(const std::exception_ptr& thrown) noexcept;
    // Calls a function that the user of the library gave. What it throws is reported.
    template <class Function, class... Args>
    void invokeUserCallback(const Function& function, const Args&... args) noexcept
    {
        try {
            function(args...);
        } catch (...) {
            report(std::current_exception());
        }
    }
    // Called once when it closes, the last one added first.
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
    bool m_open = false;        // guarded by m_mutex: posts are taken
    bool m_closeWanted = false; // guarded by m_mutex
    std::thread m_thread;       // the opening and the closing thread's
    std::thread::id m_id;       // set by the I/O thread before anybody else can ask
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
