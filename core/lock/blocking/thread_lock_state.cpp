#include "core/lock/blocking/thread_lock_state.h"

namespace lockscope::lock {

ThreadLock::State::State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions,
                         LockOptions given, RecipeFactory factory)
    : io(std::move(thread))
    , sessionManager(std::move(sessions))
    , options(std::move(given))
    , path(options.path)
    , makeRecipe(std::move(factory))
{
    if (!options.onError)
        options.onError = [weak = std::weak_ptr(io)](const Error& error) {
            if (const auto alive = weak.lock())
                alive->report(error);
        };
}

void ThreadLock::State::shutDown()
{
    if (std::exchange(isShutDown, true))
        return;
    lostCallback = nullptr;
    io->forget(closer);
    for (auto& [number, entry] : owners.all())
        for (ThreadOwners::HoldState& holdState : entry.holdStates)
            holdState.lost = true;
    bound.reset();
    cancelAll.request();
}

std::shared_ptr<ThreadLock::State::Bound> ThreadLock::State::bindTo(const HubSessionPtr& session)
{
    if (bound && bound->session == session)
        return bound;
    bound = std::make_shared<Bound>(Bound{session, makeRecipe(session, options)});
    const auto deliver = [this](QueueLock& lock, Side side) {
        lock.onLost([weak = weak_from_this(), side](OwnerId owner) {
            if (const auto self = weak.lock())
                self->lose(owner, side);
        });
    };
    deliver(*bound->recipe.exclusive, Side::exclusive);
    if (bound->recipe.shared)
        deliver(*bound->recipe.shared, Side::shared);
    return bound;
}

// ---- holds ----

void ThreadLock::State::lose(OwnerId owner, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(owner);
    if (!entry || entry->holdState(side).depth == 0)
        return;
    ThreadOwners::HoldState& holdState = entry->holdState(side);
    holdState.lost = true;
    const LostHold hold{entry->thread, holdState.token};
    if (const LostCallback callback = lostCallback) // it may destroy the lock
        io->invokeUserCallback(callback, hold);
}

std::optional<Zxid> ThreadLock::State::token(ThreadNumber caller, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(caller);
    if (!entry || entry->holdState(side).depth == 0 || entry->holdState(side).lost)
        return std::nullopt;
    return entry->holdState(side).token;
}

// What a release has to say that is none: there is nothing to release. Of a hold that was lost it is one
// unlock.
std::optional<Error> ThreadLock::State::checkReleasable(ThreadNumber caller, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(caller);
    if (!entry || entry->holdState(side).depth == 0)
        return Error{ErrorCode::notOwner, message("The lock %1 is not held by the thread that unlocks it.", path),
                     message("Unlock exactly as often as you locked, on the same thread.")};
    ThreadOwners::HoldState& holdState = entry->holdState(side);
    if (!holdState.lost)
        return std::nullopt;
    if (--holdState.depth == 0)
        holdState = {};
    owners.removeIfIdle(caller);
    return Error{ErrorCode::sessionLost, message("The lock %1 was lost before it was unlocked.", path), {}};
}

void ThreadLock::State::deliver(Reply<void>& reply, Result<void> released, bool reports)
{
    const bool late = !reply.claim();
    const bool matters = !released && (released.error().code == ErrorCode::noAuth ||
                                       released.error().code == ErrorCode::notOwner);
    if (matters && (reports || late))
        io->report(released.error());
    reply.deliverAtEnd(std::move(released));
}

// Without a connection the node is deleted when there is one again, or goes with the session: not to be
// waited for. While the last level is on its way, the thread does not hold; when the server refuses, it does
// again.
zk::Awaitable<void> ThreadLock::State::release(std::shared_ptr<State> state, ThreadNumber caller, Side side,
                                               bool reports, std::shared_ptr<Reply<void>> reply)
{
    if (const std::optional<Error> none = state->checkReleasable(caller, side)) {
        state->deliver(*reply, *none, reports);
        co_return;
    }
    ThreadOwners::OwnerEntry& entry = *state->owners.find(caller);
    const OwnerId owner = entry.owner;
    const ThreadOwners::HoldState before = entry.holdState(side);
    const std::uint64_t number = ++state->releases;
    if (--entry.holdState(side).depth == 0)
        entry.holdState(side) = {};
    entry.holdState(side).release = number; // so the owner is not given to another thread
    const std::shared_ptr<Bound> here = state->bound;
    const auto listener =
        here->session->addListener([state, reply](zk::SessionPhase) { reply->deliver(state->noConnectionError()); });
    if (here->session->phase() != zk::SessionPhase::connected)
        reply->deliver(state->noConnectionError());
    const Result<void> released = co_await here->on(side).release(owner);
    here->session->removeListener(listener);
    ThreadOwners::OwnerEntry* left = state->owners.find(caller);
    if (left && left->holdState(side).release == number) { // else it has been locked again meanwhile
        left->holdState(side).release = 0;
        if (!released && here->on(side).depth(owner) > 0) {
            left->holdState(side) = before;
            left->holdState(side).refused = true;
        }
        state->owners.removeIfIdle(caller);
    }
    state->deliver(*reply, released, reports);
}

// ---- acquiring ----

Error ThreadLock::State::closed() const
{
    if (io->isClosing())
        return closedError();
    return Error{ErrorCode::closed, message("The lock %1 was destroyed.", path),
                 message("Keep it for as long as threads use it.")};
}

Error ThreadLock::State::noConnectionError() const
{
    return Error{ErrorCode::connectionLost,
                 message("There is no connection to confirm the release of the lock %1.", path),
                 message("It goes on in the background.")};
}

std::optional<Error> ThreadLock::State::checkAcquire(ThreadNumber caller, Side side, bool waits)
{
    if (isShutDown)
        return closed();
    ThreadOwners::OwnerEntry* entry = owners.find(caller);
    if (!entry)
        return std::nullopt;
    if (entry->holdState(side).lost && !entry->holdState(side).refused)
        return Error{ErrorCode::sessionLost, message("The lock %1 was lost while this thread held it.", path),
                     message("Unlock it as often as it was locked, then lock it again.")};
    const bool upgrade = side == Side::exclusive && entry->holdState(Side::exclusive).depth == 0 &&
                         entry->holdState(Side::shared).depth > 0;
    if (upgrade && waits)
        return Error{ErrorCode::busy,
                     message("This thread holds the lock %1 shared and would wait for itself.", path),
                     message("Unlock it before locking it exclusively.")};
    return std::nullopt;
}

zk::Awaitable<void> ThreadLock::State::acquireAndDeliver(std::shared_ptr<State> state, Caller caller, Side side,
                                                      std::optional<Duration> limit,
                                                      std::shared_ptr<Reply<Grant>> reply)
{
    Result<Grant> grant = co_await acquire(state, caller, side, limit);
    reply->deliverAtEnd(std::move(grant));
}

zk::Awaitable<Result<Grant>> ThreadLock::State::acquire(std::shared_ptr<State> state, Caller caller,
                                                        Side side, std::optional<Duration> limit)
{
    if (const auto refused = state->checkAcquire(caller.number, side, !limit)) {
        co_return *refused;
    }
    if (state->closer == 0)
        state->closer = state->io->addCloser([state] { state->shutDown(); });
    ThreadOwners::OwnerEntry& entry = state->owners.findOrAdd(caller);
    entry.waiting = true;
    const Result<Grant> grant = co_await acquireOnASession(state, caller.number, side, limit);
    entry.waiting = false;
    const bool ours = grant && !state->isShutDown; // else it goes with its recipe
    if (ours)
        entry.holdState(side) = ThreadOwners::HoldState{grant->depth, false, false, 0, grant->token};
    state->owners.removeIfIdle(caller.number);
    if (grant && !ours) {
        co_return state->closed();
    }
    co_return grant;
}

// Whoever waits when the session is lost queues up again in the next one. An inner acquire does not: the
// section around it has lost its lock, and must not go on as if nothing had happened.
zk::Awaitable<Result<Grant>> ThreadLock::State::acquireOnASession(std::shared_ptr<State> state,
                                                                  ThreadNumber caller, Side side,
                                                                  std::optional<Duration> limit)
{
    zk::Hub& hub = state->io->hub();
    const MonotonicTime begin = hub.now();
    for (;;) {
        std::optional<Duration> left = limit;
        if (limit)
            left = std::max<Duration>(*limit - (hub.now() - begin), Duration{});
        const Result<HubSessionPtr> session = co_await state->sessionManager->connected(left);
        if (!session) {
            co_return session.error();
        }
        if (const auto refused = state->checkAcquire(caller, side, !limit)) {
            co_return *refused;
        }
        const OwnerId owner = state->owners.find(caller)->owner;
        const Result<Grant> grant = co_await acquireHere(state, state->bindTo(*session), owner, side, left);
        if (grant || grant.error().code != ErrorCode::sessionLost) {
            co_return grant;
        }
    }
}

zk::Awaitable<Result<Grant>> ThreadLock::State::acquireHere(std::shared_ptr<State> state,
                                                            std::shared_ptr<Bound> here, OwnerId owner,
                                                            Side side, std::optional<Duration> limit)
{
    const CancelToken cancel;
    const auto cancelAll = state->cancelAll.addListener([cancel] { cancel.request(); });
    zk::Session::ListenerId phase = 0;
    if (limit && *limit <= Duration{}) { // a look must not wait for a connection to come back
        phase = here->session->addListener([cancel](zk::SessionPhase) { cancel.request(); });
    }
    const Result<Grant> grant = co_await here->on(side).acquire(owner, limit, cancel);
    state->cancelAll.removeListener(cancelAll);
    here->session->removeListener(phase);
    if (!grant && grant.error().code == ErrorCode::cancelled) {
        if (state->isShutDown) {
            co_return state->closed();
        }
        co_return Error{ErrorCode::timedOut, message("The server did not answer whether the lock %1 is free.", state->path), {}};
    }
    co_return grant;
}

} // namespace lockscope::lock
