// Finds locks that are taken in both orders by different sessions, before two of them ever block each other
// for ever, as lockdep does for a kernel. Takes the events of LockTable, of a log or a live watch.
// A lock was taken while another was held when one session has asked for the inner one while it held the
// outer one, has got it, and has released it before the outer one. What cannot block, or is not certain, is
// left out:
// - readers that meet readers, and leases, of which there are several;
// - two orders that are always taken under one and the same third lock: only one session is inside;
// - sessions of which two threads use locks: one asks for a lock while another waits, or they release in
//   another order than nesting has. What they hold together, no thread holds;
// - a wait that was given up, and what ended with its session. A live watch does not see who deletes a node:
//   there a session counts once it has lived on and asked for another lock.
// Two locks at a time; a circle of three is not seen. Memory: the live nodes, and kMostPairs pairs of locks.
// One thread.
#pragma once

#include "core/history/lock_event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope::history {

// A session took the inner lock while it held the outer one.
struct TakenInside
{
    std::string outer, inner;         // paths of the locks
    std::string outerNode, innerNode; // names
    SessionId session;
    std::int64_t timeMs = 0; // when it asked for the inner one
    Zxid zxid;               // of that request
};

struct OrderInversion
{
    TakenInside one, other; // of different sessions, the first that were seen; one.outer is other.inner
};

class LockOrder
{
public:
    static constexpr std::size_t kMostPairs = 20'000;
    static constexpr std::size_t kMostFound = 1'000;

    void add(const LockEvent& event);
    void addGap();      // what is held after it is not known
    void resetCounts(); // forgets what was found, and knows what is held
    // In the order in which they were found; kMostFound at most.
    const std::vector<OrderInversion>& inversions() const { return m_found; }
    // How many were ever found: grows with each one, also when another one has turned out to be none.
    std::uint64_t foundEver() const { return m_foundEver; }

private:
    struct Inside // of a node: what its session held when it asked
    {
        std::string lock, node;
        bool shared = false; // held as a reader
        bool released = false;
    };
    struct Node
    {
        std::string lock, name;
        std::uint32_t queue = 0;
        std::int64_t askedMs = 0;
        Zxid zxid;
        bool shared = false, entitled = false;
        std::vector<Inside> held{};
        std::int64_t outerReleasedMs = 0; // not 0: an outer one was released before it
    };
    struct Witness
    {
        TakenInside taken;
        bool outerShared = false, innerShared = false;
        std::set<std::string> gates{}; // other locks that were held alone at that time
    };
    using Pair = std::pair<std::string, std::string>; // outer, inner

    void ended(const LockEvent& event);
    void nested(const Node& inner, const Inside& outer, SessionId session);
    void hasThreads(SessionId session);
    static bool canBlock(const Witness& one, const Witness& other);

    struct Session
    {
        std::vector<Node> nodes;
        std::vector<std::pair<Node, Inside>> unsure; // nested, if the session has lived on
    };
    std::unordered_map<std::int64_t, Session> m_live;
    std::set<std::int64_t> m_withThreads;
    std::map<Pair, std::vector<Witness>> m_pairs;
    std::set<Pair> m_inverted; // the smaller path first
    std::vector<OrderInversion> m_found;
    std::uint64_t m_foundEver = 0;
};

} // namespace lockscope::history
