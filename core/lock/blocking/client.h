// The connection of the blocking locks to ZooKeeper: one I/O thread and one session, replaced when it is
// lost. The locks made on it (BlockingMutex, BlockingSharedMutex, BlockingMultiLock, BlockingSemaphore) and
// run() wait on the calling thread while the work is done on the I/O thread. Any thread. Destroy it only when
// no thread is about to call it: calls that wait in a lock or in run() then fail. Locks may outlive it; their
// calls fail, too.
#pragma once

#include "core/base/listeners.h"
#include "core/lock/blocking/reply.h"
#include "core/lock/safe_time.h"
#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace lockscope::lock {

class BlockingLock;
class BlockingSemaphore;
class CohortMutex;
class IoThread;
class LeaderLatch;
class SessionManager;

class Client
{
public:
    using HubSessionPtr = std::shared_ptr<zk::HubSession>;

    // Returns when the first session is connected. Host names are resolved now, and again whenever a new
    // session is opened. `connectTimeout` also limits how long a lock waits for a session later on. Errors:
    // badUsage (the hosts; a timeout of zero or less), noServer, noAuth (the server refuses a credential),
    // limitExceeded, and those of a credential, whose proof is first requested on the calling thread.
    static Result<std::unique_ptr<Client>> connect(zk::ConnectOptions options, zk::HubOptions hub = {});
    // Releases all holds, closes the session and ends the thread: within a few seconds, even if no server
    // answers.
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Runs a coroutine on the I/O thread and waits for it: `work` is called there with the connected session,
    // as a std::shared_ptr<zk::HubSession> or zk::SessionPtr, and is kept until the coroutine it returns has
    // ended (so it may be a lambda with captures). Create and destroy the recipes of core/lock inside it.
    // Returns Result<T> for a zk::Awaitable<T> or zk::Task<T>, and for one of Result<T>; rethrows exceptions
    // of the coroutine. Own errors: noServer (no session within the connectTimeout), closed, busy (called on
    // the I/O thread).
    template <class F>
    requires std::is_invocable_v<F&, HubSessionPtr>
    auto run(F work);
    // The same for a coroutine that needs no session or already has one.
    template <class T>
    auto run(zk::Awaitable<T> work);
    template <class T>
    auto run(zk::Task<T> work);

    // The host names that had no address when they were last resolved; they are skipped, the other hosts are
    // used. connect() adds them to its error. Any thread.
    std::vector<Error> unresolvedHosts() const;

    // Called on the I/O thread when the session is connected, suspended (disconnected, may recover; see
    // LIMITS.md for what holds meanwhile), or lost (all holds are lost; a new session is being opened). It
    // must not block; its exceptions go to onError. Several may be added; an empty one is not (returns 0).
    ListenerId onPhase(std::function<void(zk::SessionPhase)> callback);
    // Waits for the I/O thread, unless called there: afterwards the callback is neither called nor running.
    // Does nothing for an unknown id.
    void removePhaseListener(ListenerId listener);
    // From now on the client knows how long its locks are safe (safe_time.h says what that costs): for
    // safeUntil() and BlockingLock::safeUntil(). A later call changes the rule.
    void keepSafeTime(SafetyRule rule);
    // Of the present session. None without keepSafeTime(), before the first answer, and when the session is
    // over. Any thread; does not wait.
    std::optional<BootTime> safeUntil() const;
    // Called on the I/O thread when `margin` or less is left: once, and again after an answer has come in the
    // meantime. It must not block; its exceptions go to onError. Both wait for the I/O thread.
    ListenerId onAboutToLose(Duration margin, std::function<void()> callback);
    void removeAboutToLoseListener(ListenerId listener);
    // Called on the I/O thread with errors that no call can return: an unlock() that the server refuses
    // (noAuth: the lock stays held) or that comes from a thread that does not hold the lock (notOwner); a
    // node that could not be deleted after its lock was destroyed or its try returned (noAuth: the node
    // remains until the session ends); a callback that threw (internal). It must neither block nor throw.
    // Without a callback, or with an empty one, a line is written to standard error.
    void onError(std::function<void(const Error&)> callback);

private:
    friend class BlockingSemaphore;
    friend class BlockingLock;
    friend class CohortMutex;
    friend class LeaderLatch;
    using SessionWork = UniqueFunction<zk::Awaitable<void>(HubSessionPtr)>;
    template <class T>
    struct Unwrapped
    {
        using Type = T;
    };
    template <class T>
    struct Unwrapped<Result<T>>
    {
        using Type = T;
    };
    template <class T>
    using ReplyPtr = std::shared_ptr<Reply<typename Unwrapped<T>::Type>>;

    Client(std::shared_ptr<IoThread> io, std::shared_ptr<SessionManager> sessionManager);
    template <class T, class Work>
    static zk::Awaitable<void> keepResult(Work work, ReplyPtr<T> reply);
    void start(std::shared_ptr<ReplyBase> waiter, SessionWork work);
    void startWithoutSession(std::shared_ptr<ReplyBase> waiter, zk::Awaitable<void> work);

    std::shared_ptr<IoThread> m_io;
    std::shared_ptr<SessionManager> m_sessionManager;
};

template <class T, class Work>
zk::Awaitable<void> Client::keepResult(Work work, ReplyPtr<T> reply)
{
    if constexpr (std::is_void_v<T>) {
        co_await std::move(work);
        reply->deliverAtEnd({});
    } else {
        T value = co_await std::move(work);
        reply->deliverAtEnd(std::move(value));
    }
}

template <class F>
requires std::is_invocable_v<F&, Client::HubSessionPtr>
auto Client::run(F work)
{
    using T = typename std::invoke_result_t<F&, HubSessionPtr>::value_type;
    const auto reply = std::make_shared<typename ReplyPtr<T>::element_type>();
    start(reply, [work = std::move(work), reply](HubSessionPtr session) mutable {
        return keepResult<T>(zk::asResult(work(std::move(session))), reply);
    });
    return reply->wait();
}

template <class T>
auto Client::run(zk::Awaitable<T> work)
{
    const auto reply = std::make_shared<typename ReplyPtr<T>::element_type>();
    startWithoutSession(reply, keepResult<T>(std::move(work), reply));
    return reply->wait();
}

template <class T>
auto Client::run(zk::Task<T> work)
{
    const auto reply = std::make_shared<typename ReplyPtr<T>::element_type>();
    startWithoutSession(reply, keepResult<T>(std::move(work).asResult(), reply));
    return reply->wait();
}

} // namespace lockscope::lock
