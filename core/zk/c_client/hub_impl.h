// The hub: epoll set, ready queue, timers, places for connecting sessions, and the closer. The user's Hub and
// every session own it together; shutDown() ends what it does, and from then on it only drops what it is
// given. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/handle_closer.h"
#include "core/zk/c_client/list_budget.h"
#include "core/zk/c_client/adaptive_polling.h"
#include "core/zk/hub.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <queue>
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
    // Blocks for a few seconds at most: until every handle is closed. The second call does nothing.
    void shutDown();
    bool isOver() const { return !m_asio; }

    // ---- Scheduler ----
    MonotonicTime now() const override
    {
        return std::chrono::time_point_cast<Duration>(MonotonicClock::now());
    }
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override;
    Sleepers& sleepers() override { return m_sleepers; }

    // ---- for the user's Hub ----
    // With an identity that session is taken over instead of a new one being made.
    std::shared_ptr<CSession> connect(ConnectOptions options, std::optional<clientid_t> identity);
    void whenClosed(UniqueFunction<void()> done);
    std::size_t sessionCount() const { return m_open; }
    void expireTimers();

    // ---- for the sessions ----
    void remove(CSession& session, bool heldConnectSlot);
    void freeConnectSlot();
    void scheduleUpdate(CSession& session);        // its updateInterest() runs before we sleep again
    void scheduleDeadline(CSession& session); // its deadline() may have become earlier
    void registerFd(int fd, std::uint32_t events, const CSession& session);
    void unregisterFd(int fd);
    // Puts something that cannot be read or written in the place of a socket, whose connection is reset by
    // that.
    void replaceFd(int fd);
    void closeHandle(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed);
    void startKill(std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
                   UniqueFunction<void(Result<void>)> done);
    void runReady();
    void flushAfterTurn(CSession& session); // until the function that runs now has returned
    ListBudget& lists() { return m_lists; }
    Random& random() { return m_random; }
    // Carries out HubOptions::onException. The hub itself never unwinds: without that function the exception
    // leaves a handler of its own.
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
    // A timer of a user, or (id 0) a session's deadline.
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
    CSession* soleReadingSession() const;
    void awaitReply();
    void pollAgain();
    void runDue();
    void flushPackets();
    void runScheduledUpdates();
    void settle(); // ready functions, touched sessions and due timers, until there is nothing to do
    void armTimer();
    void startConnecting();
    UniqueFunction<void()> callbackOnHubThread(UniqueFunction<void()> done);
    CSession* at(std::size_t slot, std::uint32_t generation) const;

    struct ReplyWait
    {
        MonotonicTime since;
        AdaptivePolling::Wait how;
    };

    // What may not outlive the io_context.
    struct Asio
    {
        boost::asio::io_context& io;
        boost::asio::posix::stream_descriptor epoll;
        boost::asio::steady_timer timer;
    };
    std::optional<Asio> m_asio;                       // none when it is over
    std::unique_ptr<boost::asio::io_context> m_stoppedContext; // never run: behind executor() when it is over
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
    std::vector<std::pair<std::size_t, std::uint32_t>> m_updating; // runScheduledUpdates()'s own
    std::vector<std::pair<std::size_t, std::uint32_t>> m_flushQueue;
    AdaptivePolling m_adaptivePolling;
    std::optional<ReplyWait> m_replyWait;
    bool m_isPolling = false; // a pollAgain() is under way
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    std::unordered_map<TimerId, UniqueFunction<void()>> m_timers;
    TimerId m_nextTimer = 1;
    std::deque<std::weak_ptr<CSession>> m_connectQueue;
    std::size_t m_connecting = 0;
    std::size_t m_open = 0;
    Sleepers m_sleepers;
    ListBudget m_lists;
    Random m_random;
    std::optional<HandleCloser> m_closer{std::in_place};
};

} // namespace lockscope::zk::c_client
