#include "core/replay/findings/invariant_checker.h"

#include "core/base/numbers.h"
#include "core/replay/findings/wording.h"
#include "core/replay/state/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

void InvariantChecker::checked(FindingKind kind) { ++state.findings.of(kind).checked; }

void InvariantChecker::locksChanged()
{
    const LockSharing sharing = lockSharing(state);
    const bool watches = std::ranges::any_of(state.locks, &LockRow::watched);
    for (Finding& finding : state.findings.all) {
        finding.sharing = sharing;
        finding.notChecked = watches ? NotChecked::watchesOnly : NotChecked::noOccasion;
    }
}

void InvariantChecker::violated(FindingKind kind, ClientId client, EventIndex against, Message sentence)
{
    Finding& finding = state.findings.of(kind);
    ++finding.violated;
    if (finding.violations.size() == 2 * Finding::kViolationsKept)
        finding.violations.erase(finding.violations.begin() + Finding::kViolationsKept);
    finding.violations.push_back({index, against, at, client});
    finding.lastViolation = std::move(sentence);
}

Message InvariantChecker::name(ClientId client) const { return wording::client(state, client); }

namespace {

// ---- the rules; each tells the checker what it counted ----

bool stale(InvariantChecker& in, LockUseRef ref)
{
    const LockUse* one = in.state.lockUse(ref);
    return !one || one->isStale;
}

// one_holder: when a client is granted the lock, no other client with a live node and session believes that
// it holds the lock. Belief ends with ReleaseCalled (not with its reply), so a successor that is granted
// before the reply is recorded breaks no rule; and a holder that the server dropped is stale, which is a
// matter of belief_matches_server. Readers of a read/write lock hold together, and one owner may hold both
// sides of it.
void oneHolder(InvariantChecker& in, const LockBookkeeping& book, ClientId client, const LockUse& one,
               Text node, OwnerId owner)
{
    const bool reads = node_queue::isReader(node);
    in.checked(FindingKind::oneHolder);
    for (const LockUseRef& ref : book.believedHolders) {
        const LockUse* other = in.state.lockUse(ref);
        if (!other || ref == LockUseRef{client, one.number} || other->isStale ||
            (ref.client == client && other->owner == owner) || (reads && node_queue::isReader(other->node)))
            continue;
        in.violated(FindingKind::oneHolder, client, other->granted,
                    message("%1 was granted the lock while %2 held it with a live node.", in.name(client),
                            in.name(ref.client)));
        return;
    }
}

// The same for leases: no more are held than there are permits; several leases of one client count each. When
// the number of permits falls, no lease is taken away, and a client that read its list before the change may
// still apply the old number.
void enoughPermits(InvariantChecker& in, const LockRow& lock, const LockBookkeeping& book, ClientId client,
                   const LockUse& one)
{
    in.checked(FindingKind::oneHolder);
    const bool before = book.limitedBy.valid() && one.decided.valid() && one.decided < book.limitedBy;
    const std::uint32_t most = before ? std::max(lock.permits, book.permitsBefore) : lock.permits;
    std::uint32_t out = 1;
    LockUseRef first;
    for (const LockUseRef& ref : book.believedHolders) {
        if (ref == LockUseRef{client, one.number} || stale(in, ref))
            continue;
        ++out;
        first = first.valid() ? first : ref;
    }
    if (out <= most)
        return;
    const LockUse* other = in.state.lockUse(first);
    in.violated(FindingKind::oneHolder, client, other ? other->granted : EventIndex::none(),
                message("%1 was granted a lease while %2 of %3 were out.", in.name(client),
                        wording::groupDigits(out - 1), wording::groupDigits(most)));
}

// The other client that holds, or last held, with the token.
ClientId insideWith(InvariantChecker& in, const LockBookkeeping& book, ClientId client, Zxid otherToken)
{
    const auto has = [&](ClientId id) {
        const ClientRow* row = in.state.client(id);
        if (!row || id == client || !otherToken.valid())
            return false;
        return row->token == otherToken ||
               std::ranges::find(row->otherUses, otherToken, &LockUse::token) != row->otherUses.end();
    };
    if (has(book.inside))
        return book.inside;
    for (const LockUseRef& believer : book.believedHolders) {
        if (has(believer.client))
            return believer.client;
    }
    for (const ClientRow& row : in.state.clients) {
        if (has(row.id))
            return row.id;
    }
    return book.inside != client ? book.inside : ClientId::none();
}

// order_kept: when a client is granted the lock, no live node sorts before its own. A node whose delete was
// sent may already be gone: the reply can be recorded after the successor's grant. Nodes that are missing
// from the grantee's own list are removed from the queue when that list is read, see Fold::readList. A reader
// may pass readers, and its own write node when it downgrades from writing to reading. With announced handoff
// a grantee does not list again: whether a node of other programs, or of another worker, is still there is
// not known then.
void orderKept(InvariantChecker& in, const LockRow& lock, ClientId client, std::size_t place)
{
    if (lock.kind() == Recipe::herd || place == node_queue::kNotFound)
        return; // its node is not in the queue: a stale grant, or a trace without the list
    in.checked(FindingKind::orderKept);
    for (std::size_t i = 0; i < place; ++i) {
        const NodeRow& ahead = lock.queue[i];
        const NodeRow& own = lock.queue[place];
        const bool passes =
            node_queue::isReader(own.name) && (node_queue::isReader(ahead.name) || ahead.owner == client);
        const bool mayBeGone = ahead.deleteSent || (lock.announcesHandoff() && !ahead.owner.valid());
        if (mayBeGone || passes)
            continue;
        const Message node = wording::node(own.name, own.sequence);
        const Message inFront = wording::node(ahead.name, ahead.sequence);
        in.violated(FindingKind::orderKept, client, ahead.createdBy,
                    ahead.owner.valid()
                        ? message("%1 was granted the lock with %2 while %3 of %4 was still in front.",
                                  in.name(client), node, inFront, in.name(ahead.owner))
                        : message("%1 was granted the lock with %2 while %3 was still in front.",
                                  in.name(client), node, inFront));
        return;
    }
}

Message staleText(InvariantChecker& in, ClientId client, const LockUse& hold)
{
    const ClientBookkeeping& book = in.state.book.clients[client.value];
    const Message gone = book.staleBySession
                             //: a noun, in "its session is gone"
                             ? message("session")
                             //: a noun, in "its node is gone"
                             : message("node");
    const bool refused = book.refused && book.staleToken.valid();
    if (hold.isStale)
        return refused
                   ? message(
                         "%1 believes that it holds the lock, but its %2 is gone; its token %3 was refused.",
                         in.name(client), gone, hexText(book.staleToken))
                   : message("%1 believes that it holds the lock, but its %2 is gone.", in.name(client),
                             gone);
    const std::string span = wording::duration(in.state.clients[client.value].staleFor);
    return refused
               ? message("%1 believed it held for %2 after its %3 was gone; its token %4 was refused.",
                         in.name(client), span, gone, hexText(book.staleToken))
               : message("%1 believed it held for %2 after its %3 was gone.", in.name(client), span, gone);
}

void notAbove(InvariantChecker& in, ClientId client, Zxid token, const HighestToken& before)
{
    in.violated(FindingKind::tokensIncrease, client, before.by,
                message("%1 was granted the lock with token %2, not above %3 of an earlier grant.",
                        in.name(client), hexText(token), hexText(before.token)));
}

// tokens_increase: the token of a grant is greater than those of all earlier grants of the lock. Readers that
// hold together may learn their tokens in any order, but each is greater than those of all earlier writers.
// Leases are held together; only the tokens of one acquire must increase.
void tokensIncrease(InvariantChecker& in, LockBookkeeping& book, ClientId client, Text node, Zxid token)
{
    if (!token.valid())
        return;
    in.checked(FindingKind::tokensIncrease);
    const bool reads = node_queue::isReader(node);
    const HighestToken& before = reads ? book.highestAlone : book.highest;
    if (before.token.valid() && token <= before.token) {
        notAbove(in, client, token, before);
        return;
    }
    if (!book.highest.token.valid() || token > book.highest.token)
        book.highest = {token, in.index};
    if (!reads)
        book.highestAlone = {token, in.index};
}

void tokensOfGrant(InvariantChecker& in, LockBookkeeping& book, ClientId client, EventIndex asked, Zxid token)
{
    if (!token.valid())
        return;
    in.checked(FindingKind::tokensIncrease);
    const HighestToken before = book.highestOfGrant;
    const bool same = asked.valid() && asked == book.lastGrant;
    book.highestOfGrant = {token, in.index};
    book.lastGrant = asked;
    if (same && before.token.valid() && token <= before.token)
        notAbove(in, client, token, before);
}

// A writer that downgrades to reading keeps its place in the queue, and thereby its token.
bool inheritsToken(InvariantChecker& in, LockId lock, ClientId client, const LockUse& one,
                   const trace::Acquired& grant)
{
    bool inherits = false;
    in.state.clients[client.value].forEach([&](const LockUse& other) {
        inherits = inherits || (other.number != one.number && other.lock == lock && other.holds() &&
                                other.owner == grant.owner && other.token == grant.token);
    });
    return inherits;
}

} // namespace

void InvariantChecker::granted(const LockRow& lock, LockBookkeeping& book, ClientId client,
                               const LockUse& one, std::size_t place, const trace::Acquired& grant,
                               bool lease)
{
    if (lock.watched) { // neither the client's beliefs nor the number of leases are known
        if (!lease) {
            oneHolder(*this, book, client, one, grant.node, grant.owner);
            orderKept(*this, lock, client, place);
        }
        return;
    }
    if (lease) {
        enoughPermits(*this, lock, book, client, one);
        tokensOfGrant(*this, book, client, one.asked, grant.token);
    } else {
        oneHolder(*this, book, client, one, grant.node, grant.owner);
        orderKept(*this, lock, client, place);
        if (!inheritsToken(*this, lock.id, client, one, grant))
            tokensIncrease(*this, book, client, grant.node, grant.token);
    }
    checked(FindingKind::beliefMatchesServer);
}

// The same rule, as recorded by the protected resource: two clients are inside at once. A stale holder is a
// matter of belief_matches_server here too, even after it was notified, until it has left.
void InvariantChecker::conflict(const LockBookkeeping& book, ClientId client, Zxid otherToken)
{
    const ClientId other = insideWith(*this, book, client, otherToken);
    const auto excused = [this](ClientId id) {
        const ClientRow* row = state.client(id);
        return row && (row->hasStaleHold() || state.book.clients[id.value].lostHold);
    };
    if (excused(client) || excused(other) ||
        std::any_of(book.believedHolders.begin(), book.believedHolders.end(),
                    [&](const LockUseRef& ref) { return excused(ref.client); }))
        return;
    violated(FindingKind::oneHolder, client,
             state.client(other) ? state.clients[other.value].granted : EventIndex::none(),
             message("%1 was inside the protected section together with %2.", name(client),
                     other.valid() ? name(other) : message("an unknown client")));
}

// belief_matches_server: from its grant until it calls release or notices its loss, the holder's node and
// session exist on the server. A stale window, in which they do not, is reported, measured and counted here.
void InvariantChecker::staleBegins(ClientId client, const LockUse& hold)
{
    violated(FindingKind::beliefMatchesServer, client, hold.granted, staleText(*this, client, hold));
}

// A stale window changes while a later one is open, too: the sentence stays that of the later one.
void InvariantChecker::staleChanged(ClientId client, const LockUse& hold)
{
    Finding& finding = state.findings.of(FindingKind::beliefMatchesServer);
    const std::vector<Violation>& all = finding.violations;
    if (!all.empty() && all.back().client == client && all.back().against == hold.granted)
        finding.lastViolation = staleText(*this, client, hold);
}

} // namespace lockscope::replay
