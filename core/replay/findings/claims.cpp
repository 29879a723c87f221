#include "core/replay/findings/claims.h"

#include "core/replay/findings/wording.h"
#include "core/replay/fold/reducer.h"
#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace lockscope::replay {

namespace {

// From when a program can know that its session is over, to when it must have given the lock up.
constexpr Duration kClaimGrace = std::chrono::milliseconds(2500);

// The rules that any run has: the first violation of the finding is that of the rule.
constexpr std::array kSameAsFinding{std::pair{ClaimRule::exclusion, FindingKind::oneHolder},
                                    std::pair{ClaimRule::herd, FindingKind::noHerd},
                                    std::pair{ClaimRule::tokens, FindingKind::tokensIncrease},
                                    std::pair{ClaimRule::strayWatch, FindingKind::noStrayWatch}};

class ClaimsJudge
{
public:
    explicit ClaimsJudge(const trace::TraceStore& store)
        : m_store(store)
    {}
    ClaimsJudged judge();

private:
    ClaimVerdict& of(ClaimRule rule) { return m_judged.rules[static_cast<std::size_t>(rule)]; }
    void violated(ClaimRule rule, ClientId client, EventIndex event, EventIndex against, Message what);
    void apply(std::size_t index);
    void checkClaims(TraceTime now);
    void checkClaim(const ClientRow& row, const LockUse& claim, TraceTime now);
    std::optional<TraceTime> toldAt(const ClientRow& row, const LockUse& claim) const;
    bool isStale(ClientId client) const
    {
        const ClientRow* row = m_state.client(client);
        return row && row->hasStaleHold();
    }
    TraceTime timeOf(EventIndex event) const { return m_store.at(event).at; }
    Message beside(ClientId client, EventIndex against) const;
    void onNotice(EventIndex at, const trace::Notice& notice);
    void stuck(EventIndex event, const Message& notice);
    Message name(ClientId client) const { return wording::client(m_state, client); }

    struct Persistent
    {
        ClientId by;
        EventIndex made;
    };

    const trace::TraceStore& m_store;
    RunState m_state;
    Facts m_facts;
    ClaimsJudged m_judged;
    std::map<std::string, Persistent, std::less<>> m_persistent; // that are on the server
    std::map<ClientId, SessionId> m_sessions;                    // of the claims
    std::set<EventIndex> m_reported, m_excused;                  // grants
};

void ClaimsJudge::violated(ClaimRule rule, ClientId client, EventIndex event, EventIndex against,
                           Message what)
{
    ClaimVerdict& verdict = of(rule);
    if (verdict.violated++ == 0)
        verdict = {0, 1, event, against, timeOf(event), client, std::move(what)};
}

// Two copies say that they have it, and the session of neither has ended, so far as anybody knows.
Message ClaimsJudge::beside(ClientId client, EventIndex against) const
{
    const trace::Event& grant = m_store.at(against);
    const auto* acquired = std::get_if<trace::Acquired>(&grant.what);
    const bool entitled = acquired && !acquired->node.empty() && m_state.node(grant.lock, acquired->node);
    return message("%1 said that it has the lock while %2 had not given it up. %3", name(client),
                   name(grant.client),
                   entitled ? message("The server had %1 of %2 in the queue: %2 was entitled to the lock.",
                                      wording::node(acquired->node, node_queue::sequenceOf(acquired->node)),
                                      name(grant.client))
                            : message("The server knew of no node of %1.", name(grant.client)));
}

// When it could know that its session is over: the server said so; or its own clock did, after the session
// timeout without contact. None: it cannot know.
std::optional<TraceTime> ClaimsJudge::toldAt(const ClientRow& row, const LockUse& claim) const
{
    const auto session = m_sessions.find(row.id);
    const bool replaced = session != m_sessions.end() && session->second != row.sessionId;
    if ((row.session == trace::SessionPhase::lost || replaced) && row.sessionBy.valid())
        return timeOf(row.sessionBy);
    if (row.suspendedBy.valid())
        return std::max(claim.staleSince, timeOf(row.suspendedBy) + row.sessionTimeout);
    return std::nullopt;
}

void ClaimsJudge::checkClaim(const ClientRow& row, const LockUse& claim, TraceTime now)
{
    if (!claim.isStale || claim.phase != ClientPhase::holding || m_reported.contains(claim.granted))
        return;
    if (row.frozen) {
        if (m_excused.insert(claim.granted).second && m_judged.excused++ == 0)
            m_judged.firstExcused = claim.staleBy;
        return;
    }
    const std::optional<TraceTime> told = toldAt(row, claim);
    if (!told)
        return;
    const TraceTime thawed = row.frozenBy.valid() ? timeOf(row.frozenBy) : TraceTime{};
    const TraceTime from = std::max({*told, claim.staleSince, thawed});
    if (now <= from + kClaimGrace)
        return;
    m_reported.insert(claim.granted);
    violated(ClaimRule::staleClaim, row.id, claim.staleBy, claim.granted,
             message("%1 still said that it has the lock %2 after it could know that its session is over.",
                     name(row.id), wording::duration(now - from)));
}

// Before the event at `now`, which may end a claim.
void ClaimsJudge::checkClaims(TraceTime now)
{
    for (const ClientRow& row : m_state.clients)
        row.forEach([&](const LockUse& use) { checkClaim(row, use, now); });
}

// No copy gets the lock: what stands in front?
void ClaimsJudge::stuck(EventIndex event, const Message& notice)
{
    if (!m_persistent.empty()) {
        const auto& [node, made] = *std::ranges::min_element(
            m_persistent, {}, [](const auto& one) { return node_queue::sequenceOf(one.first); });
        return violated(
            ClaimRule::leftover, made.by, event, made.made,
            message("%1 made %2 as a persistent node: nothing deletes it when its session ends, and "
                    "everybody waits for it.",
                    name(made.by), wording::node(node, node_queue::sequenceOf(node))));
    }
    for (const LockRow& lock : m_state.locks) {
        const NodeRow* front = lock.queue.empty() ? nullptr : &lock.queue.front();
        const ClientRow* owner = front ? m_state.client(front->owner) : nullptr;
        if (!owner || front->session != owner->sessionId || owner->lockUse(lock.id, front->name))
            continue;
        return violated(
            ClaimRule::leftover, owner->id, event, front->createdBy,
            message("%1 has forgotten %2, which it has made: it stays in front of everybody as long "
                    "as its session lives.",
                    name(owner->id), wording::node(front->name, front->sequence)));
    }
    violated(ClaimRule::progress, ClientId::none(), event, EventIndex::none(), notice);
}

void ClaimsJudge::onNotice(EventIndex at, const trace::Notice& notice)
{
    if (notice.code == "no_progress")
        stuck(at, Message(notice.text));
    if (notice.code == "broken_line" || notice.code == "program_ended" || notice.code == "no_line")
        m_judged.whyNot = Message(notice.text);
    m_judged.brokenLine = m_judged.brokenLine || notice.code == "broken_line";
    if (notice.code.starts_with(kFaultMet))
        ++m_judged.plan[std::string(notice.code.substr(kFaultMet.size()))].met;
    if (notice.code.starts_with(kFaultMissed))
        ++m_judged.plan[std::string(notice.code.substr(kFaultMissed.size()))].missed;
}

void ClaimsJudge::apply(std::size_t index)
{
    const EventIndex at{static_cast<EventIndex::Value>(index)};
    const trace::Event& event = m_store.at(at);
    checkClaims(event.at);
    std::array<std::uint64_t, kSameAsFinding.size()> before{};
    for (std::size_t i = 0; i < before.size(); ++i)
        before[i] = m_state.findings.of(kSameAsFinding[i].second).violated;
    replay::apply(m_state, m_store, index, m_facts);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto [rule, kind] = kSameAsFinding[i];
        const Finding& finding = m_state.findings.of(kind);
        if (finding.violated == before[i])
            continue;
        const Violation& violation = finding.violations.back();
        if (isStale(violation.client))
            continue; // the server had taken it away before its line: claim_after_loss decides
        violated(rule, violation.client, violation.at, violation.against,
                 rule == ClaimRule::exclusion && violation.against.valid()
                     ? beside(violation.client, violation.against)
                     : finding.lastViolation);
    }
    if (const auto* acquired = std::get_if<trace::Acquired>(&event.what);
        acquired && m_state.client(event.client)) {
        ++m_judged.claims;
        m_sessions[event.client] = m_state.client(event.client)->sessionId;
    } else if (const auto* seen = std::get_if<trace::NodeSeen>(&event.what)) {
        if (seen->czxid.valid() && !seen->session.valid() && !seen->foreign)
            m_persistent.try_emplace(std::string(seen->node),
                                     Persistent{m_state.ownerOf(event.lock, seen->node), at});
    } else if (const auto* gone = std::get_if<trace::NodeVanished>(&event.what)) {
        m_persistent.erase(std::string(gone->node));
    } else if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
        if (reply->op == Operation::remove && reply->outcome != trace::Outcome::unknown)
            m_persistent.erase(std::string(reply->node));
    } else if (const auto* notice = std::get_if<trace::Notice>(&event.what)) {
        onNotice(at, *notice);
    }
}

ClaimsJudged ClaimsJudge::judge()
{
    const std::size_t count = m_store.count();
    for (std::size_t i = 0; i < count; ++i)
        apply(i);
    for (ClaimVerdict& verdict : m_judged.rules)
        verdict.checked = m_judged.claims;
    for (const auto& [rule, kind] : kSameAsFinding)
        of(rule).checked = m_state.findings.of(kind).checked;
    return std::move(m_judged);
}

} // namespace

std::span<const ClaimRuleText, kClaimRules> claimRules()
{
    static const std::array<ClaimRuleText, kClaimRules> rules{{
        {"mutual_exclusion", message("One at a time"),
         message("Hold the lock only while your own node is the first in a list that you have read after you "
                 "made it, and read the list again after every wake-up.")},
        {"claim_after_loss", message("Lost session, lost lock"),
         message(
             "Listen for the states of the connection: stop what the lock protects when it is suspended, "
             "at the latest when the session is lost. Give the resource a token (the czxid of the node) so "
             "that it can refuse who comes too late.")},
        {"leftover_node", message("No node left behind"),
         message("Make ephemeral nodes, with an id in the name; after a create whose reply was lost look for "
                 "that id in the list, and delete the node whenever you give up.")},
        {"progress", message("Somebody gets it"),
         message(
             "Read the list again after every wake-up and every reconnect, and watch a node only if it is "
             "still there.")},
        {"no_herd", message("No herd"), message("Watch the node in front of your own, and nothing else.")},
        {"tokens_increase", message("Tokens increase"),
         message("Tell the czxid of the node by which you hold the lock.")},
        {"no_stray_watch", message("No watch left over"),
         message("Watch the node in front with getData instead of exists, which leaves a watch on the server "
                 "when the node is gone already.")},
    }};
    return rules;
}

bool ClaimsJudged::ok() const
{
    return std::ranges::all_of(rules, [](const ClaimVerdict& verdict) { return verdict.violated == 0; });
}

ClaimsJudged::Verdict ClaimsJudged::verdict() const
{
    if (brokenLine)
        return Verdict::notJudged;
    return !ok() ? Verdict::violated : whyNot.empty() ? Verdict::sound : Verdict::notJudged;
}

ClaimsJudged judgeClaims(const trace::TraceStore& store) { return ClaimsJudge(store).judge(); }

} // namespace lockscope::replay
