// Leader election for threads: the LeaderLatch of Curator. Takes part in the background from start() to
// close(), across sessions, and leads while its node is the first. Any thread; functions that wait are
// refused on the client's I/O thread. Movable while no other thread uses it.
#pragma once

#include "core/base/error.h"
#include "core/lock/blocking/time_limit.h"
#include "core/lock/handle.h"
#include "core/lock/lock_options.h"
#include "core/lock/participants.h"
#include "core/lock/safe_time.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

class Client;

class LeaderLatch
{
public:
    // `id`: how this participant is shown to others, the data of its node. Of the options, the naming, the
    // handoff and the kept GUID are those of the latch, and its id is `nodeData`.
    LeaderLatch(const Client& client, std::string path, std::string id);
    LeaderLatch(const Client& client, LockOptions options);
    // Leaves, in the background. Waiting threads get a LockError (operation_canceled).
    ~LeaderLatch() = default;
    LeaderLatch(LeaderLatch&&) noexcept = default;
    LeaderLatch& operator=(LeaderLatch&&) noexcept = default;

    // Returns at once; does nothing when it has been called before, or on the I/O thread.
    void start();
    // Leaves for good: another participant leads from then on. Returns when the node is deleted; after
    // Timeouts::unlock when the server does not answer: then it is deleted in the background. Errors:
    // timedOut, noAuth, busy (on the I/O thread), closed.
    Result<void> close();

    // Whether it leads, as far as this process knows: false as soon as the loss of its session or of its node
    // is known; then it queues up again. While the connection is suspended it may still lead (LIMITS.md;
    // Curator's latch gives up then). Does not wait.
    bool hasLeadership() const { return token().has_value(); }
    // Increases with every leader on this path: what leaders write to must refuse smaller ones. Does not
    // wait.
    std::optional<Zxid> token() const;
    // See BlockingLock::safeUntil().
    std::optional<BootTime> safeUntil() const;
    // Waits until it leads. Throws LockError when it never will: it was closed, or its last attempt failed
    // with an error that more time would not change (access denied, an invalid path).
    void await() { wait(std::nullopt); }
    // False: not within the limit.
    template <class Rep, class Period>
    bool await_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return wait(toLimit(limit));
    }
    // In their order; the first one leads. Errors: as Mutex::participantDetails(); noServer, busy, closed.
    Result<std::vector<Participant>> participants() const;

    // Called on the I/O thread when it leads (with its token), and when it does so no longer (without), in
    // order. It must not block; its exceptions go to Client::onError. An empty one is not added (returns 0).
    ListenerId onChange(std::function<void(std::optional<Zxid>)> callback);
    void removeListener(ListenerId listener); // waits for the I/O thread
    const std::string& path() const { return m_path; }

private:
    struct State;
    bool wait(std::optional<Duration> limit);
    std::string m_path;
    Handle<State> m_state;
};

} // namespace lockscope::lock
