#include "core/replay/judge.h"

#include "core/replay/node_queue.h"
#include "core/replay/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockscope::replay {

namespace {

constexpr std::size_t kViolationsKept = 100;

void describe(Finding& finding)
{
    finding.detail.clear(); // keeps its capacity: this runs on every grant
    const auto out = std::back_inserter(finding.detail);
    const std::string number = wording::grouped(finding.checked);
    const bool one = finding.checked == 1;
    switch (finding.kind) {
    case FindingKind::oneHolder:
        fmt::format_to(out, "{} {} checked: never two holders at a time.", number, one ? "grant" : "grants");
        break;
    case FindingKind::orderKept:
        fmt::format_to(out, "{} {} checked: each went to the lowest live sequence number.", number,
                       one ? "grant" : "grants");
        break;
    case FindingKind::noHerd:
        fmt::format_to(out, "{} {} checked: a node that goes wakes one client at most.", number,
                       one ? "wake-up" : "wake-ups");
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
    }
}

} // namespace

void Judge::checked(FindingKind kind)
{
    Finding& finding = m_state.findings.of(kind);
    ++finding.checked;
    if (finding.ok())
        describe(finding);
}

void Judge::violated(FindingKind kind, ClientId client, EventIndex against, std::string detail)
{
    Finding& finding = m_state.findings.of(kind);
    ++finding.violated;
    if (finding.violations.size() < kViolationsKept)
        finding.violations.push_back({m_index, against, m_at, client});
    finding.detail = std::move(detail);
}

std::string Judge::name(ClientId client) const
{
    const ClientRow* row = m_state.client(client);
    if (!row || row->name.empty())
        return client.valid() ? fmt::format("client {}", client.value) : std::string("somebody");
    return std::string(row->name.substr(0, 40));
}

bool Judge::stale(ClientId client) const
{
    const ClientRow* row = m_state.client(client);
    return row && row->serverSaysGone;
}

void Judge::granted(const LockRow& lock, LockBook& book, ClientId client, std::size_t place, Text node,
                    Zxid token)
{
    oneHolder(book, client, node);
    orderKept(lock, client, place);
    tokensIncrease(book, client, node, token);
    checked(FindingKind::beliefMatchesServer);
}

// one_holder: when a client is granted the lock, nobody else believes to hold it whose node and session the
// server still has. Belief ends with ReleaseCalled (not with its reply), so a successor that is granted
// before the reply is recorded breaks nothing; and a holder that the server dropped is stale, which is
// belief_matches_server's matter. Readers of a read/write lock hold together.
void Judge::oneHolder(const LockBook& book, ClientId client, Text node)
{
    const bool reads = node_queue::isReader(node);
    checked(FindingKind::oneHolder);
    for (const ClientId other : book.believers) {
        if (other == client || stale(other) ||
            (reads && node_queue::isReader(m_state.clients[other.value].node)))
            continue;
        violated(FindingKind::oneHolder, client, m_state.book.clients[other.value].granted,
                 fmt::format("{} was granted the lock while {} held it with a live node.", name(client),
                             name(other)));
        return;
    }
}

// Who holds, or held last, with the token.
ClientId Judge::insideWith(const LockBook& book, ClientId client, Zxid otherToken) const
{
    const auto has = [&](ClientId id) {
        const ClientRow* row = m_state.client(id);
        return row && id != client && otherToken.valid() && row->token == otherToken;
    };
    if (has(book.inside))
        return book.inside;
    for (const ClientId believer : book.believers) {
        if (has(believer))
            return believer;
    }
    for (const ClientRow& row : m_state.clients) {
        if (has(row.id))
            return row.id;
    }
    return book.inside != client ? book.inside : ClientId::none();
}

// The same rule as the protected thing itself records it: two are inside at once. A stale one is
// belief_matches_server's matter here too, also after it was told and until it has left.
void Judge::conflict(const LockBook& book, ClientId client, Zxid otherToken)
{
    const ClientId other = insideWith(book, client, otherToken);
    const auto excused = [this](ClientId id) {
        return stale(id) || (m_state.client(id) && m_state.book.clients[id.value].lostHold);
    };
    if (excused(client) || excused(other) ||
        std::any_of(book.believers.begin(), book.believers.end(), excused))
        return;
    violated(FindingKind::oneHolder, client,
             other.valid() ? m_state.book.clients[other.value].granted : EventIndex::none(),
             fmt::format("{} was inside the protected section together with {}.", name(client),
                         other.valid() ? name(other) : std::string("somebody else")));
}

// order_kept: when a client is granted the lock, no live node sorts before its own. A node whose delete is on
// its way may be gone already: its reply can be recorded after the successor's grant. Nodes that the
// grantee's own list left out are taken from the queue when that list is read, see Fold::readList. A reader
// passes readers, and its own write node when it goes from writing to reading.
void Judge::orderKept(const LockRow& lock, ClientId client, std::size_t place)
{
    if (place == node_queue::kNowhere)
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

// tokens_increase: the token of a grant is greater than that of every grant of the lock before it. Readers
// that hold together may learn it in any order: theirs is above every writer's before.
void Judge::tokensIncrease(LockBook& book, ClientId client, Text node, Zxid token)
{
    if (!token.valid())
        return;
    checked(FindingKind::tokensIncrease);
    const bool reads = node_queue::isReader(node);
    const HighestToken& before = reads ? book.highestAlone : book.highest;
    if (before.token.valid() && token <= before.token) {
        violated(FindingKind::tokensIncrease, client, before.by,
                 fmt::format("{} was granted the lock with token {}, not above {} of an earlier grant.",
                             name(client), wording::token(token), wording::token(before.token)));
        return;
    }
    if (!book.highest.token.valid() || token > book.highest.token)
        book.highest = {token, m_index};
    if (!reads)
        book.highestAlone = {token, m_index};
}

// no_herd: a node that goes (or one change of the list) wakes at most one client that waits for it. A watch
// on the client's own node and one that its owner gave up long ago wake nobody who waits; they are not
// counted.
void Judge::woken(Text node, std::uint32_t woken, ClientId client, EventIndex against)
{
    checked(FindingKind::noHerd);
    if (woken < 2)
        return;
    const NodeRow row = node_queue::makeRow(node);
    const std::string what =
        node.empty() ? std::string("one change of the list") : wording::node(node, row.sequence) + " going";
    violated(FindingKind::noHerd, client, against,
             fmt::format("{} was the {} client woken by {}.", name(client),
                         woken == 2 ? std::string("second") : wording::grouped(woken) + "th", what));
}

// no_lost_wakeup: a client that sleeps on a node which is gone hears of it: its watch fires, or it looks
// again by itself. Judged when the run has finished; until then the watch may still be under way. A client
// that is frozen or without contact cannot hear, and one that gave up does not need to.
void Judge::wakeUpNoticed() { checked(FindingKind::noLostWakeup); }

// no_orphan_node: a node of ours belongs to a client that knows of it. Judged when a client is finished or
// removed while a node of its live session remains and no delete is under way, and for every node of a live
// session that remains when the run has finished. A node that went is a node that was not left behind.
void Judge::nodeEnded() { checked(FindingKind::noOrphanNode); }

bool Judge::isOrphan(const NodeRow& node) const
{
    if (node.phase == NodePhase::foreign || !node.owner.valid())
        return false;
    const ClientRow* owner = m_state.client(node.owner);
    if (!owner)
        return true;
    if (owner->session == trace::SessionPhase::lost || owner->session == trace::SessionPhase::closed ||
        (node.session.valid() && node.session != owner->sessionId))
        return false; // it goes with its session, if it has not gone yet
    return owner->node != node.name;
}

void Judge::clientAtRest(ClientId client)
{
    const ClientRow* row = m_state.client(client);
    if (!row || row->node.empty() || row->session != trace::SessionPhase::connected)
        return;
    if (!m_state.lock(row->lock))
        return;
    std::vector<NodeRow>& queue = m_state.locks[row->lock.value].queue;
    const std::size_t place = node_queue::find(queue, row->node);
    if (place == node_queue::kNowhere || queue[place].deleteSent || queue[place].owner != client)
        return;
    NodeRow* node = &queue[place];
    node->phase = NodePhase::orphan;
    node->leftBehind = true;
    checked(FindingKind::noOrphanNode);
    violated(FindingKind::noOrphanNode, client, node->createdBy,
             fmt::format("{} is done, but its {} remains.", name(client),
                         wording::node(node->name, node->sequence)));
}

void Judge::runAtRest()
{
    for (const LockRow& lock : m_state.locks) {
        for (const NodeRow& node : lock.queue) {
            if (node.phase == NodePhase::foreign || !node.owner.valid() || node.leftBehind)
                continue;
            checked(FindingKind::noOrphanNode);
            if (isOrphan(node))
                violated(FindingKind::noOrphanNode, node.owner, node.createdBy,
                         fmt::format("{} of {} remains at the end, and {} does not know of it.",
                                     wording::node(node.name, node.sequence), name(node.owner),
                                     name(node.owner)));
        }
    }
    for (const ClientRow& row : m_state.clients) {
        const ClientBook& book = m_state.book.clients[row.id.value];
        if (!book.watchGoneBy.valid() || row.phase != ClientPhase::waiting || row.frozen ||
            row.session != trace::SessionPhase::connected)
            continue;
        checked(FindingKind::noLostWakeup);
        const NodeRow watched = node_queue::makeRow(row.watches);
        violated(FindingKind::noLostWakeup, row.id, book.watchGoneBy,
                 fmt::format("{} still sleeps on {}, which is gone: its watch never fired.", name(row.id),
                             wording::node(row.watches, watched.sequence)));
    }
}

// belief_matches_server: from its grant until it calls release or learns of its loss, the holder's node and
// session exist on the server. The stale window in between is declared, measured and counted here.
void Judge::staleBegins(ClientId client)
{
    const ClientBook& book = m_state.book.clients[client.value];
    violated(FindingKind::beliefMatchesServer, client, book.granted,
             fmt::format("{} believes that it holds the lock, but its {} is gone.", name(client),
                         book.staleBySession ? "session" : "node"));
}

void Judge::staleChanged(ClientId client)
{
    const ClientRow& row = m_state.clients[client.value];
    const ClientBook& book = m_state.book.clients[client.value];
    std::string detail;
    if (row.serverSaysGone)
        detail = fmt::format("{} believes that it holds the lock, but its {} is gone", name(client),
                             book.staleBySession ? "session" : "node");
    else
        detail = fmt::format("{} believed it held for {} after its {} was gone", name(client),
                             wording::duration(row.staleFor), book.staleBySession ? "session" : "node");
    if (book.refused && row.token.valid())
        detail += fmt::format("; its token {} was refused", wording::token(row.token));
    m_state.findings.of(FindingKind::beliefMatchesServer).detail = detail + ".";
}

} // namespace lockscope::replay
