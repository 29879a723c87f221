#include "core/zk/c_client/hub_impl.h"

#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <utility>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kMaxConcurrentConnects = 128; // limited by the listen backlog of the server

constexpr std::size_t kMinDueToClean = 1024; // entries

} // namespace

CSession* HubImpl::at(std::size_t slot, std::uint32_t generation) const
{
    return slot < m_slots.size() && m_slots[slot].generation == generation ? m_slots[slot].session : nullptr;
}

HubImpl::HubImpl(boost::asio::io_context& io, int epollFd, HubOptions options)
    : m_asio(Asio{io, boost::asio::posix::stream_descriptor(io, epollFd), boost::asio::steady_timer(io)})
    , m_options(std::move(options))
    , m_random(std::random_device{}())
    , m_closer(std::in_place, epollFd, [this](UniqueFunction<void()> ready) { post(std::move(ready)); })
    , m_tunnels(std::in_place, epollFd,
                [this](const Tunnels::Owner& owner, const std::string& server, const tls::Failure& failure) {
                    if (CSession* session = at(owner.slot, owner.generation))
                        session->onTunnelChanged(server, failure);
                })
    , m_lookups(std::in_place, io)
{}

HubImpl::~HubImpl() = default;

void HubImpl::begin() { waitForIo(); }

// Objects destroyed here may call the hub, their session and other sessions; the hub accepts nothing once
// m_asio is empty.
void HubImpl::shutDown()
{
    if (isOver())
        return;
    const auto self = shared_from_this();
    m_lookups.reset();
    std::optional<Asio> asio(std::exchange(m_asio, std::nullopt));
    std::vector<std::shared_ptr<CSession>> left;
    for (const Slot& slot : std::exchange(m_slots, {}))
        if (slot.session)
            left.push_back(slot.session->weak_from_this().lock());
    m_open = 0;
    for (const auto& session : left)
        session->onHubShutDown();
    std::exchange(m_ready, {}).clear();
    std::exchange(m_timers, {}).clear();
    while (!m_sleepers.empty())
        m_sleepers.front().abandon();
    // The io_context may not run any more: what the closing sessions wait for is served here.
    while (!m_closer->empty()) {
        serve(asio->epoll.native_handle(), m_closer->deadline() - now());
        m_closer->expire(now());
    }
    m_closer.reset();
    m_tunnels.reset();
}

// ---- exceptions of user functions ------------------------------------------------------------------------

void HubImpl::reportException(std::exception_ptr exception) noexcept
{
    if (m_options.onException)
        m_options.onException(std::move(exception));
    else if (m_asio)
        boost::asio::post(m_asio->io,
                          [exception = std::move(exception)] { std::rethrow_exception(exception); });
}

// ---- ready queue and timers ------------------------------------------------------------------------------

void HubImpl::post(UniqueFunction<void()> ready)
{
    if (isOver())
        return;
    m_ready.push_back(std::move(ready));
    if (m_running || m_wakePosted)
        return;
    m_wakePosted = true;
    boost::asio::post(m_asio->io, [self = shared_from_this()] {
        self->m_wakePosted = false;
        self->settle();
    });
}

Scheduler::TimerId HubImpl::after(Duration delay, UniqueFunction<void()> due)
{
    if (isOver())
        return 0;
    const TimerId timer = m_nextTimer++;
    m_timers.emplace(timer, std::move(due));
    pushDue(Due{m_timersExpired ? now() : deadlineAfter(now(), delay), timer});
    if (!m_running)
        armTimer();
    return timer;
}

void HubImpl::cancel(TimerId timer)
{
    const auto cancelled =
        m_timers.extract(timer); // its captures may cancel other timers when they are destroyed
}

boost::asio::any_io_executor HubImpl::executor()
{
    if (m_asio)
        return m_asio->io.get_executor();
    if (!m_stoppedContext)
        m_stoppedContext = std::make_unique<boost::asio::io_context>();
    return m_stoppedContext->get_executor();
}

void HubImpl::expireTimers()
{
    if (isOver())
        return;
    m_timersExpired = true;
    std::vector<TimerId> waiting;
    for (const auto& [timer, function] : m_timers)
        waiting.push_back(timer);
    std::sort(waiting.begin(), waiting.end());
    for (const TimerId timer : waiting)
        pushDue(Due{now(), timer});
    post([] {}); // settle() runs them
}

void HubImpl::runReady()
{
    while (!m_ready.empty()) {
        UniqueFunction<void()> ready = std::move(m_ready.front());
        m_ready.pop_front();
        callGuarded(ready);
        flushPackets(); // requests made together are sent together, without further delay
    }
}

void HubImpl::flushAfterTurn(CSession& session)
{
    m_flushQueue.emplace_back(session.slot, session.generation);
}

void HubImpl::flushPackets()
{
    for (const auto& [slot, generation] : m_flushQueue)
        if (CSession* session = at(slot, generation))
            session->flushPackets();
    m_flushQueue.clear();
}

// An operation with a limit of hours may end after milliseconds: its canceled timer must not stay here for
// hours.
void HubImpl::pushDue(const Due& due)
{
    if (m_due.size() > kMinDueToClean && m_due.size() > 2 * (m_timers.size() + m_open)) {
        std::erase_if(m_due, [this](const Due& one) { return !isAwaited(one); });
        std::make_heap(m_due.begin(), m_due.end(), std::greater<>());
    }
    m_due.push_back(due);
    std::push_heap(m_due.begin(), m_due.end(), std::greater<>());
}

HubImpl::Due HubImpl::popDue()
{
    std::pop_heap(m_due.begin(), m_due.end(), std::greater<>());
    const Due due = m_due.back();
    m_due.pop_back();
    return due;
}

// False for a canceled timer, and for a deadline when the session has an earlier entry.
bool HubImpl::isAwaited(const Due& due) const
{
    if (due.timer != 0)
        return m_timers.contains(due.timer);
    const CSession* session = at(due.slot, due.generation);
    return session && session->queuedDeadline == due.at;
}

void HubImpl::runDue()
{
    const MonotonicTime time = now();
    while (!m_due.empty() && m_due.front().at <= time) {
        const Due due = popDue();
        if (!isAwaited(due))
            continue;
        if (due.timer != 0) {
            UniqueFunction<void()> function = std::move(m_timers.extract(due.timer).mapped());
            callGuarded(function);
            runReady();
            continue;
        }
        CSession* session = at(due.slot, due.generation);
        session->queuedDeadline = MonotonicTime::max();
        if (session->deadline() <= time)
            callGuarded([session] { session->updateInterest(); });
        else
            scheduleDeadline(*session); // it was postponed; deadlines are queued again lazily
    }
}

// Updates the sockets of the sessions that were used, which also flushes their delayed packets.
void HubImpl::runScheduledUpdates()
{
    while (!m_updateQueue.empty()) {
        m_updating.swap(m_updateQueue);
        for (const auto& [slot, generation] : m_updating)
            if (CSession* session = at(slot, generation)) {
                session->updateScheduled = false;
                callGuarded([session] { session->updateInterest(); });
            }
        m_updating.clear();
    }
}

void HubImpl::settle()
{
    m_running = true;
    do {
        runReady();
        runScheduledUpdates();
        runDue();
        if (m_closer && !m_closer->empty())
            m_closer->expire(now());
    } while (!m_ready.empty() || !m_updateQueue.empty());
    m_running = false;
    armTimer();
    awaitReply();
}

void HubImpl::armTimer()
{
    if (isOver())
        return;
    // Most timers are canceled long before they are due: do not wake up for those.
    while (!m_due.empty() && !isAwaited(m_due.front()))
        popDue();
    const MonotonicTime next =
        std::min(m_due.empty() ? MonotonicTime::max() : m_due.front().at, m_closer->deadline());
    if (next >= m_armed)
        return;
    m_armed = next;
    m_asio->timer.expires_at(m_armed);
    m_asio->timer.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
        if (error)
            return;
        self->m_armed = MonotonicTime::max();
        self->settle();
    });
}

// ---- sockets ---------------------------------------------------------------------------------------------

void HubImpl::waitForIo()
{
    if (isOver())
        return;
    m_asio->epoll.async_wait(boost::asio::posix::descriptor_base::wait_read,
                             [self = shared_from_this()](const boost::system::error_code& error) {
                                 if (error || self->isOver())
                                     return;
                                 self->onIo();
                                 self->waitForIo();
                             });
}

void HubImpl::onIo()
{
    if (m_replyWait)
        m_adaptivePolling.recordWait(m_replyWait->how, now() - m_replyWait->since);
    m_replyWait.reset();
    m_running = true;
    drainEpoll();
    settle();
}

// The only session, if it waits only for its socket to become readable. It is then the reason why the epoll
// set is readable, so the set need not be queried. A spurious read is harmless.
CSession* HubImpl::soleReadingSession() const
{
    CSession* session = m_open == 1 && m_closer->empty() && m_tunnels->empty()
                            ? at(m_lastServed.first, m_lastServed.second)
                            : nullptr;
    return session && session->hasReadInterestOnly() ? session : nullptr;
}

void HubImpl::drainEpoll()
{
    if (CSession* session = soleReadingSession()) {
        callGuarded([session] { session->onIo(EPOLLIN); });
        return;
    }
    serve(m_asio->epoll.native_handle(), {});
}

void HubImpl::serve(int epollFd, Duration wait)
{
    const auto milliseconds =
        std::chrono::ceil<std::chrono::milliseconds>(std::max<Duration>(wait, Duration{})).count();
    std::array<epoll_event, 64> events;
    const int count =
        epoll_wait(epollFd, events.data(), static_cast<int>(events.size()), static_cast<int>(milliseconds));
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        const auto generation = static_cast<std::uint32_t>(event.data.u64 >> 32);
        const auto slot = static_cast<std::uint32_t>(event.data.u64);
        if (slot == HandleCloser::kSlot) {
            if (m_closer)
                m_closer->onIo(generation, event.events);
            continue;
        }
        if (slot == Tunnels::kSlot) {
            if (m_tunnels)
                m_tunnels->onIo(generation, event.events);
            continue;
        }
        m_lastServed = {slot, generation};
        if (CSession* session = at(m_lastServed.first, m_lastServed.second))
            callGuarded([&] { session->onIo(event.events); });
        runScheduledUpdates(); // before handling packets of other sessions
    }
}

// Poll only while a single session is connected: with several, the work of other sessions keeps the thread
// busy.
void HubImpl::awaitReply()
{
    const CSession* session = m_options.adaptivePolling && m_closer ? soleReadingSession() : nullptr;
    if (!session || !session->awaitsReply()) {
        m_replyWait.reset();
        return;
    }
    if (m_replyWait)
        return; // the wait continues
    m_replyWait = {now(), m_adaptivePolling.next()};
    if (m_replyWait->how == AdaptivePolling::Wait::poll && !std::exchange(m_isPolling, true))
        pollAgain();
}

// While a handler is ready, the io_context polls its descriptors instead of sleeping and serves everything
// else as usual.
void HubImpl::pollAgain()
{
    if (isOver())
        return;
    boost::asio::post(m_asio->io, [self = shared_from_this()] {
        const std::optional<ReplyWait>& wait = self->m_replyWait;
        self->m_isPolling = wait && wait->how == AdaptivePolling::Wait::poll &&
                            self->now() - wait->since < AdaptivePolling::kMaxPollTime;
        if (!self->m_isPolling)
            return;
        sched_yield(); // lets other threads run first, such as a server on this machine
        self->pollAgain();
    });
}

void HubImpl::registerFd(int fd, std::uint32_t events, const CSession& session)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = (static_cast<std::uint64_t>(session.generation) << 32) | session.slot;
    const int set = m_asio->epoll.native_handle();
    if (epoll_ctl(set, EPOLL_CTL_MOD, fd, &event) == 0 || errno != ENOENT)
        return;
    // A new socket of the library, which leaves it open for the programs that this process starts.
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}

void HubImpl::unregisterFd(int fd)
{
    if (isOver())
        return; // the epoll set is being destroyed
    epoll_event unused{};
    epoll_ctl(m_asio->epoll.native_handle(), EPOLL_CTL_DEL, fd, &unused);
}

void HubImpl::replaceFd(int fd) { ::dup3(m_asio->epoll.native_handle(), fd, O_CLOEXEC); }

std::shared_ptr<CSession> HubImpl::connect(ConnectOptions options, std::optional<clientid_t> identity)
{
    auto session = std::make_shared<CSession>(shared_from_this(), std::move(options), identity);
    if (isOver()) {
        session->onHubShutDown();
        return session;
    }
    if (m_freeSlots.empty()) {
        m_freeSlots.push_back(m_slots.size());
        m_slots.push_back({});
    }
    session->slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    Slot& slot = m_slots[session->slot];
    slot.session = session.get();
    session->generation = slot.generation;
    ++m_open;
    m_connectQueue.push_back(session);
    post([this] { startConnecting(); });
    return session;
}

void HubImpl::startConnecting()
{
    while (m_connecting < kMaxConcurrentConnects && !m_connectQueue.empty()) {
        const auto session = m_connectQueue.front().lock();
        m_connectQueue.pop_front();
        if (!session || session->phase() != SessionPhase::connecting)
            continue;
        ++m_connecting;
        session->beginConnecting();
    }
}

void HubImpl::freeConnectSlot()
{
    --m_connecting;
    post([this] { startConnecting(); });
}

void HubImpl::remove(CSession& session, bool heldConnectSlot)
{
    if (isOver())
        return;
    if (heldConnectSlot)
        freeConnectSlot();
    Slot& slot = m_slots[session.slot];
    slot.session = nullptr;
    ++slot.generation;
    m_freeSlots.push_back(session.slot);
    --m_open;
}

void HubImpl::scheduleUpdate(CSession& session)
{
    if (isOver() || std::exchange(session.updateScheduled, true))
        return;
    m_updateQueue.emplace_back(session.slot, session.generation);
    if (!m_running)
        post([] {}); // settle() runs the update
}

void HubImpl::scheduleDeadline(CSession& session)
{
    if (isOver() || session.deadline() >= session.queuedDeadline)
        return; // an earlier entry will check it again
    session.queuedDeadline = session.deadline();
    pushDue(Due{session.deadline(), 0, session.slot, session.generation});
    if (!m_running)
        armTimer();
}

void HubImpl::lookUp(std::string hosts, HostLookups::Done done)
{
    m_lookups->start(std::move(hosts),
                     [self = weak_from_this(), done = std::move(done)](Result<ResolvedHosts> found) mutable {
                         if (const auto hub = self.lock())
                             hub->post([done = std::move(done), found = std::move(found)]() mutable {
                                 done(std::move(found));
                             });
                     });
}

void HubImpl::closeHandle(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed)
{
    if (handle->fd >= 0)
        unregisterFd(handle->fd);
    m_closer->close(std::move(handle), std::move(closed));
    if (!m_running)
        armTimer();
}

void HubImpl::whenClosed(UniqueFunction<void()> done)
{
    if (isOver())
        return;
    m_closer->whenClosed(std::move(done));
}

} // namespace lockscope::zk::c_client
