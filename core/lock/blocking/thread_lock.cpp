#include "core/lock/blocking/thread_lock.h"

#include "core/lock/blocking/client.h"
#include "core/lock/blocking/lock_error.h"
#include "core/lock/blocking/thread_lock_state.h"

namespace lockscope::lock {

ThreadLock::ThreadLock(const Client& client, LockOptions options, RecipeFactory makeRecipe)
    : m_path(options.path)
    , m_state(std::make_shared<State>(client.m_io, client.m_sessionManager, std::move(options), std::move(makeRecipe)))
{}

ThreadLock::~ThreadLock()
{
    if (m_state->io->isCurrent()) {
        m_state->shutDown();
        return;
    }
    const auto reply = std::make_shared<Reply<bool>>();
    m_state->io->call(reply, [state = m_state, reply] {
        state->shutDown();
        reply->deliver(true);
    });
    static_cast<void>(reply->wait()); // when the client was closed, it was shut down then
}

Result<Grant> ThreadLock::acquire(Side side, std::optional<Duration> limit)
{
    const auto reply = std::make_shared<Reply<Grant>>();
    m_state->io->start(reply, [state = m_state, caller = Caller::current(), side, limit, reply] {
        return State::acquireAndDeliver(state, caller, side, limit, reply);
    });
    return reply->wait();
}

void ThreadLock::lock(Side side)
{
    const Result<Grant> grant = acquire(side, std::nullopt);
    if (!grant)
        throw LockError(grant.error());
}

bool ThreadLock::tryLock(Side side, Duration limit)
{
    const Result<Grant> grant = acquire(side, limit);
    if (!grant && grant.error().code != ErrorCode::timedOut)
        throw LockError(grant.error());
    return grant.has_value();
}

void ThreadLock::unlock(Side side) noexcept
{
    try {
        const Result<void> released = release(side, true);
        if (m_state->io->isCurrent())
            m_state->io->report(released.error()); // busy
    } catch (...) {
        // No memory left: it stays locked until the session ends.
    }
}

Result<void> ThreadLock::release(Side side) { return release(side, false); }

Result<void> ThreadLock::release(Side side, bool reports)
{
    const auto reply = std::make_shared<Reply<void>>();
    m_state->io->start(reply, [state = m_state, caller = Caller::current().number, side, reports, reply] {
        return State::release(state, caller, side, reports, reply);
    });
    const std::optional<Result<void>> released = reply->waitFor(kUnlockTimeout);
    if (released)
        return *released;
    return Error{ErrorCode::timedOut,
                 message("The server has not confirmed the release of the lock %1 in time.", m_path),
                 message("It goes on in the background.")};
}

std::optional<Zxid> ThreadLock::token(Side side) const
{
    const auto reply = std::make_shared<Reply<std::optional<Zxid>>>();
    m_state->io->call(reply, [state = m_state, caller = Caller::current().number, side, reply] {
        reply->deliver(state->token(caller, side));
    });
    const Result<std::optional<Zxid>> token = reply->wait();
    return token ? *token : std::nullopt;
}

void ThreadLock::onLost(LostCallback callback)
{
    m_state->io->post([state = m_state, callback = std::move(callback)]() mutable {
        state->lostCallback = std::move(callback);
    });
}

} // namespace lockscope::lock
