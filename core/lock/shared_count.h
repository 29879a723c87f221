// The SharedCount of Curator: a number in a node (4 bytes, big-endian) that all its clients follow. A data
// watch keeps the value current; the watch is set again after every change, after every reconnect and, with
// growing pauses, after every temporary refusal. While the node is missing, the last value is kept. Scheduler
// thread.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/lock/cancel_token.h"
#include "core/lock/handle.h"
#include "core/lock/timeouts.h"
#include "core/zk/pending.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::lock {

// The data of the node: four bytes, big-endian.
std::string encodeCount(std::int32_t value);

// Curator's VersionedValue.
struct VersionedCount
{
    std::int32_t value = 0;
    std::int32_t version = -1; // of the node; increases with every write; -1 before the node is read
};

class SharedCount
{
public:
    using ListenerId = lockscope::ListenerId;
    using executor_type = boost::asio::any_io_executor;

    // `seed`: the initial value when the node does not exist yet. Moves: as of a RecipeLock.
    SharedCount(zk::SessionPtr session, std::string path, std::int32_t seed, Timeouts timeouts = {});

    // Creates the node if it is missing (its parents as containers), reads it and starts to follow it.
    // Without `limit` it waits indefinitely; zero is Timeouts::singleTry. Errors: timedOut, cancelled,
    // sessionLost, noAuth, badInput (the data is not a count), badUsage (the path), internal.
    zk::Task<Result<std::int32_t>> start(std::optional<Duration> limit = std::nullopt,
                                         CancelToken cancel = CancelToken::never());
    // The last known value; the seed before start().
    std::int32_t value() const;
    VersionedCount versioned() const;
    // Sets the value for all clients; the last write wins. Two round trips. No write is applied twice. After
    // a lost reply it writes again if the node is unchanged or if its next version has another value, which
    // it overwrites; in any other case the present value stays, because ours may have been set before it.
    // Errors: noNode (not started, or deleted), sessionLost (it may have been set), noAuth, badUsage (the
    // path), internal.
    zk::Task<Result<void>> set(std::int32_t value);
    // The trySetCount of Curator: sets the value if the version of the node is still that of `previous`, from
    // versioned(). False: another client has written meanwhile; see versioned(). One round trip. Errors:
    // badUsage (`previous` is from before start()), connectionLost (the reply was lost and the present value
    // does not show whether it is ours), and those of set().
    zk::Task<Result<bool>> trySet(VersionedCount previous, std::int32_t value);

    // Called when the known value changes, also by this object; values in between may be skipped. The
    // callback may destroy the count; its exceptions are rethrown from a posted function on the scheduler
    // thread.
    ListenerId addListener(std::function<void(std::int32_t)> changed);
    void removeListener(ListenerId listener);
    const std::string& path() const;
    executor_type get_executor();

private:
    struct State;
    Handle<State> m_state;
};

} // namespace lockscope::lock
