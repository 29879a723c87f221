// A client of the schedule: a process of its own with a session and the locks on it, and one or two logical
// threads that acquire and release as their plan says. When its session is lost it goes on in a new one, with
// new locks. Runs on its own scheduler.
#pragma once

#include "core/explore/checker.h"
#include "core/explore/chooser.h"
#include "core/explore/flawed_session.h"
#include "core/explore/protected_resource.h"
#include "core/zk/pending.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::explore {

struct CyclePlan
{
    Duration think{};
    Duration hold{};
    std::optional<Duration> limit;
    std::optional<Duration> cancelAfter;
    bool reenters = false;
    bool dropsLock = false;            // lets go of the lock's object instead of releasing
    std::optional<Duration> dropAfter; // lets go of it while it waits; zero: before the acquire has begun
    std::size_t side = 0;
    bool stepped = false; // holds until proceed() is called, instead of for a time
};

struct ClientPlan
{
    std::vector<std::vector<CyclePlan>> threads;
    lock::LockOptions options; // a keptGuid in it is used for the locks of every session
    zk::memory::SessionOptions session;
    Flaws flaws{};
    ObserverOf observerOf{};
};

// What all clients of a schedule share.
struct Context
{
    zk::memory::VirtualClock& clock;
    zk::memory::Ensemble& ensemble;
    std::vector<std::unique_ptr<Checker>>& checkers; // one for each queue of the recipe
    ScheduleLog& scheduleLog;
    const Recipe& recipe;
    std::optional<ProtectedResource>& resource;

    // The first one, which also counts what concerns no queue.
    Checker& checker() const { return *checkers.front(); }
    void dropped(const ThreadRef& who) const;
};

class Client
{
public:
    Client(Context context, std::uint32_t index, ClientPlan plan);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void open();  // its session
    void begin(); // its threads
    bool finished() const { return m_threadsLeft == 0; }
    std::size_t round() const { return m_round; } // of its last thread that began one
    bool mayProceed() const;                      // a thread holds the lock until it is told to go on
    void proceed();
    bool mayWrite() const; // a write of a thread is on its way to the resource
    void write();          // it arrives
    void addBusy(std::vector<BusyThread>& into) const;
    // Gives everything up; true when nothing of it is left over.
    bool end();

    zk::memory::VirtualScheduler& process() { return m_process; }
    const zk::memory::VirtualScheduler& process() const { return m_process; }
    const std::shared_ptr<zk::memory::MemorySession>& session() const { return m_session; }

private:
    struct Thread
    {
        Checker::SessionPtr session;  // while it is inside an acquire, a hold or a release
        std::shared_ptr<Locks> locks; // none when it has let go of them
        bool waiting = false;         // inside the acquire
        bool lossReported = false;    // of the hold that it had
        zk::Signal* gate = nullptr;   // it holds until this is raised
        zk::Signal* write = nullptr;  // raised when its write has arrived
    };
    enum class CycleEnd { done, sessionLost };

    zk::Awaitable<void> run(std::uint32_t thread);
    zk::Awaitable<CycleEnd> cycle(std::uint32_t thread, CyclePlan plan);
    zk::Awaitable<void> hold(std::uint32_t thread, CyclePlan plan, Checker::SessionPtr session,
                             lock::Lock* lock);
    zk::Awaitable<void> stay(std::uint32_t thread, CyclePlan plan);
    zk::Awaitable<void> useResource(std::uint32_t thread);
    zk::Awaitable<void> reenter(std::uint32_t thread, CyclePlan plan, Checker::SessionPtr session,
                                lock::Lock* lock);
    zk::Awaitable<void> release(std::uint32_t thread, Checker::SessionPtr session, lock::Lock* lock);
    void renewSession();
    void makeLocks(lock::LockOptions options);
    void dropLocks(std::uint32_t thread);
    zk::Scheduler::TimerId armTimer(std::uint32_t thread, const CyclePlan& plan,
                                    const lock::CancelToken& cancel);
    void takeGrant(std::uint32_t thread, const Checker::SessionPtr& session, lock::Lock& lock,
                   const lock::Grant& grant);
    CycleEnd refused(std::uint32_t thread, const CyclePlan& plan, const Error& error, bool sessionOver);
    void writeLog(std::uint32_t thread, const std::string& what);
    ThreadRef who(std::uint32_t thread) const { return ThreadRef{m_index, thread}; }
    Message said(std::uint32_t thread) const { return m_context.scheduleLog.nameOf(m_index, thread); }

    Context m_context;
    const std::uint32_t m_index;
    const ClientPlan m_plan;
    zk::memory::VirtualScheduler m_process;
    std::shared_ptr<zk::memory::MemorySession> m_session;
    std::shared_ptr<FlawedSession> m_flawed; // over it, when there is a flaw
    std::shared_ptr<Locks> m_locks;
    std::vector<std::shared_ptr<Locks>> m_kept; // which a mistake does not destroy
    std::vector<Thread> m_threads;
    std::size_t m_threadsLeft = 0;
    std::size_t m_round = 0;
    bool m_ending = false;
};

// A random one.
ClientPlan planClient(Chooser& chooser, const Recipe& recipe, lock::LockOptions options);

} // namespace lockscope::explore
