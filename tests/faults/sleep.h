// A pause inside a coroutine. Scheduler thread.
#pragma once

#include "core/zk/pending.h"

namespace lockscope::tests {

inline zk::Awaitable<void> sleepFor(zk::Scheduler* scheduler, Duration pause)
{
    const zk::Signal over(*scheduler);
    scheduler->after(pause, over.notifier());
    co_await over.wait();
}

} // namespace lockscope::tests
