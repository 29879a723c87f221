#include "core/explore/client.h"

#include "core/base/guid.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace lockscope::explore {

using namespace std::chrono_literals;

namespace {

zk::Awaitable<void> sleepFor(zk::Scheduler* scheduler, Duration span)
{
    zk::Signal over(*scheduler);
    scheduler->after(span, over.notifier());
    co_await over.wait();
}

std::string milliseconds(Duration span)
{
    return fmt::format("{} ms", std::chrono::duration_cast<std::chrono::milliseconds>(span).count());
}

} // namespace

void Context::dropped(const ThreadRef& who) const
{
    for (const auto& one : checkers)
        one->dropped(who);
}

Client::Client(Context context, std::uint32_t index, ClientPlan plan)
    : m_context(context)
    , m_index(index)
    , m_plan(std::move(plan))
    , m_process(context.clock)
    , m_threads(m_plan.threads.size())
    , m_threadsLeft(m_plan.threads.size())
{}

void Client::open() { renewSession(); }

void Client::begin()
{
    for (std::uint32_t thread = 0; thread < m_threads.size(); ++thread)
        boost::asio::co_spawn(m_process.executor(), run(thread), boost::asio::detached);
}

void Client::writeLog(std::uint32_t thread, const std::string& what)
{
    if (m_context.scheduleLog.isEnabled())
        m_context.scheduleLog.writeLog(m_context.clock.now(), said(thread).english() + "  " + what);
}

void Client::renewSession()
{
    if (m_session && !isOver(m_session->phase()))
        return;
    m_session = m_context.ensemble.connect(m_process, m_plan.session);
    if (m_context.scheduleLog.isEnabled())
        m_context.scheduleLog.writeLog(
            m_context.clock.now(), fmt::format("client {} opens session {}", m_index, m_session->index()));
    lock::LockOptions options = m_plan.options;
    if (options.keptGuid.empty())
        options.keptGuid = m_context.recipe.guidFor(m_session->index());
    makeLocks(std::move(options));
}

void Client::makeLocks(lock::LockOptions options)
{
    if (m_plan.flaws.any())
        m_flawed = std::make_shared<FlawedSession>(m_session, m_plan.flaws);
    const zk::SessionPtr session = m_flawed ? zk::SessionPtr(m_flawed) : m_session;
    m_locks = m_context.recipe.make(session, std::move(options), m_plan.observerOf);
    for (std::size_t side = 0; side < m_context.recipe.sides(); ++side)
        m_locks->side(side).onLost([this](OwnerId owner) {
            writeLog(owner.value, "learns that its hold is lost");
            m_threads[owner.value].lossReported = true;
            m_context.dropped(who(owner.value));
        });
}

zk::Awaitable<void> Client::run(std::uint32_t thread)
{
    constexpr int kMaxSessions = 4;
    for (const CyclePlan& plan : m_plan.threads[thread]) {
        ++m_round;
        if (!plan.stepped)
            co_await sleepFor(&m_process, plan.think);
        for (int session = 0; session < kMaxSessions && !m_ending; ++session) {
            const CycleEnd end = co_await cycle(thread, plan);
            if (end == CycleEnd::done)
                break;
        }
    }
    writeLog(thread, "is done");
    --m_threadsLeft;
}

// For a client with one thread.
void Client::dropLocks(std::uint32_t thread)
{
    writeLog(thread, "lets go of the lock's object");
    if (m_plan.flaws.ignoresDestruction)
        m_kept.push_back(m_locks);
    m_threads[thread].locks.reset();
    m_locks.reset();
    // A kept prefix is for the next session: on this one the old object may still be deleting its node.
    lock::LockOptions options = m_plan.options;
    options.keptGuid.clear();
    makeLocks(std::move(options));
}

zk::Scheduler::TimerId Client::armTimer(std::uint32_t thread, const CyclePlan& plan,
                                        const lock::CancelToken& cancel)
{
    if (plan.cancelAfter)
        return m_process.after(*plan.cancelAfter, [cancel] { cancel.request(); });
    if (plan.dropAfter && *plan.dropAfter > Duration{})
        return m_process.after(*plan.dropAfter, [this, thread] {
            if (m_threads[thread].waiting)
                dropLocks(thread);
        });
    return 0;
}

zk::Awaitable<Client::CycleEnd> Client::cycle(std::uint32_t thread, CyclePlan plan)
{
    renewSession();
    const Checker::SessionPtr session = m_session;
    lock::Lock* lock = &m_locks->side(plan.side);
    lock::CancelToken cancel;
    const zk::Scheduler::TimerId timer = armTimer(thread, plan, cancel);
    writeLog(thread, "acquires" + (plan.limit ? ", at most " + milliseconds(*plan.limit) : std::string()));
    m_threads[thread] = Thread{session, m_locks, true, false, nullptr};
    zk::Task<Result<lock::Grant>> acquiring = lock->acquire(OwnerId{thread}, plan.limit, cancel);
    if (plan.dropAfter == Duration{})
        dropLocks(thread);
    const Result<lock::Grant> got = co_await std::move(acquiring).asResult();
    m_process.cancel(timer);
    m_threads[thread].waiting = false;
    CycleEnd end = CycleEnd::done;
    if (got && !m_threads[thread].locks) {
        m_context.checker().violated("S7",
                                     said(thread).english() + " was granted a lock that it had let go of");
    } else if (got) {
        takeGrant(thread, session, *lock, got.value());
        co_await hold(thread, plan, session, lock);
        if (plan.dropsLock)
            dropLocks(thread);
    } else {
        end = refused(thread, plan, got.error(), isOver(session->phase()));
    }
    m_threads[thread] = Thread{};
    co_return end;
}

void Client::takeGrant(std::uint32_t thread, const Checker::SessionPtr& session, lock::Lock& lock,
                       const lock::Grant& grant)
{
    writeLog(thread, grant.parts.empty() ? fmt::format("HOLDS the lock with {}, token {:x}", grant.node,
                                                       grant.token.value_or(Zxid::none()).value)
                                         : "HOLDS all parts of the lock");
    m_threads[thread].lossReported = false;
    lock::Grant real = grant;
    if (m_flawed && grant.parts.empty()) // sees its nodes as the recipe does
        real.node = m_flawed->real(lock.path() + "/" + grant.node).substr(lock.path().size() + 1);
    if (real.parts.empty()) {
        m_context.checker().granted(who(thread), session, lock, real);
        if (m_context.resource && !m_context.resource->read(m_index, real.token.value_or(Zxid::none())))
            writeLog(thread, "is refused by the resource: its token is too old");
        return;
    }
    for (std::size_t part = 0; part < real.parts.size(); ++part)
        m_context.checkers[part]->granted(who(thread), session, lock,
                                          lock::Grant{{}, real.parts[part].token, real.depth});
}

Client::CycleEnd Client::refused(std::uint32_t thread, const CyclePlan& plan, const Error& error,
                                 bool sessionOver)
{
    writeLog(thread, "has not got it: " + error.message.english());
    // Of a multi-lock: a part that it had was deleted while it waited for the next one.
    const bool partDeleted =
        error.code == ErrorCode::noNode && std::ranges::any_of(m_context.checkers, [&](const auto& checker) {
            return checker->history().wasDeletedByOthers(m_threads[thread].session->id());
        });
    const bool expected =
        m_ending || partDeleted || (error.code == ErrorCode::timedOut && plan.limit) ||
        (error.code == ErrorCode::cancelled && plan.cancelAfter) ||
        (error.code == ErrorCode::closed && plan.dropAfter) ||
        (error.code == ErrorCode::sessionLost && sessionOver) ||
        (error.code == ErrorCode::limitExceeded && m_context.checker().history().overflowed());
    if (!expected)
        m_context.checker().violated(
            "S7", message("%1 got an answer for which there is no reason: %2", said(thread), error.all()));
    return error.code == ErrorCode::sessionLost ? CycleEnd::sessionLost : CycleEnd::done;
}

zk::Awaitable<void> Client::stay(std::uint32_t thread, CyclePlan plan)
{
    if (!plan.stepped) {
        co_await sleepFor(&m_process, plan.hold);
        co_return;
    }
    zk::Signal gate(m_process);
    if (!m_ending) {
        m_threads[thread].gate = &gate;
        co_await gate.wait();
        m_threads[thread].gate = nullptr;
    }
}

bool Client::mayProceed() const
{
    return !m_process.isPaused() && std::ranges::any_of(m_threads, &Thread::gate);
}

void Client::proceed()
{
    for (const Thread& thread : m_threads)
        if (thread.gate)
            thread.gate->notify();
}

// A holder that still believes in its hold sends its write; what becomes of the lock until it arrives is
// another matter.
zk::Awaitable<void> Client::useResource(std::uint32_t thread)
{
    ProtectedResource* resource = m_context.resource ? &*m_context.resource : nullptr;
    if (!resource || m_ending || !resource->hasRead(m_index))
        co_return;
    if (m_threads[thread].lossReported) {
        resource->leave(m_index);
        co_return;
    }
    writeLog(thread, "sends its write to the resource");
    zk::Signal arrived(m_process);
    m_threads[thread].write = &arrived;
    co_await arrived.wait();
}

bool Client::mayWrite() const { return std::ranges::any_of(m_threads, &Thread::write); }

void Client::write()
{
    for (std::uint32_t thread = 0; thread < m_threads.size(); ++thread) {
        if (!m_threads[thread].write)
            continue;
        std::exchange(m_threads[thread].write, nullptr)->notify();
        if (m_ending)
            continue;
        const ResourceUse use = m_context.resource->write(m_index);
        writeLog(thread, use.refused ? "is refused by the resource: its token is too old"
                                     : fmt::format("has written {} to the resource", use.value));
        if (use.overwritten)
            m_context.checker().violated(
                "S9",
                message("The write of %1 is lost: %2 has overwritten it with what it had made of older data.",
                        m_context.scheduleLog.nameOf(*use.overwritten), said(thread)));
    }
}

zk::Awaitable<void> Client::hold(std::uint32_t thread, CyclePlan plan, Checker::SessionPtr session,
                                 lock::Lock* lock)
{
    co_await stay(thread, plan);
    if (plan.reenters)
        co_await reenter(thread, plan, session, lock);
    if (plan.stepped)
        co_await useResource(thread);
    m_context.dropped(who(thread));
    if (!plan.dropsLock)
        co_await release(thread, session, lock);
}

// A second acquire by the same owner: one level deeper, or, when the hold was lost meanwhile, a new one.
zk::Awaitable<void> Client::reenter(std::uint32_t thread, CyclePlan plan, Checker::SessionPtr session,
                                    lock::Lock* lock)
{
    writeLog(thread, "acquires once more");
    Result<lock::Grant> again = co_await lock->acquire(OwnerId{thread}).asResult();
    if (m_plan.flaws.grantsLostHold && !again && again.error().code == ErrorCode::sessionLost)
        again = lock::Grant{.node = {}, .depth = 2};
    if (!again) {
        writeLog(thread, "has not got it again: " + again.error().text());
        const bool expected = m_ending || m_threads[thread].lossReported || isOver(session->phase());
        if (!expected)
            m_context.checker().violated(
                "S7", message("%1 could not enter again: %2", said(thread), again.error().all()));
        co_return;
    }
    if (again->depth == 1) {
        takeGrant(thread, session, *lock, again.value());
        co_return;
    }
    writeLog(thread, fmt::format("is inside {} times", again->depth));
    if (m_threads[thread].lossReported)
        m_context.checker().violated(
            "S2", message("%1 was told that it is inside after its hold was lost.", said(thread)));
    co_await stay(thread, plan);
    co_await release(thread, session, lock);
}

zk::Awaitable<void> Client::release(std::uint32_t thread, Checker::SessionPtr session, lock::Lock* lock)
{
    writeLog(thread, "releases");
    const Result<void> released = co_await lock->release(OwnerId{thread}).asResult();
    writeLog(thread, released ? "has released" : "has not released: " + released.error().message.english());
    if (!released && !m_ending && !m_threads[thread].lossReported && !isOver(session->phase()))
        m_context.checker().violated(
            "S7", message("%1 could not release: %2", said(thread), released.error().message));
}

void Client::addBusy(std::vector<BusyThread>& into) const
{
    for (std::uint32_t thread = 0; thread < m_threads.size(); ++thread)
        if (m_threads[thread].session)
            into.push_back(BusyThread{who(thread), m_threads[thread].session->id()});
}

bool Client::end()
{
    m_ending = true;
    m_process.resume();
    proceed();
    write();
    m_session->close();
    m_process.expireTimers();
    m_context.clock.runReady();
    return finished();
}

// ---- plans ----

namespace {

CyclePlan planCycle(Chooser& chooser, const Recipe& recipe)
{
    CyclePlan plan;
    plan.think = chooser.from<Duration>({0ms, 0ms, 3ms, 40ms});
    plan.hold = chooser.from<Duration>({0ms, 2ms, 20ms, 2s, 6s});
    plan.reenters = chooser.oneIn(4);
    plan.side = recipe.sides() > 1 ? chooser.below(recipe.sides()) : 0;
    switch (chooser.below(8)) {
    case 0:
        plan.limit = chooser.from<Duration>({0ms, 1ms, 30ms, 3s, 15s});
        break;
    case 1:
        plan.cancelAfter = chooser.from<Duration>({0ms, 1ms, 30ms, 3s});
        break;
    default:
        break;
    }
    return plan;
}

} // namespace

ClientPlan planClient(Chooser& chooser, const Recipe& recipe, lock::LockOptions options)
{
    ClientPlan plan;
    plan.options = std::move(options);
    const bool alone = recipe.threads() == 1 && (!plan.options.keptGuid.empty() || !chooser.oneIn(6));
    const std::size_t threads = alone ? 1 : 2;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        std::vector<CyclePlan>& cycles = plan.threads.emplace_back();
        const std::size_t count = 1 + chooser.below(3);
        for (std::size_t i = 0; i < count; ++i) {
            CyclePlan& cycle = cycles.emplace_back(planCycle(chooser, recipe));
            cycle.dropsLock = threads == 1 && chooser.oneIn(12);
            if (threads == 1 && !cycle.cancelAfter && chooser.oneIn(12))
                cycle.dropAfter = chooser.from<Duration>({0ms, 1ms, 30ms, 3s});
        }
    }
    return plan;
}

} // namespace lockscope::explore
