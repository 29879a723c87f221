// Holds what the clients believe against what the leader's log says, after every step. The invariants:
// clang-format off
//   S1 one holder       those who believe that they hold, and whose session the leader has, may hold together
//   S2 belief is true   a client that believes it holds does so by the server's state; and a grant follows
//                       from the messages the client had received. Excused: the session has ended and the
//                       client has had no contact since (the stale window); an administrator has deleted the
//                       node, until the client has been in contact and at rest for longer than it may take
//                       to look again
//   S3 tokens           grow from grant to grant of those that may not hold together, and are the nodes'
//                       czxids
//   S4 order            no grant while an older node is there that excludes it
//   S5 no orphan        in the end no node is left, and at no standstill a node without a waiting client
//   S6 no herd          of every node that goes, no more of the others in the queue hear than the recipe wakes
//   S7 progress         every acquire and release ends, as its caller may expect
//   S8 no watch left    in the end no watch is left on a node that is gone, with the servers or the clients
//   S9 no write lost    no client overwrites what another has written since it read (ProtectedResource)
// One thread.
// clang-format on
#pragma once

#include "core/explore/recipe.h"
#include "core/explore/schedule_log.h"
#include "core/lock/lock.h"
#include "core/zk/memory/memory_session.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::explore {

struct Violation
{
    std::string invariant; // "S1"
    Message what;          // a sentence
};

// A logical thread of a client.
struct ThreadRef
{
    std::uint32_t client = 0;
    std::uint32_t thread = 0;
    auto operator<=>(const ThreadRef&) const = default;
};

// A thread that is inside an acquire, a hold or a release; it may have one node on the server.
struct BusyThread
{
    ThreadRef who;
    SessionId session;
};

class Checker
{
public:
    using SessionPtr = std::shared_ptr<zk::memory::MemorySession>;
    // `queuePath`: one of the recipe's.
    Checker(const Recipe& recipe, const std::string& queuePath, const zk::memory::Ensemble& ensemble,
            ScheduleLog& scheduleLog);

    const ServerHistory& history() const { return m_history; }
    const std::optional<Violation>& violation() const { return m_violation; } // the first one
    void violated(std::string invariant, Message what);
    // A client may have got messages that it has not looked at yet: what follows from them is not
    // known.
    void clientsAreLazy() { m_lazy = true; }

    // ---- from the clients ----
    void granted(const ThreadRef& who, const SessionPtr& session, lock::Lock& lock, const lock::Grant& grant);
    void dropped(const ThreadRef& who); // released, or notified of its loss
    bool believes(const ThreadRef& who) const { return m_beliefs.contains(who); }
    // Those who believe that they hold, and do.
    std::vector<std::pair<ThreadRef, const Contender*>> holders() const;

    // ---- from the schedule ----
    void beforeDelivery(const zk::memory::MemorySession& session, const zk::memory::ServerMessage& message);
    void afterStep();
    // The clients have done all that they can do now; nothing happens before `next`.
    void beforeTimePasses(MonotonicTime now, MonotonicTime next);
    void
    atStandstill(const std::vector<BusyThread>& busy); // no transition is enabled and a client still waits
    void atEnd(const std::vector<SessionPtr>& sessions);
    std::size_t grants() const { return m_grants.size(); }
    // Appends what later checks depend on, beside the states of the servers and the clients. `since`: the
    // oldest transaction that a client has not seen yet.
    void appendState(std::string& text, Zxid since) const;
    // Some client believes something else than at the last call.
    bool beliefsChanged() { return std::exchange(m_beliefsChanged, false); }

private:
    struct Belief
    {
        SessionPtr session;
        lock::Lock* lock = nullptr;
        const Contender* contender = nullptr;
    };
    struct Granted
    {
        const Contender* contender = nullptr;
        Zxid token;
        bool excused = false; // its node was gone when it was granted: says nothing of the order
    };
    bool excused(const Belief& belief) const;
    bool isPassedOn(const Belief& belief) const;
    bool isAtRest(const Belief& belief) const;
    void checkGrant(const ThreadRef& who, const Belief& belief, const lock::Grant& grant);
    void checkOrder(const ThreadRef& who, const Belief& belief, const lock::Grant& grant);
    void checkBelief(const ThreadRef& who, const Belief& belief);
    Message shown(const Queue& queue) const;
    std::string shown(const Contender& contender) const { return m_log.nodeName(contender.name); }
    Message said(const ThreadRef& who) const { return m_log.nameOf(who.client, who.thread); }

    const Recipe& m_recipe;
    const zk::memory::Ensemble& m_ensemble;
    ScheduleLog& m_log;
    ServerHistory m_history;
    std::map<ThreadRef, Belief> m_beliefs;
    std::map<ThreadRef, MonotonicTime> m_atRest; // since when, of those whose node an administrator deleted
    std::vector<Granted> m_grants;
    std::map<const Contender*, std::size_t> m_woken;
    bool m_lazy = false;
    bool m_beliefsChanged = false;
    std::optional<Violation> m_violation;
};

} // namespace lockscope::explore
