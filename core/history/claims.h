// What programs have logged about their own holds, beside what the server's log says. A text file, one line
// each:
//     2026-11-23T03:04:05.678Z  /locks/orders/lock-0000000012  begins
//     1795403046.120            lock-0000000012                ends
// First the time, by the program's clock: UTC, or seconds since the Unix epoch. Then the node: its path, its
// name, or its czxid as a fencing token (0x1f3). Blank lines and lines that begin with # are ignored.
#pragma once

#include "core/base/error.h"
#include "core/history/lock_event.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockscope::history {

struct Claim
{
    std::int64_t timeMs = 0;
    std::string node; // as written
    bool begins = false;
    std::size_t line = 0;
};

// In the order of time; at one time, ends come first. Errors: ioFailed; badInput, with the line.
Result<std::vector<Claim>> loadClaims(const std::filesystem::path& file);
Result<std::vector<Claim>> parseClaims(std::string_view text, const std::string& file);

// A node of a lock that is named by a claim, by the server's log.
struct ClaimedNode
{
    std::uint32_t queue = 0; // as in LockEvent::lock
    std::string lockPath, parent, name;
    NodeRole role{};
    SessionId session;
    Zxid created;
    std::int64_t createdMs = 0; // 0: before the log
    std::optional<std::int64_t> entitledMs{}, endedMs{};
    EndReason reason = EndReason::unknown; // once it has ended
    bool entitledBefore = false;           // perhaps before `entitledMs`
};

// A hold that its program believed in.
struct ClaimedHold
{
    enum class Verdict : std::uint8_t {
        within,     // the server's time of being first
        late,       // it believed on after its node was gone
        early,      // it believed before its node was first
        neverFirst, // it believed, and its node never was
        notKnown,   // the history does not say when its node was first, or gone
        noNode,
        severalNodes, // have this name
    };
    std::string words; // its node, as written
    std::size_t line = 0;
    std::int64_t beginMs = 0;
    std::optional<std::int64_t> endMs{}; // none: the file has no end
    std::optional<std::size_t> node{};   // in ClaimedHolds::nodes()
    bool severalNodes = false;
    struct Other // held by the server's log while this one believed and was not first
    {
        std::string name;
        SessionId session;
        NodeRole role{};
        std::int64_t fromMs = 0;            // of the two at once
        std::optional<std::int64_t> toMs{}; // none: as long as this one believed
    };
    std::vector<Other> others{};
};
const char* name(ClaimedHold::Verdict verdict); // "never_first"

// Joins claims with the events of a history, in the order of time. One thread.
class ClaimedHolds
{
public:
    struct Belief // begins or ends
    {
        const ClaimedNode& node;
        bool begins = false;
        std::int64_t timeMs = 0;
    };

    // `listener` hears of each belief whose node is known, before the first event that is later.
    ClaimedHolds(std::vector<Claim> claims, std::function<void(const Belief&)> listener);
    bool isClaimed(const LockNode& node) const; // a claim says that it is held
    void add(const LockEvent& event);
    void finish(std::int64_t timeMs); // the history ends; later claims are taken as well

    const std::vector<ClaimedHold>& holds() const { return m_holds; } // in the order of their begin
    const std::vector<ClaimedNode>& nodes() const { return m_nodes; }
    // After finish().
    ClaimedHold::Verdict verdictOf(const ClaimedHold& hold) const;
    std::int64_t earlyMs(const ClaimedHold& hold) const; // 0: not early, or not known
    std::int64_t lateMs(const ClaimedHold& hold) const;  // 0: not late, or not known
    // Lines that say nothing new: an end of what has not begun, a begin of what has.
    std::size_t ignored() const { return m_ignored; }
    // The clock of a program that believed before it had asked was behind by at least this.
    std::int64_t clockBehindMs() const;

private:
    using Words = std::vector<std::string>;
    static Words wordsOf(const LockNode& node);
    void takeUntil(std::int64_t timeMs, bool begins);
    void take(const Claim& claim);
    void believes(ClaimedHold& hold, std::int64_t timeMs);
    void tellDue();
    const ClaimedNode* nodeOf(const ClaimedHold& hold) const;
    static bool excludes(NodeRole one, NodeRole other);

    std::vector<Claim> m_claims;
    std::size_t m_next = 0; // of m_claims
    std::function<void(const Belief&)> m_listener;
    std::unordered_set<std::string> m_words; // of all claims that begin
    std::vector<ClaimedNode> m_nodes;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> m_live; // nodes, by queue and name
    std::unordered_map<std::string, std::vector<std::size_t>> m_byWords; // nodes
    std::unordered_map<std::string, std::size_t> m_open;                 // holds that have not ended
    std::unordered_map<std::string, std::vector<std::size_t>> m_unbound; // holds without a node
    std::vector<std::pair<std::size_t, std::int64_t>> m_due;             // holds to tell of, and when
    std::map<std::uint32_t, std::map<std::string, ClaimedHold::Other>> m_holders; // by queue and name
    std::vector<ClaimedHold> m_holds;
    std::size_t m_ignored = 0;
    Zxid m_zxid;              // of the last event
    std::int64_t m_endMs = 0; // of the history
};

} // namespace lockscope::history
