// The inside of a ThreadLock, kept alive by its work under way. I/O thread.
#pragma once

#include "core/lock/blocking/session_manager.h"
#include "core/lock/blocking/thread_lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/queue_lock.h"

namespace lockscope::lock {

struct ThreadLock::State : std::enable_shared_from_this<State>
{
    // A recipe bound to its session. Whoever is waiting in it keeps it.
    struct Bound
    {
        HubSessionPtr session;
        Recipe recipe;
        QueueLock& on(Side side) { return side == Side::exclusive ? *recipe.exclusive : *recipe.shared; }
    };

    State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions, LockOptions given,
          RecipeFactory factory);
    void shutDown(); // what is held is released, who waits is told, nobody is called back
    std::shared_ptr<Bound> bindTo(const HubSessionPtr& session);
    std::optional<Error> checkAcquire(ThreadNumber caller, Side side, bool waits);
    void lose(OwnerId owner, Side side);
    std::optional<Zxid> token(ThreadNumber caller, Side side);

    static zk::Awaitable<void> acquireAndDeliver(std::shared_ptr<State> state, Caller caller, Side side,
                                              std::optional<Duration> limit,
                                              std::shared_ptr<Reply<Grant>> reply);
    static zk::Awaitable<Result<Grant>> acquire(std::shared_ptr<State> state, Caller caller, Side side,
                                                std::optional<Duration> limit);
    static zk::Awaitable<Result<Grant>> acquireOnASession(std::shared_ptr<State> state, ThreadNumber caller,
                                                          Side side, std::optional<Duration> limit);
    static zk::Awaitable<Result<Grant>> acquireHere(std::shared_ptr<State> state, std::shared_ptr<Bound> here,
                                                    OwnerId owner, Side side, std::optional<Duration> limit);
    // `reports`: the caller is not interested in an error. Also without it an error that comes too late for
    // the caller is reported.
    static zk::Awaitable<void> release(std::shared_ptr<State> state, ThreadNumber caller, Side side,
                                       bool reports, std::shared_ptr<Reply<void>> reply);
    std::optional<Error> checkReleasable(ThreadNumber caller, Side side);
    void deliver(Reply<void>& reply, Result<void> released, bool reports);
    Error closed() const;
    Error noConnectionError() const;

    std::shared_ptr<IoThread> io;
    std::shared_ptr<SessionManager> sessionManager;
    LockOptions options;
    const std::string& path; // of the options
    RecipeFactory makeRecipe;
    std::shared_ptr<Bound> bound;
    ThreadOwners owners;
    LostCallback lostCallback;
    CancelToken cancelAll; // who waits here
    IoThread::CloserId closer = 0;
    std::uint64_t releases = 0; // so far
    bool isShutDown = false;
};

} // namespace lockscope::lock
