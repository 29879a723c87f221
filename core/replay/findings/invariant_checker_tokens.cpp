// The finding tokens_increase.
#include "core/replay/findings/invariant_checker.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/findings/wording.h"

#include <fmt/format.h>

namespace lockscope::replay {

// The token of a grant is greater than that of every grant of the lock before it. Readers
// that hold together may learn it in any order: theirs is above every writer's before. Leases are held
// together: those of one acquire are in order.
void InvariantChecker::tokensIncrease(LockBookkeeping& book, ClientId client, Text node, Zxid token)
{
    if (!token.valid())
        return;
    checked(FindingKind::tokensIncrease);
    const bool reads = node_queue::isReader(node);
    const HighestToken& before = reads ? book.highestAlone : book.highest;
    if (before.token.valid() && token <= before.token) {
        notAbove(client, token, before);
        return;
    }
    if (!book.highest.token.valid() || token > book.highest.token)
        book.highest = {token, m_index};
    if (!reads)
        book.highestAlone = {token, m_index};
}

void InvariantChecker::tokensOfGrant(LockBookkeeping& book, ClientId client, EventIndex asked, Zxid token)
{
    if (!token.valid())
        return;
    checked(FindingKind::tokensIncrease);
    const HighestToken before = book.highestOfGrant;
    const bool same = asked.valid() && asked == book.lastGrant;
    book.highestOfGrant = {token, m_index};
    book.lastGrant = asked;
    if (same && before.token.valid() && token <= before.token)
        notAbove(client, token, before);
}

// Who writes and goes on to read keeps its place in the queue, and the token with it.
bool InvariantChecker::inheritsToken(LockId lock, ClientId client, const LockUse& one,
                          const trace::Acquired& grant) const
{
    bool inherits = false;
    m_state.clients[client.value].forEach([&](const LockUse& other) {
        inherits = inherits || (other.number != one.number && other.lock == lock && other.holds() &&
                                other.owner == grant.owner && other.token == grant.token);
    });
    return inherits;
}

void InvariantChecker::notAbove(ClientId client, Zxid token, const HighestToken& before)
{
    violated(FindingKind::tokensIncrease, client, before.by,
             fmt::format("{} was granted the lock with token {}, not above {} of an earlier grant.",
                         name(client), wording::token(token), wording::token(before.token)));
}

} // namespace lockscope::replay
