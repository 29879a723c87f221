#include "core/history/claims.h"

#include "core/base/numbers.h"
#include "core/base/read_file.h"
#include "core/base/utc_time.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope::history {

namespace {

constexpr std::size_t kMostOthers = 100;
constexpr const char* kBlanks = " \t\r";

// "1795403046.12": seconds since the Unix epoch.
std::optional<std::int64_t> secondsFrom(std::string_view text)
{
    const std::size_t point = text.find('.');
    const auto whole = parseWhole<std::int64_t>(text.substr(0, point));
    constexpr std::int64_t kMost = 100'000'000'000; // more are milliseconds, or nothing of this millennium
    if (!whole || *whole < 0 || *whole >= kMost)
        return std::nullopt;
    std::string part(point == std::string_view::npos ? "" : text.substr(point + 1));
    if (part.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    part.resize(3, '0');
    return *whole * 1000 + parseWhole<std::int64_t>(part).value_or(0);
}

std::string nextWord(std::string_view& line)
{
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(kBlanks)));
    const std::size_t end = std::min(line.size(), line.find_first_of(kBlanks));
    std::string word(line.substr(0, end));
    line.remove_prefix(end);
    return word;
}

} // namespace

Result<std::vector<Claim>> loadClaims(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    return text ? parseClaims(*text, file.string()) : text.error();
}

Result<std::vector<Claim>> parseClaims(std::string_view text, const std::string& file)
{
    std::vector<Claim> claims;
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::string time = nextWord(line), node = nextWord(line), what = nextWord(line);
        if (time.empty() || time.starts_with('#'))
            continue;
        const std::optional<std::int64_t> seconds = secondsFrom(time);
        const std::optional<std::int64_t> ms = seconds ? seconds : timeFrom(time);
        const bool whole = nextWord(line).empty();
        if (!ms || node.empty() || (what != "begins" && what != "ends") || !whole)
            return Error{ErrorCode::badInput, message("%1:%2: this line is no claim.", file, number),
                         message("Expected a time, as in 2026-11-23T03:04:05.678Z or 1795403045.678, then a "
                                 "node or a token, then begins or ends.")};
        claims.push_back({*ms, node, what == "begins", number});
    }
    std::stable_sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
        return std::pair(a.timeMs, a.begins) < std::pair(b.timeMs, b.begins);
    });
    return claims;
}

const char* name(ClaimedHold::Verdict verdict)
{
    constexpr std::array<const char*, 7> kNames = {"within",    "late",    "early",        "never_first",
                                                   "not_known", "no_node", "several_nodes"};
    return kNames[static_cast<std::size_t>(verdict)];
}

ClaimedHolds::ClaimedHolds(std::vector<Claim> claims, std::function<void(const Belief&)> listener)
    : m_claims(std::move(claims))
    , m_listener(std::move(listener))
{
    for (const Claim& claim : m_claims)
        if (claim.begins)
            m_words.insert(claim.node);
}

// What a claim may call it.
ClaimedHolds::Words ClaimedHolds::wordsOf(const LockNode& node)
{
    Words words{std::string(node.name),
                fmt::format("{}/{}", node.parent == "/" ? "" : node.parent, node.name)};
    if (node.created.valid())
        words.push_back(hexText(node.created));
    return words;
}

bool ClaimedHolds::isClaimed(const LockNode& node) const
{
    const Words words = wordsOf(node);
    return std::any_of(words.begin(), words.end(),
                       [this](const std::string& one) { return m_words.contains(one); });
}

// Whether two of them may not hold at once, as far as their roles tell.
bool ClaimedHolds::excludes(NodeRole one, NodeRole other)
{
    return one != NodeRole::lease && other != NodeRole::lease &&
           !(one == NodeRole::reader && other == NodeRole::reader);
}

const ClaimedNode* ClaimedHolds::nodeOf(const ClaimedHold& hold) const
{
    return hold.node ? &m_nodes[*hold.node] : nullptr;
}

// The hold has begun: who else holds, if its own node is not first?
void ClaimedHolds::believes(ClaimedHold& hold, std::int64_t timeMs)
{
    const ClaimedNode& node = *nodeOf(hold);
    m_listener({node, true, timeMs});
    if (node.entitledMs && !node.endedMs)
        return;
    for (const auto& [name, other] : m_holders[node.queue])
        if (name != node.name && excludes(node.role, other.role) && hold.others.size() < kMostOthers) {
            hold.others.push_back(other);
            hold.others.back().fromMs = timeMs;
        }
}

void ClaimedHolds::take(const Claim& claim)
{
    const auto open = m_open.find(claim.node);
    if ((open != m_open.end()) == claim.begins) {
        ++m_ignored;
        return;
    }
    if (!claim.begins) {
        ClaimedHold& hold = m_holds[open->second];
        hold.endMs = claim.timeMs;
        if (const ClaimedNode* node = nodeOf(hold))
            m_listener({*node, false, claim.timeMs});
        m_open.erase(open);
        return;
    }
    const std::size_t number = m_holds.size();
    m_open.emplace(claim.node, number);
    ClaimedHold& hold = m_holds.emplace_back();
    hold.words = claim.node;
    hold.line = claim.line;
    hold.beginMs = claim.timeMs;
    const auto known = m_byWords.find(claim.node);
    if (known == m_byWords.end()) {
        m_unbound[claim.node].push_back(number);
        return;
    }
    const std::vector<std::size_t>& nodes = known->second;
    hold.severalNodes = std::any_of(nodes.begin(), nodes.end(), [&](std::size_t one) {
        return m_nodes[one].parent != m_nodes[nodes.back()].parent;
    });
    if (hold.severalNodes)
        return;
    hold.node = nodes.back();
    believes(hold, claim.timeMs);
}

// Claims of this very time: what ends comes before the events, what begins after them.
void ClaimedHolds::takeUntil(std::int64_t timeMs, bool begins)
{
    while (m_next < m_claims.size() &&
           std::pair(m_claims[m_next].timeMs, m_claims[m_next].begins) <= std::pair(timeMs, begins))
        take(m_claims[m_next++]);
}

// Holds that were claimed before their node was there.
void ClaimedHolds::tellDue()
{
    for (const auto& [number, timeMs] : std::exchange(m_due, {})) {
        ClaimedHold& hold = m_holds[number];
        believes(hold, timeMs);
        if (hold.endMs)
            m_listener({*nodeOf(hold), false, timeMs});
    }
}

void ClaimedHolds::add(const LockEvent& event)
{
    if (event.zxid != m_zxid) {
        tellDue();
        takeUntil(event.timeMs, false);
    }
    m_zxid = event.zxid;
    using Kind = LockEvent::Kind;
    const LockNode& node = event.node;
    const std::pair key(event.lock, std::string(node.name));
    if (event.kind == Kind::queued && isClaimed(node)) {
        const std::size_t number = m_nodes.size();
        m_live.insert_or_assign(key, number);
        m_nodes.push_back({event.lock, std::string(node.lockPath), std::string(node.parent), key.second,
                           node.role, node.session, node.created, node.beforeLog ? 0 : node.createdMs});
        for (const std::string& words : wordsOf(node)) {
            m_byWords[words].push_back(number);
            for (const std::size_t hold : std::exchange(m_unbound[words], {})) {
                m_holds[hold].node = number;
                m_due.emplace_back(hold, event.timeMs);
            }
            m_unbound.erase(words);
        }
    }
    const auto live = m_live.find(key);
    ClaimedNode* claimed = live == m_live.end() ? nullptr : &m_nodes[live->second];
    if (event.kind == Kind::entitled) {
        if (claimed && !claimed->entitledMs) {
            claimed->entitledMs = event.timeMs;
            claimed->entitledBefore = node.beforeLog || node.sinceUnknown;
        }
        ClaimedHold::Other other{key.second, node.session, node.role, event.timeMs};
        for (const auto& [words, number] : m_open) {
            ClaimedHold& hold = m_holds[number];
            const ClaimedNode* own = nodeOf(hold);
            if (own && own->queue == event.lock && own->name != key.second && own->endedMs &&
                excludes(own->role, node.role) && hold.others.size() < kMostOthers)
                hold.others.push_back(other);
        }
        m_holders[event.lock].insert_or_assign(key.second, std::move(other));
    }
    if (event.kind == Kind::ended) {
        if (const auto queue = m_holders.find(event.lock); queue != m_holders.end()) {
            queue->second.erase(key.second);
            if (queue->second.empty())
                m_holders.erase(queue);
        }
        for (const auto& [words, number] : m_open)
            for (ClaimedHold::Other& other : m_holds[number].others)
                if (const ClaimedNode* own = nodeOf(m_holds[number]);
                    own->queue == event.lock && other.name == key.second && !other.toMs)
                    other.toMs = event.timeMs;
        if (claimed) {
            claimed->endedMs = event.timeMs;
            claimed->reason = event.reason;
            if (event.reason != EndReason::unknown) // else it may be there still, and be reported again
                m_live.erase(live);
        }
    }
}

void ClaimedHolds::finish(std::int64_t timeMs)
{
    tellDue();
    takeUntil(std::numeric_limits<std::int64_t>::max(), true);
    m_endMs = timeMs;
}

std::int64_t ClaimedHolds::earlyMs(const ClaimedHold& hold) const
{
    const ClaimedNode* node = nodeOf(hold);
    return node && node->entitledMs && !node->entitledBefore
               ? std::max<std::int64_t>(*node->entitledMs - hold.beginMs, 0)
               : 0;
}

std::int64_t ClaimedHolds::lateMs(const ClaimedHold& hold) const
{
    const ClaimedNode* node = nodeOf(hold);
    if (!node || !node->endedMs || node->reason == EndReason::unknown)
        return 0;
    return std::max<std::int64_t>(hold.endMs.value_or(std::max(m_endMs, hold.beginMs)) - *node->endedMs, 0);
}

ClaimedHold::Verdict ClaimedHolds::verdictOf(const ClaimedHold& hold) const
{
    using Verdict = ClaimedHold::Verdict;
    const ClaimedNode* node = nodeOf(hold);
    if (!node)
        return hold.severalNodes ? Verdict::severalNodes : Verdict::noNode;
    if (!node->entitledMs)
        return node->endedMs && (node->reason == EndReason::unknown || node->reason == EndReason::left)
                   ? Verdict::notKnown
                   : Verdict::neverFirst;
    if (lateMs(hold) > 0)
        return Verdict::late;
    if (earlyMs(hold) > 0)
        return Verdict::early;
    return (node->endedMs && node->reason == EndReason::unknown) ||
                   (node->entitledBefore && hold.beginMs < *node->entitledMs)
               ? Verdict::notKnown
               : Verdict::within;
}

std::int64_t ClaimedHolds::clockBehindMs() const
{
    std::int64_t behind = 0;
    for (const ClaimedHold& hold : m_holds)
        if (const ClaimedNode* node = nodeOf(hold); node && node->createdMs != 0)
            behind = std::max(behind, node->createdMs - hold.beginMs);
    return behind;
}

} // namespace lockscope::history
