// What a thread waits for while the I/O thread works for it. wait(): the waiting thread; all else: the I/O
// thread, or the waiting thread while the I/O thread does not know the reply yet.
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
    // Both do nothing when it was told before.
    virtual void fail(Error error) = 0;
    // The work has ended: tells what was kept, or the exception that ended it.
    virtual void finish(std::exception_ptr error) = 0;
};

template <class T>
class Reply final : public ReplyBase
{
public:
    Result<T> wait() { return m_promise.get_future().get(); }
    // None when there is no reply within the limit; awaited() is false from then on.
    std::optional<Result<T>> waitFor(Duration limit)
    {
        std::future<Result<T>> answer = m_promise.get_future();
        if (answer.wait_for(limit) != std::future_status::ready && !m_decided.exchange(true))
            return std::nullopt;
        return answer.get();
    }

    // Whether a reply still reaches the waiting thread. Then that thread waits for it, whatever its limit.
    bool claim() { return !m_delivered && !m_decided.exchange(true); }

    void deliver(Result<T> result)
    {
        if (!std::exchange(m_delivered, true))
            m_promise.set_value(std::move(result));
    }
    // To be told when the work has ended and everything it used is gone.
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
    std::atomic<bool> m_decided = false; // whether the reply comes in time
};

} // namespace lockscope::lock
