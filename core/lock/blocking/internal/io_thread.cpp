#include "core/lock/blocking/internal/io_thread.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

namespace lockscope::lock {

namespace {

constexpr auto kCancelTimeout =
    std::chrono::seconds(2); // for a user's coroutine to end after its cancellation

// Keeps the work until its coroutine has ended.
zk::Awaitable<void> execute(IoThread::Work work) { co_await work(); }

} // namespace

Error closedError()
{
    return Error{ErrorCode::closed, message("The client of the lock was closed."),
                 message("Keep it for as long as its locks are used.")};
}

IoThread::~IoThread()
{
    close();
    if (m_thread.joinable())
        m_thread.detach(); // called on the thread itself, which is about to end
}

Result<void> IoThread::open(zk::HubOptions options)
{
    std::promise<Result<void>> opened;
    std::future<Result<void>> answer = opened.get_future();
    m_open = true; // no other thread has a reference yet
    try {
        m_thread = std::thread([self = shared_from_this(), options, opened = std::move(opened)]() mutable {
            self->run(options, std::move(opened));
        });
    } catch (const std::system_error& error) {
        m_open = false;
        return Error{ErrorCode::limitExceeded, message("No thread can be started: %1.", error.what()),
                     message("Raise the limit of threads (ulimit -u).")};
    }
    return answer.get();
}

void IoThread::run(zk::HubOptions options, std::promise<Result<void>> opened)
{
    m_number = Caller::current().number;
    Result<std::unique_ptr<zk::Hub>> hub = zk::Hub::create(*m_io, options);
    if (!hub) {
        opened.set_value(hub.error());
        return;
    }
    m_hub = std::move(*hub);
    m_cancelTimer = std::make_unique<boost::asio::steady_timer>(*m_io);
    opened.set_value({});
    serve(&boost::asio::io_context::run);
    for (const auto& [number, job] : m_jobs)
        job->reply->fail(closedError());
    m_cancelTimer.reset();
    if (m_jobs.empty()) {
        m_hub.reset();
        m_io->restart();
        serve(&boost::asio::io_context::poll); // handlers posted while sessions were closed
        return;
    }
    // A user coroutine ended neither with its session nor on cancellation. It may use the hub while it is
    // destroyed, so both are leaked.
    static_cast<void>(m_hub.release());
    static_cast<void>(m_io.release());
}

// An exception of a handler, for example of a user coroutine, does not end the loop.
void IoThread::serve(std::size_t (boost::asio::io_context::*how)())
{
    for (;;) {
        try {
            (*m_io.*how)();
            return;
        } catch (...) {
            report(std::current_exception());
        }
    }
}

void IoThread::report(const Error& error) noexcept
{
    try {
        if (m_onError) {
            const OnError callback = m_onError; // the callback may set another one
            callback(error);
            return;
        }
    } catch (...) { // fall back to standard error
    }
    try {
        const std::string line = "LockScope: " + error.text() + "\n";
        std::fputs(line.c_str(), stderr);
    } catch (...) { // out of memory
    }
}

void IoThread::report(const std::exception_ptr& thrown) noexcept
{
    try {
        std::string what = "unknown";
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception& error) {
            what = error.what();
        } catch (...) { // not a std::exception
        }
        report(Error{ErrorCode::internal,
                     message("A callback on the lock client's I/O thread threw an exception: %1.", what),
                     message("Catch exceptions inside callbacks.")});
    } catch (...) { // out of memory
    }
}

// ---- from other threads ----

bool IoThread::tryPost(UniqueFunction<void()> function)
{
    std::lock_guard lock(m_mutex);
    if (m_open)
        boost::asio::post(*m_io, std::move(function));
    return m_open;
}

void IoThread::post(UniqueFunction<void()> function) { tryPost(std::move(function)); }

void IoThread::call(std::shared_ptr<ReplyBase> reply, UniqueFunction<void()> function)
{
    if (isCurrent()) {
        reply->fail(Error{ErrorCode::busy,
                          message("This is the client's I/O thread, which would wait for itself."),
                          message("Use coroutines here, or wait on another thread.")});
        return;
    }
    const bool taken = tryPost([this, reply, function = std::move(function)]() mutable {
        if (m_closing) {
            reply->fail(closedError());
            return;
        }
        try {
            function();
        } catch (...) {
            reply->finish(std::current_exception());
        }
    });
    if (!taken)
        reply->fail(closedError());
}

void IoThread::callAndWait(UniqueFunction<void()> function) noexcept
{
    if (isCurrent()) {
        invokeUserCallback(function);
        return;
    }
    const auto reply = std::make_shared<Reply<bool>>();
    call(reply, [this, reply, function = std::move(function)]() mutable {
        invokeUserCallback(function);
        reply->deliver(true);
    });
    static_cast<void>(reply->wait());
}

void IoThread::start(std::shared_ptr<ReplyBase> reply, Work work)
{
    call(reply,
         [this, reply, work = std::move(work)]() mutable { begin(std::move(reply), std::move(work)); });
}

void IoThread::close()
{
    {
        std::lock_guard lock(m_mutex);
        if (m_open && !std::exchange(m_closeWanted, true))
            boost::asio::post(*m_io, [this] { beginShutdown(); });
    }
    if (isCurrent() || !m_thread.joinable())
        return;
    m_thread.join();
}

// ---- on the thread ----

IoThread::CloserId IoThread::addCloser(UniqueFunction<void()> closer)
{
    m_closers.emplace(m_next, std::move(closer));
    return m_next++;
}

void IoThread::begin(std::shared_ptr<ReplyBase> reply, Work work)
{
    const std::uint64_t number = m_next++;
    Job& job = *m_jobs.emplace(number, std::make_unique<Job>()).first->second;
    job.reply = std::move(reply);
    boost::asio::co_spawn(
        *m_io, execute(std::move(work)),
        boost::asio::bind_cancellation_slot(job.cancel.slot(), [this, number](std::exception_ptr error) {
            finish(number, std::move(error));
        }));
}

void IoThread::finish(std::uint64_t number, std::exception_ptr error)
{
    const auto found = m_jobs.find(number);
    std::unique_ptr<Job> job = std::move(found->second);
    m_jobs.erase(found);
    if (error && m_closing)
        job->reply->fail(closedError()); // it was cancelled
    else
        job->reply->finish(std::move(error));
    boost::asio::post(*m_io,
                      [job = std::move(job)] {}); // the coroutine uses its signal until it is destroyed
    endIfDone();
}

// Waiting for a session ends with the session, sleeping ends with expireTimers(). Coroutines that wait for
// anything else are cancelled.
void IoThread::beginShutdown()
{
    m_closing = true;
    while (!m_closers.empty()) {
        const auto last = std::prev(m_closers.end());
        UniqueFunction<void()> closer = std::move(last->second);
        m_closers.erase(last);
        closer();
    }
    {
        std::lock_guard lock(m_mutex);
        m_open = false;
    }
    m_hub->expireTimers();
    m_hub->whenClosed([this] {
        m_sessionsClosed = true;
        cancelJobs();
        endIfDone();
    });
}

void IoThread::cancelJobs()
{
    std::vector<std::uint64_t> running;
    for (const auto& [number, job] : m_jobs)
        running.push_back(number);
    for (const std::uint64_t number : running) {
        const auto job = m_jobs.find(number);
        if (job != m_jobs.end())
            job->second->cancel.emit(boost::asio::cancellation_type::terminal);
    }
    m_cancelTimer->expires_after(kCancelTimeout);
    m_cancelTimer->async_wait([this](const boost::system::error_code& error) {
        if (!error)
            m_io->stop();
    });
}

void IoThread::endIfDone()
{
    if (m_sessionsClosed && m_jobs.empty())
        m_io->stop();
}

} // namespace lockscope::lock
