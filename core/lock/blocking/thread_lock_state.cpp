#include "core/lock/blocking/thread_lock_state.h"

namespace lockscope::lock {

ThreadLock::State::State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionKeeper> sessions,
                         std::string lockPath, Make maker)
    : io(std::move(thread))
    , keeper(std::move(sessions))
    , path(std::move(lockPath))
    , make(std::move(maker))
{}

void ThreadLock::State::shutDown()
{
    if (std::exchange(shut, true))
        return;
    lostCallback = nullptr;
    io->forget(closer);
    for (auto& [number, seat] : owners.all())
        for (ThreadOwners::Level& level : seat.levels)
            level.lost = true;
    bound.reset();
    everybody.request();
}

std::shared_ptr<ThreadLock::State::Bound> ThreadLock::State::bindTo(const HubSessionPtr& session)
{
    if (bound && bound->session == session)
        return bound;
    bound = std::make_shared<Bound>(Bound{session, make(session)});
    const auto tell = [this](QueueLock& lock, Side side) {
        lock.onLost([weak = weak_from_this(), side](OwnerId owner) {
            if (const auto self = weak.lock())
                self->lose(owner, side);
        });
    };
    tell(*bound->recipe.exclusive, Side::exclusive);
    if (bound->recipe.shared)
        tell(*bound->recipe.shared, Side::shared);
    return bound;
}

// ---- holds ----

void ThreadLock::State::lose(OwnerId owner, Side side)
{
    ThreadOwners::Seat* seat = owners.find(owner);
    if (!seat || seat->level(side).depth == 0)
        return;
    ThreadOwners::Level& level = seat->level(side);
    level.lost = true;
    const LostHold hold{seat->thread, level.token};
    const LostCallback callback = lostCallback; // it may destroy the lock
    if (callback)
        callback(hold);
}

std::optional<Zxid> ThreadLock::State::token(ThreadNumber caller, Side side)
{
    ThreadOwners::Seat* seat = owners.find(caller);
    if (!seat || seat->level(side).depth == 0 || seat->level(side).lost)
        return std::nullopt;
    return seat->level(side).token;
}

zk::Awaitable<void> ThreadLock::State::release(std::shared_ptr<State> state, ThreadNumber caller, Side side,
                                               std::shared_ptr<Reply<bool>> reply)
{
    ThreadOwners::Seat* seat = state->owners.find(caller);
    if (!seat || seat->level(side).depth == 0) {
        reply->keep(false);
        co_return;
    }
    ThreadOwners::Level& level = seat->level(side);
    const OwnerId owner = seat->owner;
    const bool lost = level.lost;
    if (--level.depth == 0)
        level = {};
    state->owners.leave(caller);
    if (lost) {
        reply->keep(false);
        co_return;
    }
    // Without a connection the node is deleted when there is one again, or goes with the session: not to be
    // waited for.
    const std::shared_ptr<Bound> here = state->bound;
    const auto listener = here->session->listen([reply](zk::SessionPhase) { reply->tell(false); });
    if (here->session->phase() != zk::SessionPhase::connected)
        reply->tell(false);
    const Result<void> released = co_await here->on(side).release(owner);
    here->session->unlisten(listener);
    reply->keep(released.has_value());
}

// ---- acquiring ----

std::optional<Error> ThreadLock::State::refusal(ThreadNumber caller, Side side, bool waits)
{
    if (shut)
        return closedError();
    ThreadOwners::Seat* seat = owners.find(caller);
    if (!seat)
        return std::nullopt;
    if (seat->level(side).lost)
        return Error{ErrorCode::sessionLost, "The lock " + path + " was lost while this thread held it.",
                     "Unlock it as often as it was locked, then lock it again."};
    const bool upgrade = side == Side::exclusive && seat->level(Side::exclusive).depth == 0 &&
                         seat->level(Side::shared).depth > 0;
    if (upgrade && waits)
        return Error{ErrorCode::busy,
                     "This thread holds the lock " + path + " shared and would wait for itself.",
                     "Unlock it before locking it exclusively."};
    return std::nullopt;
}

zk::Awaitable<void> ThreadLock::State::acquireAndTell(std::shared_ptr<State> state, Caller caller, Side side,
                                                      std::optional<Duration> limit,
                                                      std::shared_ptr<Reply<Grant>> reply)
{
    Result<Grant> grant = co_await acquire(state, caller, side, limit);
    reply->keep(std::move(grant));
}

zk::Awaitable<Result<Grant>> ThreadLock::State::acquire(std::shared_ptr<State> state, Caller caller,
                                                        Side side, std::optional<Duration> limit)
{
    if (const auto refused = state->refusal(caller.number, side, !limit)) {
        co_return *refused;
    }
    if (state->closer == 0)
        state->closer = state->io->atClosing([state] { state->shutDown(); });
    ThreadOwners::Seat& seat = state->owners.enter(caller);
    seat.waiting = true;
    const Result<Grant> grant = co_await acquireOnASession(state, caller.number, side, limit);
    seat.waiting = false;
    const bool ours = grant && !state->shut; // else it goes with its recipe
    if (ours) {
        ++seat.level(side).depth;
        seat.level(side).token = grant->token;
    }
    state->owners.leave(caller.number);
    if (grant && !ours) {
        co_return closedError();
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
        const Result<HubSessionPtr> session = co_await state->keeper->connected(left);
        if (!session) {
            co_return session.error();
        }
        if (const auto refused = state->refusal(caller, side, !limit)) {
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
    const Cancel cancel;
    const auto everybody = state->everybody.listen([cancel] { cancel.request(); });
    zk::Session::ListenerId phase = 0;
    if (limit && *limit <= Duration{}) { // a look must not wait for a connection to come back
        phase = here->session->listen([cancel](zk::SessionPhase) { cancel.request(); });
    }
    const Result<Grant> grant = co_await here->on(side).acquire(owner, limit, cancel);
    state->everybody.unlisten(everybody);
    here->session->unlisten(phase);
    if (!grant && grant.error().code == ErrorCode::cancelled) {
        if (state->shut) {
            co_return closedError();
        }
        co_return Error{ErrorCode::timedOut, "The lock " + state->path + " could not be looked at.", ""};
    }
    co_return grant;
}

} // namespace lockscope::lock
