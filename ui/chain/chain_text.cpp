#include "ui/chain/chain_text.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

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

std::size_t holders(const LockRow& lock)
{
    return static_cast<std::size_t>(
        std::count_if(lock.queue.begin(), lock.queue.end(), [](const NodeRow& node) {
            return node.phase == NodePhase::holds || node.phase == NodePhase::releasing;
        }));
}

// The number that the server will give to the next sequential node, or -1 when the trace cannot tell: nodes
// without a number count too.
std::int64_t nextSequence(const LockRow& lock)
{
    if (std::any_of(lock.queue.begin(), lock.queue.end(), [](const NodeRow& n) { return n.sequence < 0; }))
        return -1;
    const bool fresh = lock.queue.empty() && lock.acquisitions == 0 && lock.highestSequence == 0;
    return fresh ? 0 : std::int64_t{lock.highestSequence} + 1;
}

} // namespace

QString ChainText::clientName(const RunState& state, ClientId client)
{
    const ClientRow* row = state.client(client);
    if (row && !row->name.empty())
        return format::plain(row->name, 24);
    return client.valid() ? format::defaultClientName(client) : tr("nobody");
}

QString ChainText::ownerWords(const RunState& state, const LockRow& lock, const NodeRow& node, NodeState card)
{
    return lock.watched && !node.owner.valid() ? watchedOwnerText(node)
           : card == NodeState::foreign ? tr("not ours")
                                        : clientName(state, node.owner);
}

QString ChainText::prescribedWatch()
{
    return tr("By the rule of the recipe its client watches this node; watches are in no transaction log.");
}

QString ChainText::cycleTitle() { return tr("Deadlock"); }

QString ChainText::cycleWhy(const RunState& state)
{
    QStringList names;
    for (std::size_t i = 0; i < std::min<std::size_t>(state.cycle.size(), 4); ++i)
        names << clientName(state, state.cycle[i]);
    const QString circle =
        names.join(tr(" waits for ")) +
        (state.cycle.size() > 4 ? tr(" and so on") : tr(" waits for %1").arg(names.front()));
    return tr("Deadlock: %1. None of them goes on unless one gives up.").arg(circle);
}

QString ChainText::caption(const LockRow* lock)
{
    if (!lock)
        return {};
    const QString path = format::plain(lock->path, 60);
    // Only the mutex promises this; another recipe says no more than its path.
    QString text = path;
    if (lock->watched && lock->acquisitions > 0) // told by the server's log: who only watches counts none
        text = tr("%1 · out of the transaction log: the server's word alone, what clients believed is not known").arg(path);
    else if (lock->watched)
        text = tr("%1 · only watched: nobody here takes part").arg(path);
    else if (lock->recipe == "mutex")
        text = tr("%1 · each waiter watches only the node in front of it").arg(path);
    else if (lock->recipe == "herd")
        text = tr("%1 · everybody watches the one node").arg(path);
    else if (lock->recipe.starts_with("semaphore"))
        text = tr("%1 · %2 of %3 leases out")
                   .arg(path, format::count(holders(*lock)), format::count(lock->permits));
    if (!lock->valueName.empty())
        text +=
            tr(" · %1 %2").arg(translateCoreText(lock->valueName, 20), format::plain(lock->value, 24));
    return text;
}

QString ChainText::empty(const RunState& state, const LockRow* lock)
{
    if (!lock && state.phase == trace::RunPhase::failed)
        return tr("The run could not start: the message says why.");
    if (!lock)
        return state.clients.empty() ? tr("No lock yet. Start a scenario or open a trace.")
                                     : tr("No lock yet: it appears when the run begins.");
    if (lock->watched)
        return watchedEmptyText(*lock);
    const auto next = lock->recipe == "herd" ? -1 : nextSequence(*lock);
    const QString free = tr("Nobody holds %1 and nobody waits.").arg(format::plain(lock->path, 60));
    if (state.phase == trace::RunPhase::finished || state.phase == trace::RunPhase::failed)
        return tr("%1\nThe run is over: play it from its beginning, or click on a moment of the timeline.")
            .arg(free);
    return next < 0 ? free
                    : tr("%1\nThe next client creates node %2 and has the lock at once.")
                          .arg(free, QString::number(next));
}

QString ChainText::outside(const RunState& state, const LockRow& lock)
{
    if (lock.watched)
        return outsideWatched(lock);
    std::vector<bool> inside(state.clients.size());
    QString foreign;
    for (const NodeRow& node : lock.queue) {
        if (node.owner.valid() && node.owner.value < inside.size())
            inside[node.owner.value] = true;
        else if (foreign.isEmpty())
            foreign =
                tr("%1 counts in the queue but belongs to no client here").arg(format::plain(node.name, 30));
    }
    // Around the one node of a herd they wait without a node of their own.
    if (lock.recipe == "herd")
        for (const ClientRow& client : state.clients)
            if (client.lock == lock.id && client.active() && client.id.value < inside.size())
                inside[client.id.value] = true;
    const auto done = std::count_if(state.clients.begin(), state.clients.end(), [](const ClientRow& client) {
        return client.phase == ClientPhase::finished;
    });
    const bool stale = std::any_of(state.clients.begin(), state.clients.end(),
                                   [](const ClientRow& client) { return client.isStale; });
    std::vector<const ClientRow*> out;
    for (const ClientRow& client : state.clients)
        // Who believes wrongly that it holds is shown with that, beside the queue.
        if (contends(client) && !client.isStale &&
            (client.id.value >= inside.size() || !inside[client.id.value]))
            out.push_back(&client);

    QString text;
    if (out.size() == 1) {
        const QString name = clientName(state, out[0]->id);
        const auto next = nextSequence(lock);
        const bool connected = out[0]->session == trace::SessionPhase::connected;
        if (!connected)
            text = tr("%1 is not in the queue: it is not connected").arg(name);
        else if (out[0]->frozen)
            text = tr("%1 is not in the queue: it is frozen").arg(name);
        else if (out[0]->createPending)
            text = tr("%1 is not in the queue yet: its create is on its way").arg(name);
        else if (next < 0)
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
    } else if (!state.clients.empty() && !lock.queue.empty() && !stale) {
        text = done == 0 ? tr("every client is in the queue")
                         : tr("every client that is not finished is in the queue");
    }
    if (foreign.isEmpty())
        return text;
    return text.isEmpty() ? foreign : tr("%1 · %2").arg(foreign, text);
}

// The first node of which nobody can tell what it does.
QString ChainText::outsideWatched(const LockRow& lock)
{
    const auto doubtful = std::find_if(lock.queue.begin(), lock.queue.end(), [](const NodeRow& node) {
        return node.phase == NodePhase::foreign;
    });
    return doubtful == lock.queue.end()
               ? QString()
               : tr("%1: %2").arg(format::plain(doubtful->name, 30), watchedDoubtText(*doubtful));
}

QString ChainText::wake(const RunState& state, const replay::WakeUp& wake, trace::WatchKind kind)
{
    const QString to = clientName(state, wake.to);
    switch (kind) {
    case trace::WatchKind::nodeDeleted:
        return wake.woken > 1 ? tr("NodeDeleted → wakes %1 clients").arg(format::count(wake.woken))
                              : tr("NodeDeleted → wakes exactly one client");
    case trace::WatchKind::nodeChanged:
        return tr("NodeDataChanged → sent to %1").arg(to);
    case trace::WatchKind::nodeCreated:
        return tr("NodeCreated → wakes %1").arg(to);
    case trace::WatchKind::childrenChanged:
        return tr("NodeChildrenChanged → wakes %1").arg(to);
    }
    return {};
}

QString ChainText::wakeOfHerd(const RunState& state, const replay::WakeUp& wake, trace::WatchKind kind)
{
    const QString soFar = format::count(std::max(1U, wake.woken));
    if (kind == trace::WatchKind::nodeDeleted && wake.woken <= 1)
        return tr("NodeDeleted → wakes all who watch it, %1 so far").arg(soFar);
    if (kind == trace::WatchKind::childrenChanged)
        return tr("NodeChildrenChanged → wakes all who watch the list, %1 so far").arg(soFar);
    return ChainText::wake(state, wake, kind);
}

QString ChainText::goneStub(const replay::WakeUp& wake, trace::WatchKind kind)
{
    if (wake.node.empty())
        return tr("list changed");
    return (kind == trace::WatchKind::nodeChanged ? tr("node %1 written") : tr("node %1 deleted"))
        .arg(format::sequenceNumber(wake.node));
}

QString ChainText::more(std::size_t count, bool allSeen)
{
    return (allSeen ? tr("and %1 more") : tr("and %1 more · scroll to see all")).arg(format::count(count));
}

QString ChainText::named(const RunState& state, const LockRow& lock, const ChainNode& card)
{
    const NodeRow& node = lock.queue[static_cast<std::size_t>(card.place)];
    return tr("place %1: %2 · %3 · %4")
        .arg(format::count(static_cast<quint64>(card.place) + 1), format::sequenceShort(node.name),
             ownerWords(state, lock, node, card.state),
             pill(card.state, card.frozen));
}

QString ChainText::watchLabel() { return tr("watch"); }

QString ChainText::noNodeYet() { return tr("no node yet"); }

QString ChainText::goneLabel() { return tr("gone"); }

QString ChainText::strayLabel() { return tr("stray"); }

QString ChainText::watching(std::size_t count)
{
    return count == 1 ? tr("1 watches") : tr("%1 watch").arg(format::count(count));
}

QString ChainText::kindLegend() { return tr("square: reads · cut corner: writes"); }

QString ChainText::shapeLegend() { return tr("circle: reads · square: writes"); }

QString ChainText::stale(const RunState& state, const ClientRow& client, TraceTime now)
{
    const QString ago = format::duration(std::max(Duration{}, now - client.staleSince));
    // Whether its session went or its node alone: the node is gone either way.
    return tr("%1 still believes it holds · its node went %2 ago").arg(clientName(state, client.id), ago);
}

QString ChainText::staleMore(std::size_t count)
{
    return tr("%1 more believe it too").arg(format::count(count));
}

} // namespace lockscope::ui::chain
