// One cycle of a client: think, take its locks, stay, give them back. Every wait ends early when the session
// is over, the client leaves, or somebody asks for what it holds.
#include "core/sim/client/client.h"

#include <algorithm>
#include <cmath>

namespace lockscope::sim {

namespace {

constexpr double kMaxDuration = 3.15e17; // ten years: times add up

} // namespace

Duration Client::pick(const Range& range)
{
    if (!range.exponential)
        return Duration{m_random.uniform(range.low.count(), range.high.count())};
    const double drawn = -std::log(1.0 - m_random.unit()) * static_cast<double>(range.low.count());
    return Duration{static_cast<std::int64_t>(std::min(drawn, kMaxDuration))};
}

// False when something failed that may fail again at once.
zk::Awaitable<bool> Client::cycle()
{
    const Duration think = pick(m_who.work.think);
    if (think > Duration{}) {
        m_context.recorder.record(m_id, m_context.runLocks.front().queue, trace::Thinks{think});
        co_await restBeforeLock(think);
    }
    if (stopResting() || m_context.timeIsUp())
        co_return true;
    m_cancel = lock::CancelToken();
    m_revoked = false;
    m_acquisitions = m_locks->next(m_random);
    // Going in, and out again in the same order, takes a part of the hold each.
    const bool stepwise = m_who.work.giveBack == ReleaseOrder::firstAcquiredFirst && m_acquisitions.size() > 1;
    const std::size_t parts = stepwise ? 2 * m_acquisitions.size() - 1 : m_acquisitions.size();
    const Duration part = pick(m_who.work.hold) / static_cast<std::int64_t>(parts);
    const bool well = co_await acquireAll(part);
    if (m_heldLocks.size() == m_acquisitions.size())
        co_await reenterAndRest(part);
    co_await releaseAll(stepwise ? part : Duration{});
    co_return well;
}

// One after the other; stops at the first that it does not get.
zk::Awaitable<bool> Client::acquireAll(Duration part)
{
    m_heldLocks.clear();
    for (const ClientLocks::Acquisition& acquisition : m_acquisitions) {
        if (!m_heldLocks.empty())
            co_await rest(part);
        if (stopResting() || (m_revoked && !m_heldLocks.empty()))
            co_return true;
        const Result<lock::Grant> got = co_await acquireOne(acquisition.lock);
        if (!got) {
            const ErrorCode code = got.error().code;
            if (code == ErrorCode::timedOut)
                ++m_cyclesDone; // it was tried and answered
            const bool expected = code == ErrorCode::timedOut || code == ErrorCode::cancelled ||
                                  code == ErrorCode::sessionLost || code == ErrorCode::closed;
            if (!expected && !isRefused(got.error()))
                m_context.recorder.record(m_id, m_context.runLocks.front().queue,
                                          trace::Notice{trace::Severity::error, got.error().all()});
            co_return expected;
        }
        const ResourceUse use{got->token, acquisition.shared, acquisition.weight};
        m_heldLocks.push_back({acquisition, acquisition.resource->enter(m_id, use)});
    }
    ++m_cyclesDone;
    co_return true;
}

zk::Awaitable<Result<lock::Grant>> Client::acquireOne(lock::Lock* lock)
{
    const Work& work = m_who.work;
    for (std::uint32_t left = work.tries;; --left) {
        m_waitsForOthers = !work.acquireTimeout;
        Result<lock::Grant> got = co_await lock->acquire(kOwner, work.acquireTimeout, m_cancel);
        m_waitsForOthers = false;
        const bool timedOut = !got && got.error().code == ErrorCode::timedOut;
        if (!timedOut || left == 1) {
            if (timedOut && work.tries > 1)
                m_context.recorder.record(
                    m_id, m_context.runLocks.front().queue,
                    trace::Notice{trace::Severity::info, message("%1 tried %2 times for %3: the lock is busy, it does without.",
                                                         m_who.name, work.tries, formatDuration(*work.acquireTimeout))});
            co_return got;
        }
    }
}

zk::Awaitable<void> Client::reenterAndRest(Duration part)
{
    lock::Lock* last = m_heldLocks.back().acquisition.lock;
    const auto entries =
        static_cast<std::uint32_t>(m_random.uniform(m_who.work.reenterMin, m_who.work.reenterMax));
    // Going in and out again takes a part of the hold each: outer, inner ones, outer.
    const Duration each = part / (2 * entries + 1);
    std::uint32_t entered = 0;
    co_await rest(each);
    for (; entered < entries && last->depth(kOwner) > 0 && !stopResting() && !m_revoked; ++entered) {
        const Result<lock::Grant> again = co_await last->acquire(kOwner);
        if (!again)
            break;
        co_await rest(each);
    }
    for (; entered > 0 && last->depth(kOwner) > 0; --entered) {
        co_await giveBack(last);
        co_await rest(each);
    }
}

// `part`: the rest between one and the next.
zk::Awaitable<void> Client::releaseAll(Duration part)
{
    if (m_who.work.giveBack == ReleaseOrder::lastAcquiredFirst)
        std::reverse(m_heldLocks.begin(), m_heldLocks.end());
    for (std::size_t i = 0; i < m_heldLocks.size(); ++i) {
        const HeldLock taken = m_heldLocks[i];
        if (taken.admitted)
            taken.acquisition.resource->leave(m_id, taken.acquisition.shared);
        if (taken.acquisition.lock->depth(kOwner) > 0)
            co_await giveBack(taken.acquisition.lock);
        if (i + 1 < m_heldLocks.size())
            co_await rest(part);
    }
    m_heldLocks.clear();
}

zk::Awaitable<void> Client::giveBack(lock::Lock* lock)
{
    const Result<void> released = co_await lock->release(kOwner);
    if (!released && released.error().code == ErrorCode::noAuth)
        isRefused(released.error());
}

bool Client::isRefused(const Error& error)
{
    const bool refused = error.code == ErrorCode::noAuth || error.code == ErrorCode::badUsage ||
                         error.code == ErrorCode::badInput || error.code == ErrorCode::limitExceeded;
    if (refused && !m_refused)
        m_context.refused(m_id, error);
    m_refused = m_refused || refused;
    if (refused && error.right == "delete")
        m_session->close(); // nothing else removes its node
    return refused;
}

zk::Awaitable<void> Client::restBeforeLock(Duration time)
{
    co_await rest(std::min(time, m_context.lastStart - m_context.hub.now()));
}

// While an order of steps is followed no time need pass: its steps say what comes when.
zk::Awaitable<void> Client::rest(Duration time)
{
    const MonotonicTime planned = m_context.hub.now() + time;
    while (!m_context.control.isReplaying() && !stopResting() && !(m_revoked && holds())) {
        const Duration left = std::max(planned, m_holdUntil) - m_context.hub.now();
        if (left <= Duration{})
            break;
        const zk::Scheduler::TimerId timer = m_context.hub.after(left, m_wake.notifier());
        co_await m_wake.wait();
        m_context.hub.cancel(timer);
    }
    // A frozen client's own time stands still too.
    while (frozen() && !m_leaving)
        co_await m_wake.wait();
}

} // namespace lockscope::sim
