// One acquire on one session, for the blocking locks. I/O thread.
#pragma once

#include "core/lock/cancel_token.h"
#include "core/zk/session.h"

#include <memory>
#include <optional>
#include <utility>

namespace lockscope::lock {

// Runs `acquire` with a token that is cancelled together with `all`. A single try (a limit of zero or less)
// is also cancelled when the phase of the session changes, because it must not wait for a reconnect.
template <class T, class Acquire>
zk::Awaitable<Result<T>> acquireOnSession(zk::SessionPtr session, CancelToken all,
                                          std::optional<Duration> limit, Acquire acquire)
{
    const LinkedCancelToken cancel(std::move(all));
    zk::Session::ListenerId listener = 0;
    if (limit && *limit <= Duration{})
        listener = session->addListener([token = cancel.get()](zk::SessionPhase) { token.request(); });
    Result<T> got = co_await acquire(cancel.get()).asResult();
    session->removeListener(listener);
    co_return got;
}

} // namespace lockscope::lock
