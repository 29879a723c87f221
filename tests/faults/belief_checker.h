// Checks what the workers believe, in one process and one order of events. Two may believe
// that they hold one lock only while the older belief is excused by a fault on its client or on the server
// (FaultExposure): a declared stale window, which is measured. Everything else is a violation. I/O thread.
#pragma once

#include "tests/faults/fault_exposure.h"

#include "core/base/ids.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockscope::tests {

inline constexpr std::size_t kViolationsKept = 50; // in full; the others are counted

inline double milliseconds(Duration span) { return std::chrono::duration<double, std::milli>(span).count(); }

class BeliefChecker
{
public:
    // `slack`: how long after the end of a fault, beside its session's timeout, a client may still not know.
    BeliefChecker(std::size_t locks, Duration slack);
    // Clients are numbered in the order of these calls, from 0.
    void addClient(const FaultExposure& contact);
    // `stalled`: the machine is stalled at this moment, which excuses all clients.
    void setStallCheck(std::function<bool()> stalled) { m_stalled = std::move(stalled); }

    void granted(ClientId client, std::size_t lock, Zxid token, const std::string& node, MonotonicTime now);
    // The protected thing is used: refuses tokens older than the newest it has seen.
    void used(ClientId client, std::size_t lock, Zxid token, MonotonicTime now);
    // A write of a holder that the server has carried out before the node of the hold went: the writes of a
    // lock come in the order of its tokens. Excuses nobody.
    void wrote(std::size_t lock, Zxid when, Zxid token);
    void released(ClientId client, std::size_t lock,
                  MonotonicTime now); // called release; harmless after lost()
    void lost(ClientId client, std::size_t lock, Duration sessionTimeout, MonotonicTime now); // learned of it
    bool believes(ClientId client, std::size_t lock) const;
    bool isExcused(ClientId client) const; // by a fault
    // All clients have released by now: each belief left is a violation.
    void finish();
    void violated(std::string what);

    struct Counts
    {
        std::uint64_t grants = 0;
        std::uint64_t used = 0;
        std::uint64_t written = 0;     // by holders, and compared
        std::uint64_t refused = 0;     // by the fence, in a declared window
        std::uint64_t staleGrants = 0; // learned of its grant too late, in a declared window
        std::uint64_t lostHolds = 0;   // holders that learned of their loss
        std::uint64_t overlaps = 0;    // declared windows in which another one was granted the lock
        std::uint64_t violated = 0;
        std::array<std::uint64_t, kCauses> lostBy{};
        std::array<Duration, kCauses> longestBy{}; // from the loss of contact, or the grant, to the notice
        Duration longestWindow{};
        Duration longestOverlap{}; // from the other's grant to the end of the stale belief
    };
    const Counts& counts() const { return m_counts; }
    const std::vector<std::string>& violations() const { return m_violations; }

private:
    struct Belief
    {
        ClientId client;
        Zxid token;
        std::string node;
        MonotonicTime since;
        std::optional<MonotonicTime> overtaken; // another one was granted the lock meanwhile
    };
    struct Lock
    {
        std::vector<Belief> believers;
        Zxid newestGrant{0};
        Zxid newestUse{0};
        std::map<Zxid, Zxid> writes; // the newest: their tokens
    };
    Belief* find(ClientId client, std::size_t lock);
    void end(ClientId client, std::size_t lock, MonotonicTime now);
    std::string describe(const Belief& belief, std::size_t lock, MonotonicTime now) const;

    Duration m_slack;
    std::vector<Lock> m_locks;
    std::vector<const FaultExposure*> m_contacts;
    std::function<bool()> m_stalled = [] { return false; };
    Counts m_counts;
    std::vector<std::string> m_violations;
};

} // namespace lockscope::tests
