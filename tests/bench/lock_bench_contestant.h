// One who takes part in the measurements: clients of one library in a process of their own, and what it takes
// to measure them. All are asked in the same words and measured by the same rule. One thread; every function
// waits for its end.
#pragma once

#include "tests/interop/peer_process.h"

namespace lockscope::bench {

class FirstInLine;

struct Library
{
    std::string name;       // as in the table
    std::string gatePrefix; // a node of this name counts as one in front
    Result<std::vector<std::string>> command;
};
// Ours under both policies, Curator, kazoo. What is not installed has an error that names its package.
std::vector<Library> libraries(const std::string& host);
// No locks: the requests of a queue; and of one that makes sure that it is first. Bounds of the locks.
inline const std::string kQueueOnly = "queue alone";
inline const std::string kQueueList = "queue and list";

// For uncontended() only: the C client with nothing around it, alone, with a list beside each create, and
// staying awake for replies; ours without that, and with a write under the lock, plain and fenced; and ours
// for threads, as it is and when it is asked for more.
std::vector<Library> forComparison(const std::string& host);

// For contend() of several processes: ours for threads, without and with a node in common, and Curator.
std::vector<Library> forThreads(const std::string& host);

// For elect() and changeLeader().
std::vector<Library> forElections(const std::string& host);

// What one contest brought, without the holds after its target.
struct ContestResult
{
    std::vector<Duration> handoffs; // from just before a release to the return of the next acquire
    double perSecond = 0;           // acquisitions
    double requests = 0;            // for each of them, as the server counted
};

// So far, from all clients.
std::size_t requestsReceived(const std::string& host);

class Contestant
{
public:
    // With that many connected clients. Throws ErrorException, as everything here, when something goes wrong.
    Contestant(const Library& library, std::string host, int clients);

    const std::string& name() const { return m_name; }
    int clients() const { return m_clients; }
    double connectSeconds() const { return m_connectSeconds; }

    // Seconds for so many times acquire and release without contention.
    double uncontended(const std::string& path, int cycles);
    // All clients on one lock. It begins when all of them sleep in the queue; they queue up again after each
    // release until the lock was acquired `target` times.
    ContestResult contend(const std::string& path, int target, Duration hold, bool traced = false);
    // Several processes of one library together, each until its clients have acquired `target` times; `nodes`
    // of them all wait in the beginning. Counts three quarters of the holds, as long as all take part.
    static ContestResult contend(const std::vector<std::unique_ptr<Contestant>>& processes,
                                 const std::string& path, int target, Duration hold, int nodes);

    // All clients are candidates; on return the first one leads, and the others sleep in the queue.
    void elect(const std::string& path);
    // The leader resigns, and is a candidate again behind the others. From its command to the word of the
    // next.
    Duration changeLeader();

    long peakKilobytes() const { return m_peer->peakKilobytes(); }
    int threads() const { return m_peer->threads(); }

private:
    void begin(const std::string& path, int target, Duration hold, bool traced);
    void failIfFailed();
    template <class Holds>
    void takeHolds(Holds& into);

    std::string m_name;
    std::string m_gatePrefix;
    std::string m_host;
    int m_clients;
    double m_connectSeconds = 0;
    std::unique_ptr<tests::PeerProcess> m_peer;
    std::string m_election; // its path
    std::string m_leader;   // its number
};

} // namespace lockscope::bench
