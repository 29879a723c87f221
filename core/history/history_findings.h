// Checks the events of the chosen locks against the rules that a transaction log can judge; the other rules
// are reported as not checked. Takes the events of LockTable. Memory: in proportion to the live nodes. One
// thread.
#pragma once

#include "core/history/lock_event.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockscope::history {

enum class Rule : std::uint8_t {
    oneEntitled,  // never two at a time, except readers and leases
    orderKept,    // the lowest live node is entitled next
    noOrphanNode, // no holder's node stayed until its session expired, a timeout after its last sign of life
    noThirdPartyDelete,
    noSequenceWrap, // no node number beyond 2^31 - 1, nor that number twice: clients compare them as text
    oneNaming,      // clients of two naming schemes on one path may not exclude each other
    noHerd,
    noLostWakeup,
    tokensIncrease,
    beliefMatchesServer, // never checked: no log has watches or beliefs
};
inline constexpr std::size_t kRules = 10;
const char* name(Rule rule); // "one_entitled"

struct RuleFinding
{
    Rule rule{};
    bool canBeChecked = true;
    std::uint64_t checked = 0, violated = 0;
    // Cases that a gap hides, or that are of two libraries whose clients may exclude each other or not: with
    // one, the rule is not known to be kept.
    std::uint64_t unknown = 0;
    Zxid last;        // of the last violation
    std::string node; // its path

    std::string text() const; // an English sentence
};

class HistoryFindings
{
public:
    HistoryFindings();
    void add(const LockEvent& event);
    void addGap();      // what happened in it is checked by no rule
    void resetCounts(); // the queues stay
    const std::array<RuleFinding, kRules>& all() const { return m_all; }

private:
    struct Node
    {
        std::string name;
        SessionId session;
        std::int64_t order = 0;
        NodeRole role{};
        queue::Library library{};
        bool entitled = false;
    };
    struct Queue
    {
        std::vector<Node> nodes;        // live ones
        std::uint32_t families = 0;     // bits
        bool reachedLastNumber = false; // 2^31 - 1; since 3.5 the server assigns it repeatedly
    };
    RuleFinding& of(Rule rule) { return m_all[static_cast<std::size_t>(rule)]; }
    void check(Rule rule, bool ok, const LockEvent& event);
    void queued(Queue& queue, const LockEvent& event);
    void entitled(Queue& queue, const LockEvent& event);
    void ended(Queue& queue, const LockEvent& event);

    std::array<RuleFinding, kRules> m_all;
    std::unordered_map<std::uint32_t, Queue> m_queues;
};

} // namespace lockscope::history
