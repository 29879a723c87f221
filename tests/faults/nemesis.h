// Brings the faults about: two coroutines, one for the clients and one for the server, each going through its
// kinds in a seeded order, again and again. Faults overlap; every one is on record with the contacts it
// stands in the way of. I/O thread.
#pragma once

#include "tests/faults/server_thread.h"
#include "tests/faults/worker.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tests {

class Nemesis : public std::enable_shared_from_this<Nemesis>
{
public:
    enum class Kind {
        // of a client
        killSession, // of anybody
        killHolder,
        freezeShort, // shorter than the session timeout
        freezeLong,
        freezeHolder, // long
        resetConnection,
        resetMany,
        cutShort,
        cutLong,
        muteConnection,
        loseReply,
        loseRequest,
        // of the server
        suspendShort,
        suspendLong, // longer than every session timeout
        killRestart,
        killLong,    // down for longer than every session timeout
        suspendKill, // killed while it stands still
        // of an ensemble, instead of those of a link and of a server
        followerLags, // stands still for longer than every session timeout
        leaderStands, // shorter
        leaderKilled,
        rollingRestart, // of all members, one after the other
        // of servers with ServerFaults
        slowDisk,   // every sync takes a while
        clocksJump, // by hours, one forwards and the next backwards, and back
    };
    static constexpr std::size_t kClientKinds = 12;
    static constexpr std::size_t kKinds = 23;
    static std::string_view name(Kind kind);
    static bool applies(Kind kind, const FaultRunOptions& options);

    // `isStalled`: the machine is stalled at this moment, which excuses who does not get on.
    Nemesis(FaultContext& field, std::vector<std::shared_ptr<Worker>>& workers, ServerThread& serverThread,
            std::function<bool()> isStalled);
    void start();
    void stop();                                                    // ends all faults
    bool ended() const { return m_running == 0 && m_open.empty(); } // after stop(): the server runs again
    bool hasInjectedAll() const;                                    // every kind at least once
    std::uint64_t count(Kind kind) const { return m_counts[static_cast<std::size_t>(kind)]; }
    std::uint64_t sessionsKilled() const { return m_killed; }
    std::uint64_t packetsLost() const { return m_lost; }
    bool serverTroubledSince(MonotonicTime time) const
    {
        return m_serverTroubled || m_lastServerFault >= time;
    }
    // Compares the members of an ensemble, and replaces those that have lost changes. Not beside a fault.
    zk::Awaitable<void> replaceDiverged();
    std::uint64_t membersReplaced() const { return m_membersReplaced; }
    const std::vector<std::string>& divergences() const { return m_divergences; } // the first ones
    std::uint64_t quietTimes() const { return m_quietTimes; }
    const std::vector<std::string>& stuck() const { return m_stuck; } // who did not get on in a quiet time
    const std::string& trouble() const { return m_trouble; }          // the server could not be started again

private:
    static constexpr int kRateDivisor = 8; // times rarer, once all kinds have come
    static constexpr Duration kOverTimeout =
        std::chrono::seconds(1); // of a fault that ends a session, at most

    zk::Awaitable<void> injectClientFaults();
    zk::Awaitable<void> injectServerFaults();
    zk::Awaitable<void> waitForHolder();
    zk::Awaitable<void> quietTime();
    void endOpenFaults();
    zk::Awaitable<void> injectOnServer(Kind kind);
    zk::Awaitable<void> suspendServer(Duration time);
    zk::Awaitable<void> killServer(Duration time);
    zk::Awaitable<void> slowDisks(Duration time);
    zk::Awaitable<void> shiftClocks(Duration time);
    zk::Awaitable<void> rest(Duration pause); // ends early at stop()
    zk::Awaitable<void> losePacket(std::shared_ptr<Worker> worker, bool reply);
    std::vector<Kind> clientRound(); // the cheap ones more often
    void inject(Kind kind);          // nothing when no client fits at the moment
    void kill(const std::shared_ptr<Worker>& worker);
    void freeze(const std::shared_ptr<Worker>& worker, Duration time);
    void reset(const std::shared_ptr<Worker>& worker);
    void cut(const std::shared_ptr<Worker>& worker, Duration time);
    void mute(const std::shared_ptr<Worker>& worker);
    void openFault(Duration time, UniqueFunction<void()> end);
    template <class Wanted>
    std::shared_ptr<Worker> pickWorker(Wanted wanted); // connected; null when there is none
    Duration between(Duration low, Duration high);
    void done(Kind kind) { ++m_counts[static_cast<std::size_t>(kind)]; }
    void spawn(zk::Awaitable<void> work);
    zk::Awaitable<void> operation(ServerThread::Operation operation, std::optional<std::size_t> member = {});
    std::vector<FaultExposure::FaultId> exposeAll(Cause cause);
    void endExposure(const std::vector<FaultExposure::FaultId>& faults);

    FaultContext& m_context;
    std::vector<std::shared_ptr<Worker>>& m_workers;
    ServerThread& m_serverThread;
    const std::function<bool()> m_isStalled;
    Random m_random;
    std::map<std::uint64_t, UniqueFunction<void()>> m_open; // what ends each fault
    std::uint64_t m_nextOpen = 0;
    std::array<std::uint64_t, kKinds> m_counts{};
    std::uint64_t m_killed = 0;
    std::uint64_t m_lost = 0;
    std::set<ClientId> m_losing; // a packet of theirs is to be lost
    int m_running = 0;
    bool m_stopped = false;
    bool m_quiet = false;
    std::uint64_t m_quietTimes = 0;
    std::uint64_t m_membersReplaced = 0;
    std::vector<std::string> m_divergences;
    std::vector<std::string> m_stuck;
    bool m_serverTroubled = false;
    MonotonicTime m_lastServerFault{}; // its end
    std::string m_trouble;
};

} // namespace lockscope::tests
