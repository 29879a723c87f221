// Waiting for answers inside an acquire, and its last act. Only for acquire_op*.cpp.
#pragma once

#include "core/lock/acquire_op.h"

namespace lockscope::lock {

// A handler that stores the answer and wakes the op.
template <class T>
auto AcquireOp::deliver(const zk::Pending<T>& pending) const
{
    return [store = pending.handler(), shared = m_shared](T value) mutable {
        store(std::move(value));
        shared->wake.notify();
    };
}

// False when the op was stopped before the answer came.
template <class T>
zk::Awaitable<bool> AcquireOp::answered(zk::Pending<T> pending)
{
    while (!pending.ready() && !stopped())
        co_await m_shared->wake.wait();
    co_return pending.ready();
}

zk::Awaitable<void> giveUpInBackground(Wire wire, std::string node, bool known, EventIndex cause,
                                       UniqueFunction<void()> done);

} // namespace lockscope::lock
