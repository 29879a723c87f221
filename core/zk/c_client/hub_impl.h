// The hub: epoll set, ready queue, timers, places for connecting sessions, and the closer. I/O thread.
#pragma once

#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/closer.h"
#include "core/zk/c_client/list_budget.h"
#include "core/zk/c_client/wakefulness.h"
#include "core/zk/hub.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace lockscope::zk::c_client {

class HubImpl final : public Hub
{
public:
    HubImpl(boost::asio::io_context& io, int epollFd, HubOptions options);
    ~HubImpl() override;

    // ---- Scheduler ----
    MonotonicTime now() const override
    {
        return std::chrono::time_point_cast<Duration>(MonotonicClock::now());
    }
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override { return m_io.get_executor(); }

    // ---- Hub ----
    std::shared_ptr<HubSession> connect(ConnectOptions options) override;
    void whenClosed(UniqueFunction<void()> done) override;
    std::size_t sessionCount() const override { return m_open; }
    void hurry() override;

    // ---- for the sessions ----
    std::shared_ptr<CSession> connectAs(ConnectOptions options, std::optional<clientid_t> identity);
    void remove(CSession& session, bool heldConnectTurn);
    void connectTurnOver();
    void touch(CSession& session);        // its updateInterest() runs before we sleep again
    void wantDeadline(CSession& session); // its deadline() may have become earlier
    void registerFd(int fd, std::uint32_t events, const CSession& session);
    void unregisterFd(int fd);
    void closeHandle(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed);
    void startKill(std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
                   UniqueFunction<void(Result<void>)> done);
    void runReady();
    void holdsPackets(CSession& session); // until the function that runs now has returned
    ListBudget& lists() { return m_lists; }

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
    CSession* onlyReader() const;
    void awaitReply();
    void turnOver();
    void runDue();
    void letPacketsGo();
    void serveTouched();
    void settle(); // ready functions, touched sessions and due timers, until there is nothing to do
    void armTimer();
    void startConnecting();
    CSession* at(std::size_t slot, std::uint32_t generation) const;

    struct ReplyWait
    {
        MonotonicTime since;
        Wakefulness::Wait how;
    };

    boost::asio::io_context& m_io;
    const bool m_staysAwake;
    boost::asio::posix::stream_descriptor m_epoll;
    boost::asio::steady_timer m_timer;
    MonotonicTime m_armed = MonotonicTime::max();
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true); // for what the io_context still holds
    std::deque<UniqueFunction<void()>> m_ready;
    bool m_running = false;
    bool m_hurried = false;
    bool m_wakePosted = false;
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_freeSlots;
    std::pair<std::size_t, std::uint32_t> m_lastServed{}; // slot and generation
    std::vector<std::pair<std::size_t, std::uint32_t>> m_touched;
    std::vector<std::pair<std::size_t, std::uint32_t>> m_serving; // serveTouched()'s own
    std::vector<std::pair<std::size_t, std::uint32_t>> m_holdBack;
    Wakefulness m_wakefulness;
    std::optional<ReplyWait> m_replyWait;
    bool m_turning = false; // a turnOver() is under way
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    std::unordered_map<TimerId, UniqueFunction<void()>> m_timers;
    TimerId m_nextTimer = 1;
    std::deque<std::weak_ptr<CSession>> m_connectQueue;
    std::size_t m_connecting = 0;
    std::size_t m_open = 0;
    ListBudget m_lists;
    Closer m_closer;
};

} // namespace lockscope::zk::c_client
