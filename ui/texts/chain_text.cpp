#include "ui/texts/chain_text.h"

#include "ui/models/run/lock_role.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/texts.h"
#include "ui/texts/watched_lock_text.h"

#include <algorithm>

namespace lockscope::ui::chain {

using replay::ClientPhase;
using replay::ClientRow;
using replay::LockRow;
using replay::NodePhase;
using replay::NodeRow;
using replay::RunState;

namespace {

bool contends(const ClientRow& client)
{
    return client.phase != ClientPhase::finished && client.phase != ClientPhase::removed;
}

// The waiters of a herd have no nodes of their own, and no order.
QString outsideOfHerd(const RunState& state, const std::vector<const ClientRow*>& out, bool all)
{
    constexpr std::size_t kMostNames = 3;
    const QString text = Texts::tr("there is no queue");
    if (out.empty())
        return all ? Texts::tr("%1 · %2").arg(text, Texts::tr("every client holds or waits")) : text;
    if (out.size() > kMostNames)
        return Texts::tr("%1 · %2").arg(
            text, Texts::tr("%1 clients neither hold nor wait").arg(format::count(out.size())));
    QStringList names;
    for (const ClientRow* client : out) {
        const QString name = clientName(state, client->id);
        names << (client->session != trace::SessionPhase::connected
                      ? Texts::tr("%1 (not connected)").arg(name)
                  : client->frozen ? Texts::tr("%1 (frozen)").arg(name)
                                   : name);
    }
    return Texts::tr("%1 · %2").arg(
        text, Texts::tr("neither holds nor waits: %1").arg(names.join(QStringLiteral(", "))));
}

std::size_t holders(const LockRow& lock)
{
    return static_cast<std::size_t>(
        std::count_if(lock.queue.begin(), lock.queue.end(), [](const NodeRow& node) {
            return node.phase == NodePhase::holds || node.phase == NodePhase::releasing;
        }));
}

// The number of the next sequential node; -1: unknown, because a node without a number advances the counter,
// too.
std::int64_t nextSequence(const LockRow& lock)
{
    if (std::any_of(lock.queue.begin(), lock.queue.end(), [](const NodeRow& n) { return n.sequence < 0; }))
        return -1;
    const bool fresh = lock.queue.empty() && lock.acquisitions == 0 && lock.highestSequence == 0;
    return fresh ? 0 : std::int64_t{lock.highestSequence} + 1;
}

constexpr int kMaxNodeNameLength = 48;

Duration since(TraceTime begin, TraceTime now) { return std::max(Duration{}, now - begin); }

bool isSuspended(const RunState& state, const NodeRow& node)
{
    const ClientRow* owner = state.client(node.owner);
    return owner && !node.ownerFrozen && owner->session == trace::SessionPhase::suspended;
}

QString zerosOf(const NodeRow& node)
{
    // The server writes ten digits; the number itself is shown large, the zeros before it faint.
    if (!node.hasPaddedNumber || node.sequence < 0)
        return {};
    const auto digits = QString::number(node.sequence).size();
    return QString(std::max<qsizetype>(0, 10 - digits), QLatin1Char('0'));
}

} // namespace

QString ChainText::ownerWords(const RunState& state, const LockRow& lock, const NodeRow& node,
                              NodeState nodeState)
{
    return lock.watched && !node.owner.valid() ? watchedOwnerText(node)
           : nodeState == NodeState::foreign   ? tr("not ours")
                                               : clientName(state, node.owner);
}

QString ChainText::prescribedWatch()
{
    return tr("According to the recipe, its client watches this node; the transaction log does not record "
              "watches.");
}

//: title of a box: clients wait for one another in a circle
QString ChainText::cycleTitle() { return tr("Deadlock"); }

QString ChainText::cycleWhy(const RunState& state)
{
    QStringList names;
    for (std::size_t i = 0; i < std::min<std::size_t>(state.cycle.size(), 4); ++i)
        names << clientName(state, state.cycle[i]);
    names << (state.cycle.size() > static_cast<std::size_t>(names.size()) ? QStringLiteral("…")
                                                                          : names.front());
    //: %1 is a list such as "ada → bo → ada".
    return tr("Deadlock: each client waits for the next one: %1. None of them continues unless one gives up.")
        .arg(names.join(QStringLiteral(" → ")));
}

QString ChainText::caption(const LockRow* lock)
{
    if (!lock)
        return {};
    const QString path = format::plain(lock->path, 60);
    // Only the mutex guarantees this; the caption of other recipes is the path.
    QString text = path;
    if (lock->watched) // live, or from the server's log
        text = tr("%1 · server data only: what the clients believe is unknown").arg(path);
    else if (lock->kind() == Recipe::mutex)
        text = tr("%1 · each waiter watches only the node in front of it").arg(path);
    else if (lock->kind() == Recipe::herd)
        text = tr("%1 · all waiters watch the one node").arg(path);
    else if (isSemaphore(lock->kind()))
        text = tr("%1 · %2 of %3 leases out")
                   .arg(path, format::count(holders(*lock)), format::count(lock->permits));
    if (!lock->valueName.empty())
        text += tr(" · %1 %2").arg(translateCoreText(lock->valueName, 20), format::plain(lock->value, 24));
    return text;
}

QString ChainText::empty(const RunState& state, const LockRow* lock, bool explainsNext)
{
    const bool over = state.phase == trace::RunPhase::finished || state.phase == trace::RunPhase::failed;
    if (lock && lock->watched)
        return watchedEmptyText(*lock);
    if (over && state.clients.empty()) // refused, perhaps: nothing of a lock was seen
        return tr("The run could not start: the message says why.");
    if (!lock)
        return tr("No lock yet: it appears when the run begins.");
    if (state.phase == trace::RunPhase::starting && state.clients.empty())
        return tr("The run has not started: it is not known yet who holds %1 or waits for it.")
            .arg(format::plain(lock->path, 60));
    if (lock->kind() == Recipe::none)
        return tr("The clients of this run take no lock: nothing orders them, and there is no queue.");
    const bool numbered = lock->kind() != Recipe::herd;
    const auto next = numbered ? nextSequence(*lock) : -1;
    const QString free = tr("No client holds %1 or waits for it.").arg(format::plain(lock->path, 60));
    if (over)
        return tr("%1\nThe run is over: play it from the beginning, or click a moment on the ruler of the "
                  "timeline.")
            .arg(free);
    return next < 0 || !explainsNext
               ? free
               : tr("%1\nThe next client creates node %2 and holds the lock immediately.")
                     .arg(free, QString::number(next));
}

QString ChainText::outside(const RunState& state, const LockRow& lock, bool explainsNext)
{
    if (lock.watched)
        return outsideWatched(lock);
    if (lock.kind() == Recipe::none)
        return {}; // the view says so
    std::vector<bool> inside(state.clients.size());
    QString foreign;
    for (const NodeRow& node : lock.queue) {
        if (node.owner.valid() && node.owner.value < inside.size())
            inside[node.owner.value] = true;
        else if (foreign.isEmpty())
            foreign =
                tr("%1 counts in the queue but belongs to no client here").arg(format::plain(node.name, 30));
    }
    // The waiters of a herd have no nodes of their own.
    if (lock.kind() == Recipe::herd)
        for (const ClientRow& client : state.clients)
            if (client.lock == lock.id && client.active() && client.id.value < inside.size())
                inside[client.id.value] = true;
    const auto done = std::count_if(state.clients.begin(), state.clients.end(), [](const ClientRow& client) {
        return client.phase == ClientPhase::finished;
    });
    const bool stale = std::any_of(state.clients.begin(), state.clients.end(),
                                   [](const ClientRow& client) { return client.isStale; });
    std::vector<const ClientRow*> out;
    bool elsewhere = false; // a client uses another lock
    for (const ClientRow& client : state.clients) {
        // A client that wrongly believes that it holds is shown beside the queue.
        if (!contends(client) || client.isStale ||
            (client.id.value < inside.size() && inside[client.id.value]))
            continue;
        const bool here =
            !client.lock.valid() || client.lock == lock.id ||
            std::ranges::find(client.otherUses, lock.id, &replay::LockUse::lock) != client.otherUses.end();
        if (here)
            out.push_back(&client);
        else
            elsewhere = true;
    }

    QString text;
    if (lock.kind() == Recipe::herd) {
        text = outsideOfHerd(state, out, !stale && !elsewhere);
    } else if (out.size() == 1) {
        const QString name = clientName(state, out[0]->id);
        const auto next = nextSequence(lock);
        const bool connected = out[0]->session == trace::SessionPhase::connected;
        const auto goals = std::ranges::count_if(state.locks, [&state](const LockRow& row) {
            return lockRole(state, row.id) != LockRole::entrance;
        });
        const bool undecided = !out[0]->lock.valid() && goals > 1; // it may go to another lock
        if (!connected)
            text = tr("%1 is not in the queue: it is not connected").arg(name);
        else if (out[0]->frozen)
            text = tr("%1 is not in the queue: it is frozen").arg(name);
        else if (out[0]->createPending)
            text = tr("%1 is not in the queue yet: its create is on its way").arg(name);
        else if (next < 0 || !explainsNext || undecided ||
                 !out[0]->node.empty()) // it believes that it has a node
            text = tr("%1 is not in the queue").arg(name);
        else
            text = tr("%1 is not in the queue: it will create the next sequential node, %2")
                       .arg(name, QString::number(next));
    } else if (out.size() == 2) {
        text = tr("%1 and %2 are not in the queue")
                   .arg(clientName(state, out[0]->id), clientName(state, out[1]->id));
    } else if (out.size() == 3) {
        text = tr("%1, %2 and %3 are not in the queue")
                   .arg(clientName(state, out[0]->id), clientName(state, out[1]->id),
                        clientName(state, out[2]->id));
    } else if (out.size() > 3) {
        text = tr("%1 clients are not in the queue").arg(format::count(out.size()));
    } else if (!state.clients.empty() && !lock.queue.empty() && !stale && !elsewhere) {
        text = done == 0 ? tr("every client is in the queue")
                         : tr("every client that is not finished is in the queue");
    }
    if (foreign.isEmpty())
        return text;
    return text.isEmpty() ? foreign : tr("%1 · %2").arg(foreign, text);
}

// Names the first node whose behavior is unknown.
QString ChainText::outsideWatched(const LockRow& lock)
{
    const auto doubtful = std::find_if(lock.queue.begin(), lock.queue.end(),
                                       [](const NodeRow& node) { return node.phase == NodePhase::foreign; });
    return doubtful == lock.queue.end()
               ? QString()
               : tr("%1: %2").arg(format::plain(doubtful->name, 30), watchedDoubtText(*doubtful));
}

QString ChainText::wake(const RunState& state, const replay::WakeUp& wake, trace::WatchKind kind,
                        bool explains)
{
    const QString to = clientName(state, wake.to);
    switch (kind) {
    case trace::WatchKind::deleted:
        if (!explains) // how many it wakes may be a bet
            return QStringLiteral("NodeDeleted");
        return wake.woken > 1 ? tr("NodeDeleted → wakes %1 clients").arg(format::count(wake.woken))
                              : tr("NodeDeleted → wakes exactly one client");
    case trace::WatchKind::changed:
        return tr("NodeDataChanged → sent to %1").arg(to);
    case trace::WatchKind::created:
        return tr("NodeCreated → wakes %1").arg(to);
    case trace::WatchKind::childrenChanged:
        return tr("NodeChildrenChanged → wakes %1").arg(to);
    }
    return {};
}

QString ChainText::wakeOfHerd(const RunState& state, const replay::WakeUp& wake, trace::WatchKind kind)
{
    const QString soFar = format::count(std::max(1U, wake.woken));
    if (kind == trace::WatchKind::deleted && wake.woken <= 1)
        return tr("NodeDeleted → wakes all its watchers, %1 so far").arg(soFar);
    if (kind == trace::WatchKind::childrenChanged)
        return tr("NodeChildrenChanged → wakes all watchers of the list, %1 so far").arg(soFar);
    return ChainText::wake(state, wake, kind);
}

QString ChainText::goneStub(const replay::WakeUp& wake, trace::WatchKind kind)
{
    if (wake.node.empty())
        return tr("list changed");
    return (kind == trace::WatchKind::changed ? tr("node %1 written") : tr("node %1 deleted"))
        .arg(format::sequenceNumber(wake.node));
}

QString ChainText::more(std::size_t count, bool allSeen)
{
    return (allSeen ? tr("and %1 more") : tr("and %1 more · scroll to see all")).arg(format::count(count));
}

QString ChainText::named(const RunState& state, const LockRow& lock, const NodeTexts& box)
{
    const NodeRow& node = lock.queue[static_cast<std::size_t>(box.place)];
    return tr("place %1: %2 · %3 · %4")
        .arg(format::count(static_cast<quint64>(box.place) + 1), format::sequenceShort(node.name),
             ownerWords(state, lock, node, box.state), pill(box.state, box.frozen, box.suspended));
}

//: at the arrow from a waiter to the node that it watches: a noun
QString ChainText::watchLabel() { return tr("watch"); }

QString ChainText::noNodeYet() { return tr("no node yet"); }

//: on the card of a node that was deleted
QString ChainText::goneLabel() { return tr("gone"); }

//: at a watch that no client needs any more
QString ChainText::strayLabel() { return tr("stray"); }

QString ChainText::watching(std::size_t count)
{
    //: clients that watch
    return tr("%Ln watch", nullptr, static_cast<int>(count));
}

QString ChainText::kindLegend() { return tr("square: reads · cut corner: writes"); }

QString ChainText::shapeLegend() { return tr("circle: reads · square: writes"); }

QString ChainText::stale(const RunState& state, const ClientRow& client, TraceTime now)
{
    const QString ago = format::duration(std::max(Duration{}, now - client.staleSince));
    // The node is gone whether its session ended or only the node was deleted.
    return tr("%1 still believes it holds · its node was deleted %2 ago")
        .arg(clientName(state, client.id), ago);
}

QString ChainText::staleMore(std::size_t count)
{
    return tr("%Ln more believe it, too", nullptr, static_cast<int>(count));
}

NodeState ChainText::stateOf(const RunState& state, const LockRow& lock, const NodeRow& node)
{
    if (lock.watched)
        return node.phase == NodePhase::holds     ? NodeState::holds
               : node.phase == NodePhase::waits   ? NodeState::waits
               : node.phase == NodePhase::joining ? NodeState::joins
                                                  : NodeState::foreign;
    if (node.phase == NodePhase::foreign || !node.owner.valid())
        return NodeState::foreign;
    const ClientRow* owner = state.client(node.owner);
    if (owner) {
        const bool otherSession =
            node.session.valid() && owner->sessionId.valid() && node.session != owner->sessionId;
        if (otherSession || owner->session == trace::SessionPhase::lost ||
            (owner->isStale && owner->node == node.name))
            return NodeState::sessionGone;
    }
    switch (node.phase) {
    case NodePhase::joining:
        return NodeState::joins;
    case NodePhase::waits:
        return !node.ownerFrozen && isWoken(state, lock, node) ? NodeState::woken : NodeState::waits;
    case NodePhase::holds:
        return NodeState::holds;
    case NodePhase::releasing:
        return NodeState::releases;
    case NodePhase::orphan:
        return NodeState::orphan;
    case NodePhase::foreign:
        break;
    }
    return NodeState::foreign;
}

QString ChainText::pill(NodeState state, bool frozen, bool suspended)
{
    switch (state) {
    case NodeState::joins:
        //: a client's state: it creates its node
        return frozen ? tr("joins (frozen)") : suspended ? tr("joins (suspended)") : tr("joins");
    case NodeState::holds:
        //: a client's state: it has the lock
        return frozen ? tr("HOLDS (frozen)") : suspended ? tr("HOLDS? (suspended)") : tr("HOLDS");
    case NodeState::waits:
        //: a client's state
        return frozen ? tr("waits (frozen)") : suspended ? tr("waits (suspended)") : tr("waits");
    case NodeState::woken:
        //: a client's state: its watch has fired
        return tr("woken");
    case NodeState::releases:
        //: a client's state: it deletes its node
        return frozen ? tr("releases (frozen)") : suspended ? tr("releases (suspended)") : tr("releases");
    case NodeState::foreign:
        //: a node's state: it belongs to no client of the run
        return tr("foreign");
    case NodeState::orphan:
        //: a node's state: its client does not know of it
        return tr("orphan");
    case NodeState::sessionGone:
        return tr("session ended");
    case NodeState::gone:
        //: a node's state
        return tr("deleted");
    case NodeState::parent:
        return tr("list of children");
    }
    return {};
}

QString ChainText::also(const RunState& state, const ClientRow& owner, LockId lock)
{
    QString text;
    owner.forEach([&](const replay::LockUse& one) {
        if (one.lock == lock || !text.isEmpty())
            return;
        if (one.waits())
            text = tr("waits for %1").arg(lockLabel(state, one.lock));
        else if (one.holds())
            text = tr("also holds %1").arg(lockLabel(state, one.lock));
    });
    return text;
}

void ChainText::fill(NodeTexts& box, const RunState& state, const LockRow& lock, const NodeRow& node,
                     TraceTime now)
{
    // The name of another program's node may end in a meaningless number.
    box.number = node.hasPaddedNumber ? format::sequenceNumber(node.name) : format::plain(node.name, 24);
    box.zeros = zerosOf(node);
    box.ownerName = ownerWords(state, lock, node, box.state);
    box.nodeShort = node.hasPaddedNumber ? format::nodeShort(node.name) : tr("not a lock node");
    const ClientRow* owner = state.client(node.owner);
    box.pill = pill(box.state, box.frozen, box.suspended);
    //: a client's state, short for "waits (frozen)": it does not run, or "waits (suspended)": it has no
    //: contact
    box.rarePart = box.frozen ? tr("frozen", "on a card") : box.suspended ? tr("suspended") : QString();
    if (lock.watched)
        return fillWatched(box, node, now);
    if (owner)
        box.also = also(state, *owner, lock.id);
    const QString place = format::count(static_cast<quint64>(box.place) + 1);
    switch (box.state) {
    case NodeState::holds:
    case NodeState::releases: {
        box.detailShort = tr("held %1").arg(format::duration(state.pauses.without(node.heldSince, now)));
        box.detail = box.detailMedium = box.detailShort;
        if (node.token.valid()) {
            box.detail = tr("token %1 · %2").arg(format::zxid(node.token), box.detailShort);
            box.detailMedium = QStringLiteral("%1 · %2").arg(format::zxid(node.token), box.detailShort);
        }
        break;
    }
    case NodeState::foreign:
        box.detail = tr("counts as place %1").arg(place);
        box.detailShort = tr("place %1").arg(place);
        break;
    case NodeState::orphan:
        box.detail = tr("its client forgot it");
        //: of an orphan node: its client forgot it
        box.detailShort = tr("forgotten");
        break;
    case NodeState::sessionGone:
        box.detail = tr("not deleted yet");
        box.detailShort = box.detail;
        break;
    case NodeState::parent:
    case NodeState::gone:
        break;
    case NodeState::joins:
    case NodeState::waits:
    case NodeState::woken:
        box.detailShort = format::duration(state.pauses.without(node.waitingSince, now));
        box.detail = tr("waited %1").arg(box.detailShort);
        break;
    }
    if (owner && owner->heldAt) {
        box.detail = stoppedAtText(*owner->heldAt);
        box.detailMedium = tr("‖ %1").arg(gatePositionText(*owner->heldAt));
        box.detailShort = tr("‖ stopped");
    }
}

// The czxid of other programs' nodes is not called a token: whether they use it as one is unknown.
void ChainText::fillWatched(NodeTexts& box, const NodeRow& node, TraceTime now)
{
    if (!node.hasPaddedNumber)
        box.nodeShort = watchedKindText(node);
    switch (box.state) {
    case NodeState::holds:
        if (box.ownerless && node.token.valid())
            //: the state of a node that no session owns: whether somebody has the lock is not known
            box.pill = tr("HOLDS?");
        box.detailShort = node.heldBefore ? tr("already held")
                                          : tr("held %1").arg(format::duration(since(node.heldSince, now)));
        box.detail = node.heldBefore ? tr("already held when LockScope began to watch") : box.detailShort;
        break;
    case NodeState::waits:
    case NodeState::joins:
        box.detailShort = watchedWaitText(node, now);
        box.detail = tr("waited %1").arg(box.detailShort);
        break;
    default:
        box.pill = nodeStatus(node, false).text;
        box.detail = watchedDoubtText(node);
        box.detailShort = watchedKindText(node);
        break;
    }
}

QString ChainText::kind(const LockRow& lock, const NodeRow& node)
{
    const bool known = node.kind && (*node.kind == queue::Role::reader || *node.kind == queue::Role::writer);
    if (!known && (!isReadWrite(lock.kind()) || !node.owner.valid()))
        return {};
    if (node.reads)
        //: on a node's card, short for a read lock
        return tr("R");
    //: on a node's card, short for a write lock
    return tr("W");
}

QString ChainText::toolTip(const RunState& state, const LockRow& lock, int place, TraceTime now)
{
    if (place < 0 || static_cast<std::size_t>(place) >= lock.queue.size())
        return {};
    const NodeRow& node = lock.queue[static_cast<std::size_t>(place)];
    const NodeState nodeState = stateOf(state, lock, node);
    QStringList lines{format::plain(node.name, kMaxNodeNameLength * 2)};
    const QString owner = lock.watched && !node.owner.valid() ? watchedOwnerText(node)
                          : nodeState == NodeState::foreign   ? tr("not a client of this run")
                                                              : clientName(state, node.owner);
    const QString what = lock.watched ? nodeStatus(node, false).text
                                      : pill(nodeState, node.ownerFrozen, isSuspended(state, node));
    lines << tr("%1 · %2 · place %3 of %4")
                 .arg(owner, what, format::count(static_cast<quint64>(place) + 1),
                      format::count(lock.queue.size()));
    if (lock.watched) {
        if (!watchedDoubtText(node).isEmpty())
            lines << watchedDoubtText(node);
        if (node.token.valid())
            lines << tr("czxid %1").arg(format::zxid(node.token));
        lines << (node.before ? tr("already there when LockScope began to watch")
                              : tr("first seen %1 ago").arg(format::duration(since(node.created, now))));
        if (nodeState == NodeState::holds && !node.heldBefore)
            lines << tr("held %1").arg(format::duration(since(node.heldSince, now)));
        return lines.join(QLatin1Char('\n'));
    }
    if (node.session.valid())
        lines << tr("session %1").arg(format::sessionShort(node.session));
    if (node.token.valid())
        lines << tr("token %1").arg(format::zxid(node.token));
    if (node.depth > 0)
        lines << tr("depth %1").arg(node.depth);
    if (!node.watches.empty())
        lines << tr("watches %1").arg(format::plain(node.watches, kMaxNodeNameLength));
    lines << tr("created %1 ago").arg(format::duration(since(node.created, now)));
    if (nodeState == NodeState::holds || nodeState == NodeState::releases)
        lines << tr("held %1").arg(format::duration(state.pauses.without(node.heldSince, now)));
    else if (nodeState == NodeState::waits || nodeState == NodeState::woken || nodeState == NodeState::joins)
        lines << tr("waited %1").arg(format::duration(state.pauses.without(node.waitingSince, now)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockscope::ui::chain
