#include "core/lock/blocking/blocking_semaphore.h"

#include "core/lock/blocking/client.h"
#include "core/lock/blocking/internal/acquire_on_session.h"
#include "core/lock/blocking/internal/client_state.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace lockscope::lock {

// Kept alive by leases, too.
struct BlockingSemaphore::State : ClientState<State, Lease>
{
    // A semaphore bound to its session. Calls that wait in it keep it alive; leases do not, because they may
    // be destroyed on any thread.
    struct Bound
    {
        HubSessionPtr session;
        std::uint64_t number = 0;
        Semaphore semaphore;
    };

    State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> manager,
          BlockingSemaphoreOptions given);
    void end(); // releases leases, fails waiting calls, drops callbacks
    void bindTo(const HubSessionPtr& session, std::shared_ptr<SharedCount> count);
    void lose(const Lease& lease);
    Error closed() const
    {
        return ClientState::closed(message("The semaphore %1 was destroyed.", options.path));
    }
    Error unanswered() const; // the error of a try without an answer

    static zk::Awaitable<void>
    acquireAndDeliver(std::shared_ptr<State> state, std::uint32_t number, std::optional<Duration> limit,
                      std::shared_ptr<Refusal> refusal,
                      std::shared_ptr<Reply<std::shared_ptr<HeldLeases::Set>>> reply);
    static zk::Awaitable<Result<std::shared_ptr<HeldLeases::Set>>> acquire(std::shared_ptr<State> state,
                                                                           std::uint32_t number,
                                                                           std::optional<Duration> limit,
                                                                           std::shared_ptr<Refusal> refusal);
    static zk::Awaitable<Result<void>> bind(std::shared_ptr<State> state, HubSessionPtr session,
                                            std::optional<Duration> limit);
    static zk::Task<void> release(std::shared_ptr<HeldLeases::Set> set, bool reports,
                                  std::shared_ptr<Reply<void>> reply);

    const std::uint32_t maxLeases;
    const std::string countPath;
    std::shared_ptr<Bound> bound;
    std::uint64_t sessions = 0;                      // number of sessions so far
    std::set<std::shared_ptr<HeldLeases::Set>> sets; // that are held
    CancelToken cancelAll;                           // cancels all waiting acquires
    OwnerId::Value curious = 0;                      // acquires so far that want to know who holds leases
};

// Any thread; `leases` changes on the I/O thread.
struct HeldLeases::Set
{
    Set(std::shared_ptr<BlockingSemaphore::State> itsState, std::uint64_t number, std::vector<Lease> acquired)
        : state(std::move(itsState))
        , session(number)
        , all(std::move(acquired))
        , leases(all)
    {}
    void lose(const std::string& node)
    {
        const std::lock_guard lock(mutex);
        std::erase_if(leases, [&](const Lease& lease) { return lease.node == node; });
    }
    void set(std::vector<Lease> held)
    {
        const std::lock_guard lock(mutex);
        leases = std::move(held);
    }
    bool contains(const Lease& lease) const
    {
        return std::any_of(all.begin(), all.end(), [&](const Lease& one) { return one.node == lease.node; });
    }

    const std::shared_ptr<BlockingSemaphore::State> state;
    const std::uint64_t session;  // Bound::number
    const std::vector<Lease> all; // as acquired
    mutable std::mutex mutex;
    std::vector<Lease> leases; // those still held
};

// ---- from other threads ----

namespace {

BlockingSemaphoreOptions optionsAt(std::string path, std::uint32_t leases)
{
    return {LockOptions::at(std::move(path)), leases, {}};
}

} // namespace

HeldLeases& HeldLeases::operator=(HeldLeases&& other) noexcept
{
    HeldLeases old(std::exchange(m_set, std::move(other.m_set)));
    return *this;
}

HeldLeases::~HeldLeases()
{
    if (!m_set)
        return;
    try {
        IoThread& io = *m_set->state->io;
        const auto reply = std::make_shared<Reply<void>>();
        const auto release = [set = m_set, reply] {
            zk::startDetached(BlockingSemaphore::State::release(set, true, reply));
        };
        if (io.isCurrent()) {
            release();
            return;
        }
        io.call(reply, release);
        static_cast<void>(reply->waitFor(m_set->state->options.timeouts.unlock));
    } catch (...) {
        // Out of memory: the leases stay held until the session ends.
    }
}

bool HeldLeases::isHeld() const
{
    if (!m_set)
        return false;
    const std::lock_guard lock(m_set->mutex);
    return m_set->leases.size() == m_set->all.size();
}

std::vector<Zxid> HeldLeases::tokens() const
{
    std::vector<Zxid> tokens;
    if (!m_set)
        return tokens;
    const std::lock_guard lock(m_set->mutex);
    for (const Lease& lease : m_set->leases)
        tokens.push_back(lease.token.value_or(Zxid::none()));
    return tokens;
}

Result<void> HeldLeases::release()
{
    if (!m_set)
        return Result<void>{};
    const auto reply = std::make_shared<Reply<void>>();
    m_set->state->io->call(reply, [set = m_set, reply] {
        zk::startDetached(BlockingSemaphore::State::release(set, false, reply));
    });
    const std::optional<Result<void>> released = reply->waitFor(m_set->state->options.timeouts.unlock);
    if (!released) {
        const std::string path = m_set->state->options.path;
        m_set.reset();
        return Error{ErrorCode::timedOut,
                     message("The server has not confirmed the release of the semaphore %1 in time.", path),
                     message("The release continues in the background.")};
    }
    const bool stays = !*released && (released->error().code == ErrorCode::noAuth ||
                                      released->error().code == ErrorCode::busy);
    if (!stays)
        m_set.reset();
    return *released;
}

BlockingSemaphore::BlockingSemaphore(const Client& client, std::string path, std::uint32_t leases)
    : BlockingSemaphore(client, optionsAt(std::move(path), leases))
{}

BlockingSemaphore::BlockingSemaphore(const Client& client, BlockingSemaphoreOptions options)
    : m_path(options.lock.path)
    , m_state(std::make_shared<State>(client.m_io, client.m_sessionManager, std::move(options)))
{}

Result<HeldLeases> BlockingSemaphore::acquire(std::uint32_t count, std::optional<Duration> limit,
                                              Refusal* refusal)
{
    const auto reply = std::make_shared<Reply<std::shared_ptr<HeldLeases::Set>>>();
    const auto learned = refusal ? std::make_shared<Refusal>() : nullptr;
    m_state->io->start(reply, [state = m_state.shared(), count, limit, learned, reply] {
        return State::acquireAndDeliver(state, count, limit, learned, reply);
    });
    Result<std::shared_ptr<HeldLeases::Set>> set = reply->wait();
    if (refusal)
        *refusal = *learned;
    if (!set)
        return set.error();
    return HeldLeases(std::move(*set));
}

HeldLeases BlockingSemaphore::acquire(std::uint32_t count)
{
    Result<HeldLeases> held = acquire(count, std::nullopt, nullptr);
    if (!held)
        throw LockError(held.error());
    return std::move(*held);
}

HeldLeases BlockingSemaphore::tryAcquire(std::uint32_t count, Duration limit, Refusal* refusal)
{
    Result<HeldLeases> held = acquire(count, limit, refusal);
    if (held)
        return std::move(*held);
    if (held.error().code != ErrorCode::timedOut)
        throw LockError(held.error());
    return {};
}

ListenerId BlockingSemaphore::onLost(std::function<void(const Lease&)> callback)
{
    return m_state->listeners.add(std::move(callback));
}

void BlockingSemaphore::removeLostListener(ListenerId listener) { m_state->listeners.remove(listener); }

// ---- the state, on the I/O thread ----

BlockingSemaphore::State::State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> manager,
                                BlockingSemaphoreOptions given)
    : ClientState(std::move(thread), std::move(manager), std::move(given.lock))
    , maxLeases(given.leases)
    , countPath(std::move(given.countPath))
{}

void BlockingSemaphore::State::end()
{
    if (!beginEnd())
        return;
    listeners.clear();
    for (const auto& set : std::exchange(sets, {}))
        set->set({});
    cancelAll.request();
    bound.reset();
}

void BlockingSemaphore::State::bindTo(const HubSessionPtr& session, std::shared_ptr<SharedCount> count)
{
    SemaphoreOptions own{options, maxLeases, std::move(count), {}};
    bound = std::make_shared<Bound>(Bound{session, ++sessions, Semaphore(session, std::move(own))});
    bound->semaphore.onLost([weak = weak_from_this()](const Lease& lease) {
        if (const auto self = weak.lock())
            self->lose(lease);
    });
}

void BlockingSemaphore::State::lose(const Lease& lease)
{
    for (const auto& set : sets)
        set->lose(lease.node);
    listeners.notify(lease); // a listener may destroy the semaphore
}

Error BlockingSemaphore::State::unanswered() const
{
    return Error{ErrorCode::timedOut,
                 message("The server did not answer whether the semaphore %1 has a lease.", options.path),
                 {}};
}

zk::Awaitable<Result<void>> BlockingSemaphore::State::bind(std::shared_ptr<State> state,
                                                           HubSessionPtr session,
                                                           std::optional<Duration> limit)
{
    if (state->bound && state->bound->session == session) {
        co_return Result<void>{};
    }
    std::shared_ptr<SharedCount> count;
    if (!state->countPath.empty()) {
        count = std::make_shared<SharedCount>(
            session, state->countPath, static_cast<std::int32_t>(state->maxLeases), state->options.timeouts);
        const auto startHere = [count, limit](const CancelToken& cancel) {
            return count->start(limit, cancel);
        };
        const Result<std::int32_t> started =
            co_await acquireOnSession<std::int32_t>(session, state->cancelAll, limit, startHere);
        if (!started && started.error().code == ErrorCode::cancelled) {
            co_return state->unanswered();
        }
        if (!started) {
            co_return started.error();
        }
    }
    // The acquire of another thread may have bound it meanwhile.
    if (!state->isShutDown && !(state->bound && state->bound->session == session))
        state->bindTo(session, std::move(count));
    co_return Result<void>{};
}

zk::Awaitable<void>
BlockingSemaphore::State::acquireAndDeliver(std::shared_ptr<State> state, std::uint32_t number,
                                            std::optional<Duration> limit, std::shared_ptr<Refusal> refusal,
                                            std::shared_ptr<Reply<std::shared_ptr<HeldLeases::Set>>> reply)
{
    Result<std::shared_ptr<HeldLeases::Set>> set = co_await acquire(state, number, limit, refusal);
    reply->deliverAtEnd(std::move(set));
}

// An acquire that is waiting when the session is lost queues up again in the next one.
zk::Awaitable<Result<std::shared_ptr<HeldLeases::Set>>>
BlockingSemaphore::State::acquire(std::shared_ptr<State> state, std::uint32_t number,
                                  std::optional<Duration> limit, std::shared_ptr<Refusal> refusal)
{
    const OwnerId owner{refusal ? ++state->curious : 0}; // so that it finds its own
    state->endWithClient();
    zk::Hub& hub = state->io->hub();
    const auto timeLeft = [&hub, limit, begin = hub.now()]() -> std::optional<Duration> {
        if (!limit)
            return std::nullopt;
        return std::max<Duration>(*limit - (hub.now() - begin), Duration{});
    };
    for (;;) {
        const Result<HubSessionPtr> session = co_await state->sessionManager->connected(timeLeft());
        if (!session) {
            co_return session.error();
        }
        const Result<void> ready = co_await bind(state, *session, timeLeft());
        if (state->isShutDown) {
            co_return state->closed();
        }
        if (!ready && ready.error().code == ErrorCode::sessionLost)
            continue;
        if (!ready) {
            co_return ready.error();
        }
        const std::shared_ptr<Bound> here = state->bound;
        const std::optional<Duration> left = timeLeft();
        if (refusal)
            here->semaphore.explainTimeouts();
        const auto acquireHere = [here, owner, number, left](const CancelToken& cancel) {
            return here->semaphore.acquire(owner, number, left, cancel);
        };
        const Result<std::vector<Lease>> leases =
            co_await acquireOnSession<std::vector<Lease>>(here->session, state->cancelAll, left, acquireHere);
        if (state->isShutDown) { // the leases are released with the semaphore
            co_return state->closed();
        }
        if (leases) {
            const auto set = std::make_shared<HeldLeases::Set>(state, here->number, *leases);
            state->sets.insert(set);
            co_return set;
        }
        if (refusal)
            *refusal = here->semaphore.takeRefusal(owner).value_or(Refusal{});
        if (leases.error().code == ErrorCode::cancelled) {
            co_return state->unanswered();
        }
        if (leases.error().code != ErrorCode::sessionLost) {
            co_return leases.error();
        }
    }
}

// Without a connection it does not wait: the nodes are deleted after the reconnect, or with the session.
zk::Task<void> BlockingSemaphore::State::release(std::shared_ptr<HeldLeases::Set> set, bool reports,
                                                 std::shared_ptr<Reply<void>> reply)
{
    const std::shared_ptr<State> state = set->state;
    const std::shared_ptr<Bound> here = state->bound;
    const std::string& path = state->options.path;
    state->sets.erase(set);
    set->set({});
    if (state->isShutDown || !here || here->number != set->session) {
        reply->deliver(
            state->isShutDown
                ? state->closed()
                : Error{ErrorCode::sessionLost,
                        message("The leases of the semaphore %1 were lost with the session.", path),
                        {}});
        co_return;
    }
    const Error unconfirmed{
        ErrorCode::connectionLost,
        message("There is no connection to confirm the release of the semaphore %1.", path),
        message("The release continues in the background.")};
    const auto listener =
        here->session->addListener([reply, unconfirmed](zk::SessionPhase) { reply->deliver(unconfirmed); });
    if (here->session->phase() != zk::SessionPhase::connected)
        reply->deliver(unconfirmed);
    Result<void> released = co_await here->semaphore.release(set->all);
    here->session->removeListener(listener);
    const bool refused = !released && released.error().code == ErrorCode::noAuth;
    if (refused && !state->isShutDown) { // the leases that the server did not delete are still held
        std::vector<Lease> held = here->semaphore.held();
        std::erase_if(held, [&](const Lease& lease) { return !set->contains(lease); });
        set->set(std::move(held));
        state->sets.insert(set);
    }
    const bool late = !reply->claim();
    if (refused && (reports || late))
        state->io->report(released.error());
    reply->deliver(std::move(released));
}

} // namespace lockscope::lock
