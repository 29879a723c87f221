#include "core/replay/findings/invariant_checker.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/findings/wording.h"
#include "core/trace/phrase.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockscope::replay {

namespace {

constexpr std::size_t kViolationsKept = 100;

std::string_view ruleOfHolders(LockSharing manner)
{
    switch (manner) {
    case LockSharing::readers:
        return "nobody beside a writer";
    case LockSharing::leases:
        return "never too many leases out";
    case LockSharing::exclusive:
    case LockSharing::unordered:
        break;
    }
    return "never two holders at a time";
}

void sayWhatWasChecked(Finding& finding, LockSharing manner)
{
    finding.detail.clear(); // keeps its capacity: this runs on every grant
    const auto out = std::back_inserter(finding.detail);
    const std::string number = wording::groupDigits(finding.checked);
    const bool one = finding.checked == 1;
    switch (finding.kind) {
    case FindingKind::oneHolder:
        fmt::format_to(out, "{} {} checked: {}.", number, one ? "grant" : "grants", ruleOfHolders(manner));
        break;
    case FindingKind::orderKept:
        fmt::format_to(out, "{} {} checked: {}.", number, one ? "grant" : "grants",
                       manner == LockSharing::readers ? "nobody was in the way in front"
                                                     : "each went to the lowest live sequence number");
        break;
    case FindingKind::noHerd:
        fmt::format_to(out, "{} {} checked: a node that goes wakes one client at most{}.", number,
                       one ? "wake-up" : "wake-ups", finding.maxWoken > 1 ? ", readers apart" : "");
        break;
    case FindingKind::noOrphanNode:
        fmt::format_to(out, "{} {} followed to the end: none was left behind.", number,
                       one ? "node" : "nodes");
        break;
    case FindingKind::noLostWakeup:
        fmt::format_to(out, "{} {} checked: every waiter noticed that its watched node was gone.", number,
                       one ? "wake-up" : "wake-ups");
        break;
    case FindingKind::tokensIncrease:
        fmt::format_to(out, "{} {} checked, each greater than the one before.", number,
                       one ? "token" : "tokens");
        break;
    case FindingKind::beliefMatchesServer:
        fmt::format_to(out, "{} {} checked: none outlasted its node on the server.", number,
                       one ? "hold" : "holds");
        break;
    case FindingKind::noDeadlock:
        fmt::format_to(out, "{} {} checked: nobody waits in a circle.", number, one ? "wait" : "waits");
        break;
    case FindingKind::noStrayWatch:
        fmt::format_to(out, "{} {} with exists checked: none waits for a node that never comes.", number,
                       one ? "watch" : "watches");
        break;
    }
}

} // namespace

void InvariantChecker::checked(FindingKind kind)
{
    Finding& finding = m_state.findings.of(kind);
    ++finding.checked;
    if (finding.ok())
        sayWhatWasChecked(finding, lockSharing(m_state));
}

void InvariantChecker::onlyWatches()
{
    for (Finding& finding : m_state.findings.all)
        if (finding.checked == 0 && finding.ok())
            finding.detail = "Nothing was checked: this run only watches.";
}

void InvariantChecker::violated(FindingKind kind, ClientId client, EventIndex against, std::string detail)
{
    Finding& finding = m_state.findings.of(kind);
    ++finding.violated;
    if (finding.violations.size() < kViolationsKept)
        finding.violations.push_back({m_index, against, m_at, client});
    finding.detail = std::move(detail);
}

std::string InvariantChecker::name(ClientId client) const
{
    const ClientRow* row = m_state.client(client);
    if (!row || row->name.empty())
        return client.valid() ? trace::defaultClientName(client) : std::string("somebody");
    return std::string(row->name.substr(0, 40));
}

bool InvariantChecker::stale(LockUseRef ref) const
{
    const LockUse* one = m_state.lockUse(ref);
    return !one || one->isStale;
}

void InvariantChecker::granted(const LockRow& lock, LockBookkeeping& book, ClientId client, const LockUse& one,
                    std::size_t place, const trace::Acquired& grant, bool lease)
{
    if (lock.watched) { // what it believes is not known, nor how many leases there are
        if (!lease) {
            oneHolder(book, client, one, grant.node, grant.owner);
            orderKept(lock, client, place);
        }
        return;
    }
    if (lease) {
        enoughPermits(lock, book, client, one);
        tokensOfGrant(book, client, one.asked, grant.token);
    } else {
        oneHolder(book, client, one, grant.node, grant.owner);
        orderKept(lock, client, place);
        if (!inheritsToken(lock.id, client, one, grant))
            tokensIncrease(book, client, grant.node, grant.token);
    }
    checked(FindingKind::beliefMatchesServer);
}

// one_holder: when a client is granted the lock, nobody else believes to hold it whose node and session the
// server still has. Belief ends with ReleaseCalled (not with its reply), so a successor that is granted
// before the reply is recorded breaks nothing; and a holder that the server dropped is stale, which is
// belief_matches_server's matter. Readers of a read/write lock hold together, and so do both sides of it in
// one hand.
void InvariantChecker::oneHolder(const LockBookkeeping& book, ClientId client, const LockUse& one, Text node, OwnerId owner)
{
    const bool reads = node_queue::isReader(node);
    checked(FindingKind::oneHolder);
    for (const LockUseRef& ref : book.believedHolders) {
        const LockUse* other = m_state.lockUse(ref);
        if (!other || ref == LockUseRef{client, one.number} || other->isStale ||
            (ref.client == client && other->owner == owner) || (reads && node_queue::isReader(other->node)))
            continue;
        violated(FindingKind::oneHolder, client, other->granted,
                 fmt::format("{} was granted the lock while {} held it with a live node.", name(client),
                             name(ref.client)));
        return;
    }
}

// The same for leases: no more are out than there are permits, one client's own counted too. Fewer permits
// take no lease away, and who has read its list before the change may still go by the number before.
void InvariantChecker::enoughPermits(const LockRow& lock, const LockBookkeeping& book, ClientId client, const LockUse& one)
{
    checked(FindingKind::oneHolder);
    const bool before = book.limitedBy.valid() && one.decided.valid() && one.decided < book.limitedBy;
    const std::uint32_t most = before ? std::max(lock.permits, book.permitsBefore) : lock.permits;
    std::uint32_t out = 1;
    LockUseRef first;
    for (const LockUseRef& ref : book.believedHolders) {
        if (ref == LockUseRef{client, one.number} || stale(ref))
            continue;
        ++out;
        first = first.valid() ? first : ref;
    }
    if (out <= most)
        return;
    const LockUse* other = m_state.lockUse(first);
    violated(FindingKind::oneHolder, client, other ? other->granted : EventIndex::none(),
             fmt::format("{} was granted a lease while {} of {} were out.", name(client),
                         wording::groupDigits(out - 1), wording::groupDigits(most)));
}

// Who holds, or held last, with the token.
ClientId InvariantChecker::insideWith(const LockBookkeeping& book, ClientId client, Zxid otherToken) const
{
    const auto has = [&](ClientId id) {
        const ClientRow* row = m_state.client(id);
        if (!row || id == client || !otherToken.valid())
            return false;
        return row->token == otherToken ||
               std::any_of(row->also.begin(), row->also.end(),
                           [&](const LockUse& one) { return one.token == otherToken; });
    };
    if (has(book.inside))
        return book.inside;
    for (const LockUseRef& believer : book.believedHolders) {
        if (has(believer.client))
            return believer.client;
    }
    for (const ClientRow& row : m_state.clients) {
        if (has(row.id))
            return row.id;
    }
    return book.inside != client ? book.inside : ClientId::none();
}

// The same rule as the protected thing itself records it: two are inside at once. A stale one is
// belief_matches_server's matter here too, also after it was told and until it has left.
void InvariantChecker::conflict(const LockBookkeeping& book, ClientId client, Zxid otherToken)
{
    const ClientId other = insideWith(book, client, otherToken);
    const auto excused = [this](ClientId id) {
        const ClientRow* row = m_state.client(id);
        return row && (row->hasStaleHold() || m_state.book.clients[id.value].lostHold);
    };
    if (excused(client) || excused(other) ||
        std::any_of(book.believedHolders.begin(), book.believedHolders.end(),
                    [&](const LockUseRef& ref) { return excused(ref.client); }))
        return;
    violated(FindingKind::oneHolder, client,
             m_state.client(other) ? m_state.clients[other.value].granted : EventIndex::none(),
             fmt::format("{} was inside the protected section together with {}.", name(client),
                         other.valid() ? name(other) : std::string("somebody else")));
}

// order_kept: when a client is granted the lock, no live node sorts before its own. A node whose delete is on
// its way may be gone already: its reply can be recorded after the successor's grant. Nodes that the
// grantee's own list left out are taken from the queue when that list is read, see Fold::readList. A reader
// passes readers, and its own write node when it goes from writing to reading.
void InvariantChecker::orderKept(const LockRow& lock, ClientId client, std::size_t place)
{
    if (lock.recipe == "herd") {
        if (Finding& finding = m_state.findings.of(FindingKind::orderKept); finding.checked == 0)
            finding.detail = "Nothing was checked: this recipe has no order.";
        return;
    }
    if (place == node_queue::kNotFound)
        return; // not in the server's list: a stale grant, or a trace without the list
    checked(FindingKind::orderKept);
    for (std::size_t i = 0; i < place; ++i) {
        const NodeRow& ahead = lock.queue[i];
        const NodeRow& own = lock.queue[place];
        const bool passes =
            node_queue::isReader(own.name) && (node_queue::isReader(ahead.name) || ahead.owner == client);
        if (ahead.deleteSent || passes)
            continue;
        const std::string of = ahead.owner.valid() ? " of " + name(ahead.owner) : std::string();
        violated(FindingKind::orderKept, client, ahead.createdBy,
                 fmt::format("{} was granted the lock with {} while {}{} was still in front.", name(client),
                             wording::node(own.name, own.sequence), wording::node(ahead.name, ahead.sequence),
                             of));
        return;
    }
}

// belief_matches_server: from its grant until it calls release or learns of its loss, the holder's node and
// session exist on the server. The stale window in between is declared, measured and counted here.
void InvariantChecker::staleBegins(ClientId client, const LockUse& hold)
{
    const ClientBookkeeping& book = m_state.book.clients[client.value];
    violated(FindingKind::beliefMatchesServer, client, hold.granted,
             fmt::format("{} believes that it holds the lock, but its {} is gone.", name(client),
                         book.staleBySession ? "session" : "node"));
}

void InvariantChecker::staleChanged(ClientId client, const LockUse& hold)
{
    const ClientRow& row = m_state.clients[client.value];
    const ClientBookkeeping& book = m_state.book.clients[client.value];
    std::string detail;
    if (hold.isStale)
        detail = fmt::format("{} believes that it holds the lock, but its {} is gone", name(client),
                             book.staleBySession ? "session" : "node");
    else
        detail = fmt::format("{} believed it held for {} after its {} was gone", name(client),
                             wording::duration(row.staleFor), book.staleBySession ? "session" : "node");
    if (book.refused && book.staleToken.valid())
        detail += fmt::format("; its token {} was refused", wording::token(book.staleToken));
    m_state.findings.of(FindingKind::beliefMatchesServer).detail = detail + ".";
}

} // namespace lockscope::replay
