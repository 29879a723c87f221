#include "core/lock/blocking/cohort_mutex.h"

#include "core/lock/blocking/client.h"
#include "core/lock/blocking/internal/client_state.h"
#include "core/lock/blocking/internal/node_keeper.h"
#include "core/lock/internal/refusal.h"

namespace lockscope::lock {

namespace {

class ThreadWaiter final : public Cohort::Waiter
{
public:
    using Waiter::Waiter;
    void wake() noexcept override { m_woken.notify_one(); }
    std::condition_variable& woken() { return m_woken; }

private:
    std::condition_variable m_woken;
};

// Of the keeper, without which no acquire is served.
class KeeperReply final : public ReplyBase
{
public:
    explicit KeeperReply(std::shared_ptr<Cohort> cohort)
        : m_cohort(std::move(cohort))
    {}
    void fail(Error error) override { m_cohort->close(error); }
    void finish(std::exception_ptr error) override
    {
        if (error)
            fail(closedError()); // out of memory
    }

private:
    std::shared_ptr<Cohort> m_cohort;
};

} // namespace

// Kept alive by waiting threads, too. The cohort: any thread.
struct CohortMutex::State : ClientState<State, LostHold>
{
    State(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions, LockOptions given,
          LocalHandoffs handoffs)
        : ClientState(std::move(thread), std::move(sessions), std::move(given))
        , cohort(std::make_shared<Cohort>(options.path, handoffs))
        , keeper(std::make_shared<NodeKeeper>(cohort, io->hub()))
    {}
    void end();
    void bindTo(const HubSessionPtr& next);
    Result<Grant> acquire(std::optional<Duration> limit, Refusal* refusal); // the calling thread
    void startKeeper();                                                     // the calling thread
    void letGo(std::uint64_t node, bool reports, const std::shared_ptr<Reply<void>>& reply);
    static zk::Awaitable<void> keep(std::shared_ptr<State> state);
    static zk::Awaitable<void> giveUp(std::shared_ptr<State> state, std::shared_ptr<Refusal> refusal,
                                      std::shared_ptr<Reply<void>> reply);

    const std::shared_ptr<Cohort> cohort;
    const std::shared_ptr<NodeKeeper> keeper;
    HubSessionPtr session; // of the mutex
    std::shared_ptr<Mutex> mutex;
};

void CohortMutex::State::end()
{
    if (!beginEnd())
        return;
    cohort->close(closed(message("The lock %1 was destroyed.", options.path)));
    keeper->end();
    mutex.reset();
}

void CohortMutex::State::bindTo(const HubSessionPtr& next)
{
    if (session == next && mutex)
        return;
    session = next;
    mutex = std::make_shared<Mutex>(session, options);
    mutex->onLost([weak = weak_from_this()](OwnerId) {
        const auto self = weak.lock();
        const auto lost = self ? self->keeper->lost() : std::nullopt;
        if (lost)
            self->listeners.notify(LostHold{lost->member.id, lost->grant.token}); // may destroy the lock
    });
    session->addListener(
        [all = cohort](zk::SessionPhase phase) { all->setConnected(phase == zk::SessionPhase::connected); });
}

// Runs while a thread waits.
zk::Awaitable<void> CohortMutex::State::keep(std::shared_ptr<State> state)
{
    state->endWithClient();
    std::optional<Duration> limit;
    while (state->cohort->wants(&limit)) {
        const Result<HubSessionPtr> next = co_await state->sessionManager->connected(limit);
        if (!next) {
            state->cohort->refuse(next.error());
            continue;
        }
        if (!state->cohort->wants(&limit)) {
            co_return; // they have given up meanwhile
        }
        state->bindTo(*next);
        const Result<void> served =
            co_await NodeKeeper::serve(state->keeper, state->session, state->mutex, limit).asResult();
        if (served || served.error().code == ErrorCode::sessionLost)
            continue; // in the next session
        if (!state->cohort->refuse(served.error()) && served.error().code == ErrorCode::noAuth)
            state->io->report(served.error()); // the node that no thread waits for any more stays
    }
}

// ---- acquiring ----

void CohortMutex::State::startKeeper()
{
    try {
        io->start(std::make_shared<KeeperReply>(cohort), [self = shared_from_this()] { return keep(self); });
    } catch (...) { // out of memory
        cohort->close(closedError());
        throw;
    }
}

Result<Grant> CohortMutex::State::acquire(std::optional<Duration> limit, Refusal* refusal)
{
    if (io->isCurrent())
        return Error{ErrorCode::busy,
                     message("This is the client's I/O thread, which would wait for itself."),
                     message("Use coroutines here, or wait on another thread.")};
    ThreadWaiter waiter(Caller::current(), limit);
    const Cohort::Entry entry = cohort->enter(waiter);
    if (entry == Cohort::Entry::needsKeeper)
        startKeeper();
    const std::optional<Duration> most = waiter.isSingleTry ? options.timeouts.singleTry : limit;
    const bool ended = entry == Cohort::Entry::ended || cohort->await(waiter, waiter.woken(), most) ||
                       !cohort->giveUp(waiter);
    if (ended && (*waiter.outcome || waiter.outcome->error().code != ErrorCode::timedOut || !refusal))
        return *waiter.outcome;
    // When nothing of this process is left in the queue, or after `cleanUp`.
    const auto learned = refusal ? std::make_shared<Refusal>() : nullptr;
    const auto reply = std::make_shared<Reply<void>>();
    io->start(reply, [self = shared_from_this(), learned, reply] { return giveUp(self, learned, reply); });
    const std::optional<Result<void>> over = reply->waitFor(options.timeouts.cleanUp);
    if (refusal && over && *over)
        *refusal = *learned;
    if (ended)
        return *waiter.outcome;
    return Error{ErrorCode::timedOut, message("The lock %1 was not acquired in time.", options.path), {}};
}

// The list is sent before the delete of the node, if there is one; what it asks as sorts behind all nodes.
zk::Awaitable<void> CohortMutex::State::giveUp(std::shared_ptr<State> state, std::shared_ptr<Refusal> refusal,
                                               std::shared_ptr<Reply<void>> reply)
{
    if (refusal && state->session && state->session->phase() == zk::SessionPhase::connected) {
        const LockNodeClient asks(state->session, state->options.path, state->options.naming, nullptr, {});
        co_await askWhoHolds(asks, Rule::allAhead, behindAll(asks.naming()),
                             refusal)(boost::asio::use_awaitable);
    }
    zk::Pending<Result<void>> over;
    state->keeper->giveUp(over.handler());
    const Result<void> left = co_await over.get();
    if (!left && left.error().code == ErrorCode::noAuth)
        state->io->report(left.error());
    reply->deliverAtEnd({});
}

// ---- releasing ----

// Without a connection it does not wait: the node is deleted after the reconnect, or ends with the session.
void CohortMutex::State::letGo(std::uint64_t node, bool reports, const std::shared_ptr<Reply<void>>& reply)
{
    const Error unconfirmed{
        ErrorCode::connectionLost,
        message("There is no connection to confirm the release of the lock %1.", options.path),
        message("The release continues in the background.")};
    const HubSessionPtr its = session;
    const auto listener =
        its->addListener([reply, unconfirmed](zk::SessionPhase) { reply->deliver(unconfirmed); });
    if (its->phase() != zk::SessionPhase::connected)
        reply->deliver(unconfirmed);
    keeper->letGo(node, [io = io, its, listener, reports, reply](Result<void> released) {
        its->removeListener(listener);
        const bool late = !reply->claim();
        if (!released && released.error().code == ErrorCode::noAuth && (reports || late))
            io->report(released.error());
        reply->deliver(std::move(released));
    });
}

Result<void> CohortMutex::release(bool reports)
{
    const std::shared_ptr<State> state = m_state.shared();
    const Result<std::uint64_t> node = state->cohort->leave(Caller::current(), monotonicNow());
    if (!node && reports && node.error().code == ErrorCode::notOwner)
        state->io->callAndWait([state, error = node.error()] { state->io->report(error); });
    if (!node)
        return node.error();
    if (*node == 0)
        return {};
    const auto reply = std::make_shared<Reply<void>>();
    state->io->call(reply, [state, number = *node, reports, reply] { state->letGo(number, reports, reply); });
    if (const std::optional<Result<void>> released = reply->waitFor(state->options.timeouts.unlock))
        return *released;
    return Error{ErrorCode::timedOut,
                 message("The server has not confirmed the release of the lock %1 in time.", m_path),
                 message("The release continues in the background.")};
}

void CohortMutex::unlock() noexcept
{
    try {
        static_cast<void>(release(true));
    } catch (...) {
        // Out of memory: the node stays until the session ends.
    }
}

// ---- the lock ----

CohortMutex::CohortMutex(const Client& client, std::string path, LocalHandoffs handoffs)
    : CohortMutex(client, LockOptions::at(std::move(path)), handoffs)
{}

CohortMutex::CohortMutex(const Client& client, LockOptions options, LocalHandoffs handoffs)
    : m_path(options.path)
    , m_state(std::make_shared<State>(client.m_io, client.m_sessionManager, std::move(options), handoffs))
{}

void CohortMutex::lock()
{
    const std::shared_ptr<State> state = m_state.shared(); // it may be destroyed meanwhile
    const Result<Grant> grant = state->acquire(std::nullopt, nullptr);
    if (!grant)
        throw LockError(grant.error());
}

bool CohortMutex::tryLock(Duration limit, Refusal* refusal)
{
    const std::shared_ptr<State> state = m_state.shared();
    const Result<Grant> grant = state->acquire(limit, refusal);
    if (!grant && grant.error().code != ErrorCode::timedOut)
        throw LockError(grant.error());
    return grant.has_value();
}

std::optional<Zxid> CohortMutex::token() const
{
    const std::optional<Grant> grant = m_state->cohort->grantOf(Caller::current());
    return grant ? grant->token : std::nullopt;
}

// In this order: see BlockingLock::safeUntil().
std::optional<BootTime> CohortMutex::safeUntil() const
{
    const std::optional<BootTime> until = m_state->sessionManager->safeUntil();
    return isHeld() ? until : std::nullopt;
}

std::size_t CohortMutex::waiting() const { return m_state->cohort->waiting(); }

ListenerId CohortMutex::onLost(LostCallback callback) { return m_state->listeners.add(std::move(callback)); }

void CohortMutex::removeLostListener(ListenerId listener) { m_state->listeners.remove(listener); }

} // namespace lockscope::lock
