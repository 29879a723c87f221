#include "core/lock/safe_time.h"

#include "core/lock/internal/safe_time_core.h"

#include <time.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::lock {

namespace {

constexpr int kAsksPerTimeout = 6; // a heartbeat of the C client is due after a third of it

// Whether a server has said it, so that it has received the request.
bool isFromServer(zk::Code code)
{
    return code != zk::Code::unknown && code != zk::Code::sessionLost && code != zk::Code::closed;
}

} // namespace

BootTime BootClock::now() noexcept
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return BootTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

SafeTimeCore::SafeTimeCore(SafetyRule given, Clock now)
    : rule(given)
    , clock(now)
{}

void SafeTimeCore::follow(zk::SessionPtr next)
{
    end();
    session = std::move(next);
    sessionListener =
        session->addListener([weak = weak_from_this(), followed = session.get()](zk::SessionPhase phase) {
            const auto self = weak.lock();
            if (!self || self->session.get() != followed)
                return;
            // A server that grants less than the one before counts less from now on.
            if (isOver(phase) || followed->timeout() < self->timeout)
                self->moment.set(std::nullopt);
            if (phase == zk::SessionPhase::connected)
                self->ask();
        });
    ask();
}

void SafeTimeCore::end()
{
    moment.set(std::nullopt);
    const zk::SessionPtr left = std::exchange(session, nullptr);
    if (!left)
        return;
    left->removeListener(sessionListener);
    left->scheduler().cancel(askTimer);
    left->scheduler().cancel(checkTimer);
}

// Two things are not evidence, though they arrive:
//
//   our packets are lost          the server's are not
//   -------------------------     -----------------------------------------
//   read (lost)                   its timeout of our session runs
//                                 a watch fires: we receive it       <- no answer to anything
//                                 the session ends; another client holds
//
// So only the answer to a request of ours counts, and it counts from the moment before it was handed over for
// sending: it may have waited in this process, in the kernel and on the way, and the process may have been
// stopped between any two lines.
void SafeTimeCore::ask()
{
    if (!session || session->phase() != zk::SessionPhase::connected)
        return; // the next connect asks
    timeout = session->timeout();
    const BootTime sent = clock();
    session->getData("/", [weak = weak_from_this(), asked = session.get(), sent](const zk::Data& data) {
        const auto self = weak.lock();
        if (self && self->session.get() == asked && isFromServer(data.code))
            self->answered(sent);
    });
    session->scheduler().cancel(askTimer);
    askTimer = session->scheduler().after(timeout / kAsksPerTimeout, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->ask();
    });
}

void SafeTimeCore::answered(BootTime sent)
{
    if (isOver(session->phase()))
        return;
    const BootTime until = sent + timeout - rule.silence - rule.margin;
    moment.set(until);
    for (auto& [id, listener] : listeners)
        listener.called = listener.called && clock() >= until - listener.margin;
    check();
}

void SafeTimeCore::check()
{
    const std::optional<BootTime> until = moment.get();
    if (!session || !until)
        return;
    const auto self = shared_from_this(); // a callback may end it
    zk::Scheduler& scheduler = session->scheduler();
    const BootTime now = clock();
    Duration next = kForever;
    std::vector<ListenerId> due;
    for (const auto& [id, listener] : listeners)
        if (!listener.called && now >= *until - listener.margin)
            due.push_back(id);
        else if (!listener.called)
            next = std::min(next, *until - listener.margin - now);
    scheduler.cancel(checkTimer);
    checkTimer = scheduler.after(next, [weak = weak_from_this()] {
        if (const auto alive = weak.lock())
            alive->check();
    });
    for (const ListenerId id : due) {
        const auto found = listeners.find(id);
        if (found == listeners.end())
            continue; // removed by a callback
        found->second.called = true;
        const std::function<void()> callback = found->second.callback; // it may remove itself
        zk::invokeUserCallback(scheduler, callback);
    }
}

ListenerId SafeTimeCore::addListener(Duration margin, std::function<void()> callback)
{
    if (!callback)
        return 0;
    listeners.emplace(++lastListener, Listener{margin, std::move(callback)});
    check();
    return lastListener;
}

SafeTime::SafeTime(zk::SessionPtr session, SafetyRule rule)
    : m_core(std::make_shared<SafeTimeCore>(rule))
{
    m_core->follow(std::move(session));
}

SafeTime::~SafeTime()
{
    if (m_core)
        m_core->end();
}

std::optional<BootTime> SafeTime::until() const { return m_core->moment.get(); }

ListenerId SafeTime::onAboutToLose(Duration margin, std::function<void()> callback)
{
    return m_core->addListener(margin, std::move(callback));
}

void SafeTime::removeListener(ListenerId listener) { m_core->listeners.erase(listener); }

} // namespace lockscope::lock
