#include "core/lock/blocking/leader_latch.h"

#include "core/lock/blocking/client.h"
#include "core/lock/blocking/internal/acquire_on_session.h"
#include "core/lock/blocking/internal/client_state.h"
#include "core/lock/blocking/lock_error.h"
#include "core/lock/mutex.h"

#include <condition_variable>
#include <mutex>

namespace lockscope::lock {

namespace {

constexpr Duration kPauseAfterError = std::chrono::seconds(1);

LockOptions latchOptions(LockOptions options)
{
    options.naming = {.lockName = "latch-"};
    options.handoff = HandoffPolicy::curator; // an announcement would change the id
    options.keptGuid.clear();
    return options;
}

} // namespace

// I/O thread, except for what `guard` guards.
struct LeaderLatch::State : ClientState<State, std::optional<Zxid>>
{
    State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions, LockOptions given)
        : ClientState(std::move(thread), std::move(sessions), latchOptions(std::move(given)))
        , changed(io->hub())
    {}
    void end();
    void lead(std::optional<Zxid> now);
    void fail(const Error& error);
    static zk::Awaitable<void> campaign(std::shared_ptr<State> state);
    static zk::Awaitable<Result<void>> take(std::shared_ptr<State> state, HubSessionPtr session);
    static zk::Awaitable<void> leave(std::shared_ptr<State> state, std::shared_ptr<Reply<void>> reply);

    zk::Signal changed;                // wakes the campaign
    std::unique_ptr<zk::Signal> ended; // wakes leave()
    CancelToken cancel;
    bool started = false;
    bool running = false; // the campaign
    Result<void> released{};

    mutable std::mutex guard;
    std::condition_variable told;
    std::optional<Zxid> token;
    std::optional<Error> over; // it will not lead any more
};

void LeaderLatch::State::lead(std::optional<Zxid> now)
{
    {
        const std::lock_guard lock(guard);
        if (token == now)
            return;
        token = now;
    }
    told.notify_all();
    listeners.notify(now); // may destroy the latch
}

void LeaderLatch::State::fail(const Error& error)
{
    {
        const std::lock_guard lock(guard);
        if (!over)
            over = error;
    }
    told.notify_all();
}

void LeaderLatch::State::end()
{
    if (!beginEnd())
        return;
    fail(closed(message("The leader latch %1 was closed.", options.path)));
    cancel.request();
    changed.notify();
    lead(std::nullopt);
}

// Its part on one session: from the end of the queue to the end of the leadership.
zk::Awaitable<Result<void>> LeaderLatch::State::take(std::shared_ptr<State> state, HubSessionPtr session)
{
    const auto mutex = std::make_shared<Mutex>(session, state->options);
    const auto lost = std::make_shared<bool>(false);
    mutex->onLost([state, lost](OwnerId) {
        *lost = true;
        state->lead(std::nullopt);
        state->changed.notify();
    });
    const auto acquire = [mutex](const CancelToken& cancel) {
        return mutex->acquire(kOnlyOwner, std::nullopt, cancel);
    };
    const Result<Grant> grant =
        co_await acquireOnSession<Grant>(session, state->cancel, std::nullopt, acquire);
    if (!grant) {
        co_return grant.error();
    }
    if (!*lost && !state->isShutDown)
        state->lead(grant->token);
    while (!*lost && !state->isShutDown)
        co_await state->changed.wait();
    if (!*lost)
        state->released = co_await mutex->release().asResult();
    co_return Result<void>{};
}

zk::Awaitable<void> LeaderLatch::State::campaign(std::shared_ptr<State> state)
{
    if (state->isShutDown || std::exchange(state->started, true)) {
        co_return;
    }
    state->running = true;
    state->endWithClient();
    while (!state->isShutDown && !state->io->isClosing()) {
        const Result<HubSessionPtr> session = co_await state->sessionManager->connected(std::nullopt);
        Result<void> taken = session ? Result<void>{} : Result<void>(session.error());
        if (session)
            taken = co_await take(state, *session);
        if (taken || taken.error().code == ErrorCode::sessionLost || state->isShutDown)
            continue;
        state->io->report(taken.error());
        if (taken.error().code == ErrorCode::noAuth || taken.error().code == ErrorCode::badUsage) {
            state->fail(taken.error());
            break;
        }
        zk::Hub& hub = state->io->hub();
        const zk::Scheduler::TimerId timer = hub.after(kPauseAfterError, state->changed.notifier());
        co_await state->changed.wait();
        hub.cancel(timer);
    }
    state->running = false;
    if (state->ended)
        state->ended->notify();
}

zk::Awaitable<void> LeaderLatch::State::leave(std::shared_ptr<State> state,
                                              std::shared_ptr<Reply<void>> reply)
{
    state->end();
    if (!state->ended)
        state->ended = std::make_unique<zk::Signal>(state->io->hub());
    while (state->running)
        co_await state->ended->wait();
    reply->deliverAtEnd(state->released);
}

// ---- the latch ----

LeaderLatch::LeaderLatch(const Client& client, std::string path, std::string id)
    : LeaderLatch(client, [&] {
        LockOptions options = LockOptions::at(std::move(path));
        options.nodeData = std::move(id);
        return options;
    }())
{}

LeaderLatch::LeaderLatch(const Client& client, LockOptions options)
    : m_path(options.path)
    , m_state(std::make_shared<State>(client.m_io, client.m_sessionManager, std::move(options)))
{}

void LeaderLatch::start()
{
    m_state->io->start(std::make_shared<Reply<void>>(),
                       [state = m_state.shared()] { return State::campaign(state); });
}

Result<void> LeaderLatch::close()
{
    const auto reply = std::make_shared<Reply<void>>();
    m_state->io->start(reply, [state = m_state.shared(), reply] { return State::leave(state, reply); });
    if (const std::optional<Result<void>> left = reply->waitFor(m_state->options.timeouts.unlock))
        return *left;
    return Error{ErrorCode::timedOut,
                 message("The server has not confirmed in time that the leader latch %1 has left.", m_path),
                 message("Its node is deleted in the background.")};
}

std::optional<Zxid> LeaderLatch::token() const
{
    const std::lock_guard lock(m_state->guard);
    return m_state->token;
}

// In this order: see BlockingLock::safeUntil().
std::optional<BootTime> LeaderLatch::safeUntil() const
{
    const std::optional<BootTime> until = m_state->sessionManager->safeUntil();
    return hasLeadership() ? until : std::nullopt;
}

bool LeaderLatch::wait(std::optional<Duration> limit)
{
    const std::shared_ptr<State> state = m_state.shared(); // it may be destroyed meanwhile
    if (state->io->isCurrent())
        throw LockError(Error{ErrorCode::busy,
                              message("This is the client's I/O thread, which would wait for itself."),
                              message("Use coroutines here, or wait on another thread.")});
    std::unique_lock lock(state->guard);
    const auto decided = [&] { return state->token || state->over; };
    if (!limit)
        state->told.wait(lock, decided);
    else if (!state->told.wait_for(lock, *limit, decided))
        return false;
    if (!state->token)
        throw LockError(*state->over);
    return true;
}

Result<std::vector<Participant>> LeaderLatch::participants() const
{
    const auto reply = std::make_shared<Reply<std::vector<Participant>>>();
    m_state->io->start(reply, [state = m_state.shared(), reply]() -> zk::Awaitable<void> {
        return [](std::shared_ptr<State> its,
                  std::shared_ptr<Reply<std::vector<Participant>>> to) -> zk::Awaitable<void> {
            const Result<HubSessionPtr> session = co_await its->sessionManager->connected(std::nullopt);
            if (!session) {
                to->deliverAtEnd(session.error());
                co_return;
            }
            Result<std::vector<Participant>> all =
                co_await readParticipants(*session, its->options.path, its->options.naming).asResult();
            to->deliverAtEnd(std::move(all));
        }(state, reply);
    });
    return reply->wait();
}

ListenerId LeaderLatch::onChange(std::function<void(std::optional<Zxid>)> callback)
{
    return m_state->listeners.add(std::move(callback));
}

void LeaderLatch::removeListener(ListenerId listener) { m_state->listeners.remove(listener); }

} // namespace lockscope::lock
