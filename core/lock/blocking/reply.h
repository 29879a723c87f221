// The result that a thread waits for while the I/O thread works. wait() and waitFor(): the waiting thread;
// the rest: the I/O thread, or the waiting thread while the I/O thread has no reference to it yet.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <atomic>
#include <exception>
#include <future>
#include <optional>
#include <utility>

namespace lockscope::lock {

class ReplyBase
{
public:
    virtual ~ReplyBase() = default;
    // Both do nothing when a result has been delivered.
    virtual void fail(Error error) = 0;
    // The work has ended: delivers the result set by deliverAtEnd(), or the exception that ended the work.
    virtual void finish(std::exception_ptr error) = 0;
};

template <class T>
class Reply final : public ReplyBase
{
public:
    Result<T> wait() { return m_promise.get_future().get(); }
    // None when there is no reply within the limit; from then on claim() returns false.
    std::optional<Result<T>> waitFor(Duration limit)
    {
        std::future<Result<T>> answer = m_promise.get_future();
        if (answer.wait_for(limit) != std::future_status::ready && !m_decided.exchange(true))
            return std::nullopt;
        return answer.get();
    }

    // True: the waiting thread will wait for this reply, whatever its limit. False: it no longer waits.
    bool claim() { return !m_delivered && !m_decided.exchange(true); }

    void deliver(Result<T> result)
    {
        if (!std::exchange(m_delivered, true))
            m_promise.set_value(std::move(result));
    }
    // Delivers the result when the work has ended and everything that it used is destroyed.
    void deliverAtEnd(Result<T> result) { m_atEnd.emplace(std::move(result)); }

    void fail(Error error) override { deliver(std::move(error)); }
    void finish(std::exception_ptr error) override
    {
        if (m_delivered)
            return;
        if (m_atEnd)
            return deliver(std::move(*m_atEnd));
        m_delivered = true;
        m_promise.set_exception(std::move(error));
    }

private:
    std::promise<Result<T>> m_promise;
    std::optional<Result<T>> m_atEnd;
    bool m_delivered = false;
    std::atomic<bool> m_decided = false; // the reply was claimed, or the waiting thread gave up
};

} // namespace lockscope::lock
