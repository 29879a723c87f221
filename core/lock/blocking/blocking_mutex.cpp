#include "core/lock/blocking/blocking_mutex.h"

#include "core/lock/blocking/client.h"
#include "core/lock/blocking/internal/acquire_on_session.h"
#include "core/lock/blocking/internal/client_state.h"
#include "core/lock/blocking/internal/published_holds.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"

namespace lockscope::lock {

struct BlockingLock::State : ClientState<State, LostHold>
{
    // A recipe bound to its session; calls that wait in it keep it alive.
    struct Bound
    {
        HubSessionPtr session;
        Recipe recipe;
        Lock& on(Side side) { return side == Side::exclusive ? *recipe.exclusive : *recipe.shared; }
    };

    State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions, LockOptions given,
          RecipeFactory factory);
    void end(); // releases holds, fails waiting calls, drops callbacks
    std::shared_ptr<Bound> bindTo(const HubSessionPtr& session);
    std::optional<Error> checkAcquire(ThreadNumber caller, Side side, bool waits);
    void lose(OwnerId owner, Side side);
    void publish(ThreadNumber thread, Side side); // after every change of the hold

    static zk::Awaitable<void> acquireAndDeliver(std::shared_ptr<State> state, Caller caller, Side side,
                                                 std::optional<Duration> limit,
                                                 std::shared_ptr<Refusal> refusal,
                                                 std::shared_ptr<Reply<Grant>> reply);
    static zk::Awaitable<Result<Grant>> acquire(std::shared_ptr<State> state, Caller caller, Side side,
                                                std::optional<Duration> limit,
                                                std::shared_ptr<Refusal> refusal);
    static zk::Awaitable<Result<Grant>> acquireOnASession(std::shared_ptr<State> state, ThreadNumber caller,
                                                          Side side, std::optional<Duration> limit);
    static zk::Awaitable<Result<Grant>> acquireHere(std::shared_ptr<State> state, std::shared_ptr<Bound> here,
                                                    OwnerId owner, Side side, std::optional<Duration> limit);
    // `reports`: errors go to onError instead of the caller. An error that comes too late for the caller is
    // reported in any case.
    static zk::Awaitable<void> release(std::shared_ptr<State> state, ThreadNumber caller, Side side,
                                       bool reports, std::shared_ptr<Reply<void>> reply);
    std::optional<Error> endLostHold(ThreadNumber caller, Side side);
    static zk::Task<void> releaseRest(std::shared_ptr<Bound> bound, Side side, OwnerId owner);
    void deliver(Reply<void>& reply, Result<void> released, bool reports);
    Error closed() const { return ClientState::closed(message("The lock %1 was destroyed.", path)); }
    Error noConnectionError() const;

    const std::string& path; // of the options
    RecipeFactory makeRecipe;
    std::shared_ptr<Bound> bound;
    ThreadOwners owners;
    PublishedHolds published;      // any thread
    CancelToken cancelAll;         // cancels all waiting acquires
    std::uint64_t releases = 0;    // number of releases so far
    bool explainsTimeouts = false; // a thread has asked who was ahead of it
};

BlockingLock::BlockingLock(const Client& client, LockOptions options, RecipeFactory makeRecipe)
    : m_path(options.path)
    , m_state(std::make_shared<State>(client.m_io, client.m_sessionManager, std::move(options),
                                      std::move(makeRecipe)))
{}

Result<Grant> BlockingLock::acquire(Side side, std::optional<Duration> limit, Refusal* refusal)
{
    const auto reply = std::make_shared<Reply<Grant>>();
    const auto learned = refusal ? std::make_shared<Refusal>() : nullptr;
    m_state->io->start(reply,
                       [state = m_state.shared(), caller = Caller::current(), side, limit, learned, reply] {
                           return State::acquireAndDeliver(state, caller, side, limit, learned, reply);
                       });
    Result<Grant> grant = reply->wait();
    if (refusal)
        *refusal = *learned;
    return grant;
}

void BlockingLock::lock(Side side)
{
    const Result<Grant> grant = acquire(side, std::nullopt);
    if (!grant)
        throw LockError(grant.error());
}

bool BlockingLock::tryLock(Side side, Duration limit, Refusal* refusal)
{
    const Result<Grant> grant = acquire(side, limit, refusal);
    if (!grant && grant.error().code != ErrorCode::timedOut)
        throw LockError(grant.error());
    return grant.has_value();
}

void BlockingLock::unlock(Side side) noexcept
{
    try {
        const Result<void> released = release(side, true);
        if (m_state->io->isCurrent())
            m_state->io->report(released.error()); // busy
    } catch (...) {
        // Out of memory: the lock stays held until the session ends.
    }
}

Result<void> BlockingLock::release(Side side, bool reports)
{
    const auto reply = std::make_shared<Reply<void>>();
    m_state->io->start(reply, [state = m_state.shared(), caller = Caller::current().number, side, reports,
                               reply] { return State::release(state, caller, side, reports, reply); });
    const std::optional<Result<void>> released = reply->waitFor(m_state->options.timeouts.unlock);
    if (released)
        return *released;
    return Error{ErrorCode::timedOut,
                 message("The server has not confirmed the release of the lock %1 in time.", m_path),
                 message("The release continues in the background.")};
}

std::optional<HeldTokens> BlockingLock::held(Side side) const
{
    return m_state->published.get(Caller::current().number, side);
}

// In this order, because the session may be replaced between the two:
//
//   this thread                               I/O thread
//   -----------------------------------       ---------------------------------------------
//   looks: the hold is there
//                                             the session is lost: the hold goes
//                                             the next session is answered: a moment far away
//   reads that moment: of another session
std::optional<BootTime> BlockingLock::safeUntil(Side side) const
{
    const std::optional<BootTime> until = m_state->sessionManager->safeUntil();
    return held(side) ? until : std::nullopt;
}

ListenerId BlockingLock::onLost(LostCallback callback) { return m_state->listeners.add(std::move(callback)); }

void BlockingLock::removeLostListener(ListenerId listener) { m_state->listeners.remove(listener); }

// ---- the state, on the I/O thread ----

BlockingLock::State::State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions,
                           LockOptions given, RecipeFactory factory)
    : ClientState(std::move(thread), std::move(sessions), std::move(given))
    , path(options.path)
    , makeRecipe(std::move(factory))
{}

void BlockingLock::State::end()
{
    if (!beginEnd())
        return;
    listeners.clear();
    published.clear();
    for (auto& [number, entry] : owners.all())
        for (ThreadOwners::HoldState& holdState : entry.holdStates)
            holdState.lost = true;
    bound.reset();
    cancelAll.request();
}

std::shared_ptr<BlockingLock::State::Bound> BlockingLock::State::bindTo(const HubSessionPtr& session)
{
    if (bound && bound->session == session)
        return bound;
    bound = std::make_shared<Bound>(Bound{session, makeRecipe(session, options)});
    const auto deliver = [this](Lock& lock, Side side) {
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

void BlockingLock::State::lose(OwnerId owner, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(owner);
    if (!entry || entry->holdState(side).depth == 0)
        return;
    ThreadOwners::HoldState& holdState = entry->holdState(side);
    holdState.lost = true;
    publish(entry->number, side);
    listeners.notify(
        LostHold{entry->thread, holdState.tokens.token, holdState.tokens.parts}); // may destroy the lock
}

void BlockingLock::State::publish(ThreadNumber thread, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(thread);
    const bool holds =
        entry && entry->holdState(side).depth > 0 && !entry->holdState(side).lost && !isShutDown;
    published.set(thread, side, holds ? std::optional(entry->holdState(side).tokens) : std::nullopt);
}

// The error of a release, or none when the thread holds the lock. Ends one level of a lost hold.
std::optional<Error> BlockingLock::State::endLostHold(ThreadNumber caller, Side side)
{
    ThreadOwners::OwnerEntry* entry = owners.find(caller);
    if (!entry || entry->holdState(side).depth == 0)
        return Error{ErrorCode::notOwner,
                     message("The lock %1 is not held by the thread that unlocks it.", path),
                     message("Unlock exactly as often as you locked, on the same thread.")};
    ThreadOwners::HoldState& holdState = entry->holdState(side);
    if (!holdState.lost)
        return std::nullopt;
    if (--holdState.depth == 0) {
        holdState = {};
        if (bound)
            runInBackground(io->hub(), releaseRest(bound, side, entry->owner));
    }
    owners.removeIfIdle(caller);
    return Error{ErrorCode::sessionLost, message("The lock %1 was lost before it was unlocked.", path), {}};
}

// Releases the remaining parts of a multi-lock that lost a part.
zk::Task<void> BlockingLock::State::releaseRest(std::shared_ptr<Bound> bound, Side side, OwnerId owner)
{
    co_await bound->on(side).release(owner); // its error is that of the lost part
}

void BlockingLock::State::deliver(Reply<void>& reply, Result<void> released, bool reports)
{
    const bool late = !reply.claim();
    const bool matters = !released && (released.error().code == ErrorCode::noAuth ||
                                       released.error().code == ErrorCode::notOwner);
    if (matters && (reports || late))
        io->report(released.error());
    reply.deliverAtEnd(std::move(released));
}

// Without a connection it does not wait: the node is deleted after the reconnect, or with the session. While
// the release of the last level is under way, the thread does not hold the lock; when the server refuses the
// release, the thread holds the lock again.
zk::Awaitable<void> BlockingLock::State::release(std::shared_ptr<State> state, ThreadNumber caller, Side side,
                                                 bool reports, std::shared_ptr<Reply<void>> reply)
{
    if (const std::optional<Error> error = state->endLostHold(caller, side)) {
        state->deliver(*reply, *error, reports);
        co_return;
    }
    ThreadOwners::OwnerEntry& entry = *state->owners.find(caller);
    const OwnerId owner = entry.owner;
    const ThreadOwners::HoldState before = entry.holdState(side);
    const std::uint64_t number = ++state->releases;
    if (--entry.holdState(side).depth == 0)
        entry.holdState(side) = {};
    entry.holdState(side).release = number; // keeps the owner id from being reused
    state->publish(caller, side);
    const std::shared_ptr<Bound> here = state->bound;
    const auto listener = here->session->addListener(
        [state, reply](zk::SessionPhase) { reply->deliver(state->noConnectionError()); });
    if (here->session->phase() != zk::SessionPhase::connected)
        reply->deliver(state->noConnectionError());
    const Result<void> released = co_await here->on(side).release(owner).asResult();
    here->session->removeListener(listener);
    ThreadOwners::OwnerEntry* left = state->owners.find(caller);
    if (left && left->holdState(side).release == number) { // otherwise it was locked again meanwhile
        left->holdState(side).release = 0;
        if (!released && here->on(side).depth(owner) > 0) {
            left->holdState(side) = before;
            left->holdState(side).refused = true;
            state->publish(caller, side);
        }
        state->owners.removeIfIdle(caller);
    }
    state->deliver(*reply, released, reports);
}

// ---- acquiring ----

Error BlockingLock::State::noConnectionError() const
{
    return Error{ErrorCode::connectionLost,
                 message("There is no connection to confirm the release of the lock %1.", path),
                 message("The release continues in the background.")};
}

std::optional<Error> BlockingLock::State::checkAcquire(ThreadNumber caller, Side side, bool waits)
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

zk::Awaitable<void> BlockingLock::State::acquireAndDeliver(std::shared_ptr<State> state, Caller caller,
                                                           Side side, std::optional<Duration> limit,
                                                           std::shared_ptr<Refusal> refusal,
                                                           std::shared_ptr<Reply<Grant>> reply)
{
    Result<Grant> grant = co_await acquire(state, caller, side, limit, refusal);
    reply->deliverAtEnd(std::move(grant));
}

zk::Awaitable<Result<Grant>> BlockingLock::State::acquire(std::shared_ptr<State> state, Caller caller,
                                                          Side side, std::optional<Duration> limit,
                                                          std::shared_ptr<Refusal> refusal)
{
    if (const auto refused = state->checkAcquire(caller.number, side, !limit)) {
        co_return *refused;
    }
    state->endWithClient();
    ThreadOwners::OwnerEntry& entry = state->owners.findOrAdd(caller);
    entry.waiting = true;
    state->explainsTimeouts = state->explainsTimeouts || refusal;
    const Result<Grant> grant = co_await acquireOnASession(state, caller.number, side, limit);
    entry.waiting = false;
    // Taken in any case: the id of this owner will be another thread's.
    if (state->explainsTimeouts && !grant && state->bound)
        if (const auto learned = state->bound->on(side).takeRefusal(entry.owner); learned && refusal)
            *refusal = *learned;
    const bool ours = grant && !state->isShutDown; // otherwise it is released with its recipe
    if (ours)
        entry.holdState(side) =
            ThreadOwners::HoldState{grant->depth, false, false, 0, {grant->token, grant->parts}};
    state->publish(caller.number, side);
    state->owners.removeIfIdle(caller.number);
    if (grant && !ours) {
        co_return state->closed();
    }
    co_return grant;
}

// An acquire that is waiting when the session is lost queues up again in the next one. A reentrant acquire
// fails instead: the surrounding section has lost its lock.
zk::Awaitable<Result<Grant>> BlockingLock::State::acquireOnASession(std::shared_ptr<State> state,
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

zk::Awaitable<Result<Grant>> BlockingLock::State::acquireHere(std::shared_ptr<State> state,
                                                              std::shared_ptr<Bound> here, OwnerId owner,
                                                              Side side, std::optional<Duration> limit)
{
    if (state->explainsTimeouts)
        here->on(side).explainTimeouts();
    const auto acquire = [here, owner, side, limit](const CancelToken& cancel) {
        return here->on(side).acquire(owner, limit, cancel);
    };
    const Result<Grant> grant =
        co_await acquireOnSession<Grant>(here->session, state->cancelAll, limit, acquire);
    // What is stored next must not undo a loss that was reported meanwhile.
    if (grant && here->on(side).depth(owner) == 0) {
        co_return Error{ErrorCode::sessionLost,
                        message("The lock %1 was lost as soon as it was acquired.", state->path),
                        {}};
    }
    if (!grant && grant.error().code == ErrorCode::cancelled) {
        if (state->isShutDown) {
            co_return state->closed();
        }
        co_return Error{ErrorCode::timedOut,
                        message("The server did not answer whether the lock %1 is free.", state->path),
                        {}};
    }
    co_return grant;
}

// ---- the locks ----

BlockingMutex::BlockingMutex(const Client& client, std::string path)
    : BlockingMutex(client, LockOptions::at(std::move(path)))
{}

BlockingMutex::BlockingMutex(const Client& client, LockOptions options)
    : BlockingLock(client, std::move(options), [](zk::SessionPtr session, const LockOptions& own) {
        return Recipe{std::make_shared<Mutex>(std::move(session), own), nullptr};
    })
{}

BlockingSharedMutex::BlockingSharedMutex(const Client& client, std::string path)
    : BlockingSharedMutex(client, LockOptions::at(std::move(path)))
{}

// Each side keeps the whole read/write lock alive.
BlockingSharedMutex::BlockingSharedMutex(const Client& client, LockOptions options)
    : BlockingLock(client, std::move(options), [](zk::SessionPtr session, const LockOptions& own) {
        const auto whole = std::make_shared<ReadWriteLock>(std::move(session), own);
        return Recipe{std::shared_ptr<Lock>(whole, &whole->writeLock()),
                      std::shared_ptr<Lock>(whole, &whole->readLock())};
    })
{}

namespace {

std::vector<LockOptions> partsAt(const std::vector<std::string>& paths)
{
    std::vector<LockOptions> options;
    for (const std::string& path : paths)
        options.push_back(LockOptions::at(path));
    return options;
}

// The options of the multi-lock itself: its path for messages, its onError for the parts, and the timeouts of
// the first one.
LockOptions wholeOf(const std::vector<LockOptions>& parts)
{
    if (parts.empty())
        throw LockError(Error{ErrorCode::badUsage, message("A multi-lock has no path."),
                              message("Give it one or more paths.")});
    LockOptions whole;
    whole.timeouts = parts.front().timeouts;
    for (const LockOptions& part : parts)
        whole.path += (whole.path.empty() ? "" : " + ") + part.path;
    return whole;
}

} // namespace

BlockingMultiLock::BlockingMultiLock(const Client& client, const std::vector<std::string>& paths)
    : BlockingMultiLock(client, partsAt(paths))
{}

BlockingMultiLock::BlockingMultiLock(const Client& client, std::initializer_list<std::string_view> paths)
    : BlockingMultiLock(client, std::vector<std::string>(paths.begin(), paths.end()))
{}

BlockingMultiLock::BlockingMultiLock(const Client& client, std::vector<LockOptions> parts)
    : BlockingLock(client, wholeOf(parts), [parts](const zk::SessionPtr& session, const LockOptions& whole) {
        std::vector<std::shared_ptr<Lock>> mutexes;
        for (LockOptions part : parts) {
            if (!part.onError)
                part.onError = whole.onError;
            mutexes.push_back(std::make_shared<Mutex>(session, std::move(part)));
        }
        return Recipe{std::make_shared<MultiLock>(std::move(mutexes), whole.timeouts), nullptr};
    })
{}

} // namespace lockscope::lock
