#include "ui/texts/server_view.h"

#include "ui/models/style/format.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"
#include "ui/texts/watch_text.h"
#include "ui/texts/watched_lock_text.h"

#include <algorithm>
#include <vector>

namespace lockscope::ui::chain {

using replay::ClientPhase;
using replay::ClientRow;
using replay::LockRow;
using replay::NodePhase;
using replay::NodeRow;
using replay::WatchVerdict;

namespace {

constexpr qsizetype kEntries = 24;    // no box has room for more
constexpr int kDifferencesNamed = 20; // of the watches

bool believesToHaveNode(const ClientRow& client, LockId lock)
{
    return client.lock == lock && !client.node.empty() &&
           (client.phase == ClientPhase::joining || client.phase == ClientPhase::waiting ||
            client.phase == ClientPhase::holding);
}

// The nearest node in front that blocks this one; null: none. A reader ignores readers and its own client's
// write node.
const NodeRow* inTheWay(const LockRow& lock, const NodeRow& node)
{
    if (isSemaphore(lock.kind()))
        return nullptr; // leases do not block each other
    const auto own = std::find_if(lock.queue.begin(), lock.queue.end(),
                                  [&](const NodeRow& other) { return other.name == node.name; });
    const auto ahead = std::find_if(lock.queue.begin(), own, [&](const NodeRow& other) {
        return !node.reads || (!other.reads && other.owner != node.owner);
    });
    return ahead == own ? nullptr : &*ahead;
}

// A client that has sent the delete no longer relies on its node, even before the reply arrives.
bool hasGivenUp(const ClientRow& client) { return client.step == replay::Step::remove; }

// The node that each client believes to be its own, where the server has it; by the client's id.
std::vector<const NodeRow*> nodesOfClients(const replay::RunState& state, const LockRow& lock)
{
    std::vector<const NodeRow*> nodes(state.clients.size());
    for (const NodeRow& node : lock.queue)
        if (const ClientRow* owner = state.client(node.owner); owner && owner->node == node.name)
            nodes[owner->id.value] = &node;
    for (const ClientRow& client : state.clients) { // few remain: usually the node has another owner by then
        if (nodes[client.id.value] || client.lock != lock.id || client.node.empty())
            continue;
        const auto found = std::find_if(lock.queue.begin(), lock.queue.end(),
                                        [&](const NodeRow& node) { return node.name == client.node; });
        if (found != lock.queue.end())
            nodes[client.id.value] = &*found;
    }
    return nodes;
}

} // namespace

template <typename Whose> // not "class": lupdate would take the texts for those of a class
void ServerViewText::add(ServerView& view, replay::Text node, Whose whose)
{
    if (view.entries.size() < kEntries)
        view.entries << tr("%1 ← %2").arg(format::sequenceShort(node), whose());
    else
        ++view.more;
}

// The table as last read, without nodes deleted since: each watched node of the queue, in order, with its
// watcher.
void ServerViewText::readTable(ServerView& view, const replay::RunState& state, const LockRow& lock)
{
    const replay::WatchReading& reading = state.watchReading;
    view.title = tr("Server's own view · watches as of %1").arg(format::moment(reading.at));
    const auto& watches = lock.watches.compared;
    const replay::ComparedWatch* counted = nullptr; // of a session that several clients share
    for (const replay::ComparedWatch& watch : watches) {
        // A holder's watch on its own node is not part of the queue.
        const NodeRow* node = state.node(lock.id, watch.key.node);
        if (watch.own || (watch.verdict == WatchVerdict::foreign && !lock.watched))
            continue;
        ++view.watches;
        view.watchesAgreeing += watch.verdict == WatchVerdict::agrees ? 1 : 0;
        const bool shown = node || watch.verdict == WatchVerdict::stray;
        if (!watch.served || (counted && counted->key == watch.key))
            continue;
        counted = &watch;
        if (shown)
            add(view, watch.key.node, [&] { return watcherName(state, watch.key.session, watch.client); });
        else
            ++view.gone;
    }
    if (lock.watched && view.watches == 0) {
        view.nothing = tr("no node was watched then; a server does not show watches on the list");
        return;
    }
    view.nothing =
        view.watches == 0 ? tr("no watches at that time") : tr("the watched nodes no longer exist");
}

void ServerViewText::readOwners(ServerView& view, const LockRow& lock)
{
    view.title = tr("Server's own view · owners of the nodes");
    for (const NodeRow& node : lock.queue)
        if (node.session.valid())
            add(view, node.name, [&] { return format::sessionShort(node.session); });
    view.nothing = lock.queue.empty() ? tr("no children") : tr("not read by the observer yet");
}

QStringList ServerViewText::lines(const ServerView& view, int maxLines, const Fits& fits)
{
    if (view.entries.isEmpty())
        return {view.nothing};
    QStringList all;
    qsizetype from = 0;
    while (from < view.entries.size()) {
        const bool last = all.size() + 1 >= maxLines;
        const auto textOf = [&](qsizetype end) {
            QString text = view.entries.mid(from, end - from).join(QStringLiteral("   "));
            const auto left = static_cast<std::size_t>(view.entries.size() - end) + view.more;
            if (left > 0 && (last || end == view.entries.size()))
                text += QStringLiteral("   ") + tr("+%1 more").arg(format::count(left));
            if (view.gone > 0 && (last || end == view.entries.size()))
                text += QStringLiteral("   ") + tr("%1 gone since then").arg(format::count(view.gone));
            return text;
        };
        qsizetype fitting = last && !all.isEmpty() ? from : from + 1, tooMany = view.entries.size() + 1;
        while (tooMany - fitting > 1) {
            const qsizetype middle = (fitting + tooMany) / 2;
            (fits(textOf(middle)) ? fitting : tooMany) = middle;
        }
        all << textOf(fitting).trimmed();
        from = last ? view.entries.size() : fitting;
    }
    return all;
}

ServerView ServerViewText::compare(const replay::RunState& state, LockId lockId, TraceTime now)
{
    ServerView view;
    const LockRow* lock = state.lock(lockId);
    if (!lock)
        return view;
    if (state.watchReading.answered > 0)
        readTable(view, state, *lock);
    else
        readOwners(view, *lock);
    compareNodes(view, state, *lock, now);
    const QStringList ofWatches = watchDifferences(state, *lock, kDifferencesNamed);
    view.differences += ofWatches;
    view.unnamed = watchDifferenceCount(*lock) - static_cast<std::size_t>(ofWatches.size());
    view.verdict = lock->watched ? watchedUnknownText() : verdict(view);
    return view;
}

// Whether the server has the nodes that the clients believe in.
void ServerViewText::compareNodes(ServerView& view, const replay::RunState& state, const LockRow& lock,
                                  TraceTime now)
{
    const std::vector<const NodeRow*> nodes = nodesOfClients(state, lock);
    for (const ClientRow& client : state.clients) {
        const auto name = [&] { return clientName(state, client.id); }; // called for few clients
        const bool hasStaleHold = client.isStale && client.lock == lock.id;
        if (!hasStaleHold && !believesToHaveNode(client, lock.id))
            continue;
        const NodeRow* node = nodes[client.id.value];
        // A client knows its new node from the reply, perhaps before the observer has listed it.
        const bool isNew = client.phase == ClientPhase::joining && !state.deletedNode(lock.id, client.node);
        if (!hasStaleHold && !node && (hasGivenUp(client) || isNew))
            continue;
        ++view.compared;
        if (hasStaleHold) {
            const QString ago = format::duration(std::max(Duration{}, now - client.staleSince));
            view.differences
                << tr("%1 believes it holds; the server deleted its node %2 ago").arg(name(), ago);
        } else if (!node) {
            view.differences << tr("%1 still counts on %2; the server has no such node")
                                    .arg(name(), format::sequenceShort(client.node));
        } else if (node->session.valid() && client.sessionId.valid() && node->session != client.sessionId) {
            view.differences << tr("%1 belongs to a session other than %2's")
                                    .arg(format::sequenceShort(client.node), name());
        } else if (const NodeRow* ahead =
                       client.phase == ClientPhase::holding ? inTheWay(lock, *node) : nullptr) {
            view.differences << tr("%1 believes it holds; %2 is in front of it")
                                    .arg(name(), format::sequenceShort(ahead->name));
        } else {
            ++view.agreeing;
        }
    }
    for (const NodeRow& node : lock.queue)
        if (node.phase == NodePhase::orphan)
            view.differences << tr("%1 is a node that its client %2 does not know")
                                    .arg(format::sequenceShort(node.name), clientName(state, node.owner));
}

QString ServerViewText::verdict(const ServerView& view)
{
    if (view.differences.size() == 1)
        return view.differences.front();
    if (!view.differences.isEmpty()) {
        QStringList named = view.differences;
        if (view.unnamed > 0)
            named << QStringLiteral("…");
        return tr("%1 differences: %2")
            .arg(format::count(static_cast<std::size_t>(view.differences.size()) + view.unnamed),
                 named.join(tr("; ")));
    }
    if (view.watches > 0) // as of the table, not of now
        return view.watchesAgreeing == view.watches
                   ? tr("agreed with the clients: %1 of %1").arg(format::count(view.watches))
                   : tr("agreed with the clients: %1 of %2, %3 in flight")
                         .arg(format::count(view.watchesAgreeing), format::count(view.watches),
                              format::count(view.watches - view.watchesAgreeing));
    if (view.compared > 0)
        return tr("agrees with the clients in the queue: %1 of %2")
            .arg(format::count(static_cast<quint64>(view.agreeing)),
                 format::count(static_cast<quint64>(view.compared)));
    return tr("nothing to compare yet");
}

} // namespace lockscope::ui::chain
