// The hub: epoll set, ready queue, timers, connect slots and the closer. Shared by the Hub of the user and
// all sessions; after shutDown() it drops all functions passed to it. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/zk/c_client/adaptive_polling.h"
#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/handle_closer.h"
#include "core/zk/c_client/list_budget.h"
#include "core/zk/c_client/tunnels.h"
#include "core/zk/host_lookups.h"
#include "core/zk/hub.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope::zk::c_client {

class HubImpl final : public Scheduler, public std::enable_shared_from_this<HubImpl>
{
public:
    HubImpl(boost::asio::io_context& io, int epollFd, HubOptions options);
    ~HubImpl() override;
    void begin();
    // Blocks for a few seconds at most, until every handle is closed. A second call does nothing.
    void shutDown();
    bool isOver() const { return !m_asio; }

    // ---- Scheduler ----
    MonotonicTime now() const override { return monotonicNow(); }
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override;
    Sleepers& sleepers() override { return m_sleepers; }

    // With an identity, takes that session over instead of creating one.
    std::shared_ptr<CSession> connect(ConnectOptions options, std::optional<clientid_t> identity);
    void whenClosed(UniqueFunction<void()> done);
    std::size_t sessionCount() const { return m_open; }
    void expireTimers();

    // ---- for the sessions ----
    void remove(CSession& session, bool heldConnectSlot);
    void freeConnectSlot();
    void scheduleUpdate(CSession& session);   // calls its updateInterest() before the thread sleeps again
    void scheduleDeadline(CSession& session); // its deadline() may have become earlier
    void registerFd(int fd, std::uint32_t events, const CSession& session);
    void unregisterFd(int fd);
    // Replaces a socket by a descriptor that can be neither read nor written, which resets its connection.
    void replaceFd(int fd);
    Tunnels& tunnels() { return *m_tunnels; }
    const tls::Security& security() const { return m_options.security; }
    void closeHandle(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed);
    void lookUp(std::string hosts, HostLookups::Done done);
    void startKill(std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
                   UniqueFunction<void(Result<void>)> done);
    void runReady();
    void flushAfterTurn(CSession& session); // flushes it when the running function has returned
    ListBudget& lists() { return m_lists; }
    Random& random() { return m_random; }
    // Calls HubOptions::onException; without it, rethrows from a posted handler. No exception unwinds the hub
    // itself.
    void reportException(std::exception_ptr exception) noexcept;
    template <class Function>
    void callGuarded(Function&& function) noexcept
    {
        try {
            function();
        } catch (...) {
            reportException(std::current_exception());
        }
    }

private:
    struct Slot
    {
        CSession* session = nullptr;
        std::uint32_t generation = 0;
    };
    // A user timer, or (id 0) the deadline of a session.
    struct Due
    {
        MonotonicTime at;
        TimerId timer = 0;
        std::size_t slot = 0;
        std::uint32_t generation = 0;
        bool operator>(const Due& other) const { return at > other.at; }
    };

    void waitForIo();
    void onIo();
    void drainEpoll();
    void serve(int epollFd, Duration wait);
    CSession* soleReadingSession() const;
    void awaitReply();
    void pollAgain();
    void pushDue(const Due& due);
    Due popDue();
    bool isAwaited(const Due& due) const;
    void runDue();
    void flushPackets();
    void runScheduledUpdates();
    void settle(); // runs ready functions, scheduled updates and due timers until nothing is left
    void armTimer();
    void startConnecting();
    CSession* at(std::size_t slot, std::uint32_t generation) const;

    struct ReplyWait
    {
        MonotonicTime since;
        AdaptivePolling::Wait how;
    };

    // Must not outlive the io_context.
    struct Asio
    {
        boost::asio::io_context& io;
        boost::asio::posix::stream_descriptor epoll;
        boost::asio::steady_timer timer;
    };
    std::optional<Asio> m_asio; // none after shutDown()
    std::unique_ptr<boost::asio::io_context>
        m_stoppedContext; // never run: the context of executor() after shutDown()
    const HubOptions m_options;
    MonotonicTime m_armed = MonotonicTime::max();
    std::deque<UniqueFunction<void()>> m_ready;
    bool m_running = false;
    bool m_timersExpired = false;
    bool m_wakePosted = false;
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_freeSlots;
    std::pair<std::size_t, std::uint32_t> m_lastServed{}; // slot and generation
    std::vector<std::pair<std::size_t, std::uint32_t>> m_updateQueue;
    std::vector<std::pair<std::size_t, std::uint32_t>> m_updating; // only for runScheduledUpdates()
    std::vector<std::pair<std::size_t, std::uint32_t>> m_flushQueue;
    AdaptivePolling m_adaptivePolling;
    std::optional<ReplyWait> m_replyWait;
    bool m_isPolling = false; // a pollAgain() is pending
    std::vector<Due> m_due;   // a heap, the earliest first; canceled timers stay in it for a while
    std::unordered_map<TimerId, UniqueFunction<void()>> m_timers;
    TimerId m_nextTimer = 1;
    std::deque<std::weak_ptr<CSession>> m_connectQueue;
    std::size_t m_connecting = 0;
    std::size_t m_open = 0;
    Sleepers m_sleepers;
    ListBudget m_lists;
    Random m_random;
    std::optional<HandleCloser> m_closer; // none after shutDown()
    std::optional<Tunnels> m_tunnels;     // the same
    std::optional<HostLookups> m_lookups; // the same
};

} // namespace lockscope::zk::c_client
