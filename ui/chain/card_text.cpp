// The words of one node: on its card and in its tooltip.
#include "ui/chain/chain_text.h"

#include "ui/models/client_status.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

#include <algorithm>

namespace lockscope::ui::chain {

using replay::ClientRow;
using replay::LockRow;
using replay::NodePhase;
using replay::NodeRow;
using replay::RunState;

namespace {

constexpr int kMaxNodeNameLength = 48;

Duration since(TraceTime begin, TraceTime now) { return std::max(Duration{}, now - begin); }

QString zerosOf(const NodeRow& node)
{
    // The server writes ten digits; the number itself is shown large, what is before it faint.
    if (!node.hasPaddedNumber || node.sequence < 0)
        return {};
    const auto digits = QString::number(node.sequence).size();
    return QString(std::max<qsizetype>(0, 10 - digits), QLatin1Char('0'));
}

} // namespace

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

QString ChainText::pill(NodeState state, bool frozen)
{
    switch (state) {
    case NodeState::joins:
        return frozen ? tr("joins (frozen)") : tr("joins");
    case NodeState::holds:
        return frozen ? tr("HOLDS (frozen)") : tr("HOLDS");
    case NodeState::waits:
        return frozen ? tr("waits (frozen)") : tr("waits");
    case NodeState::woken:
        return tr("woken");
    case NodeState::releases:
        return frozen ? tr("releases (frozen)") : tr("releases");
    case NodeState::foreign:
        return tr("foreign");
    case NodeState::orphan:
        return tr("orphan");
    case NodeState::sessionGone:
        return tr("session gone");
    case NodeState::gone:
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

void ChainText::fill(ChainNode& card, const RunState& state, const LockRow& lock, const NodeRow& node,
                     TraceTime now)
{
    // Somebody else's node may end in a number that means nothing.
    card.number = node.hasPaddedNumber ? format::sequenceNumber(node.name) : format::plain(node.name, 24);
    card.zeros = zerosOf(node);
    card.ownerName = ownerWords(state, lock, node, card.state);
    card.nodeShort = node.hasPaddedNumber ? format::nodeShort(node.name) : tr("not a lock node");
    const ClientRow* owner = state.client(node.owner);
    card.pill = pill(card.state, card.frozen);
    if (lock.watched)
        return fillWatched(card, node, now);
    if (owner)
        card.also = also(state, *owner, lock.id);
    const QString place = format::count(static_cast<quint64>(card.place) + 1);
    switch (card.state) {
    case NodeState::holds:
    case NodeState::releases: {
        card.detailShort = tr("held %1").arg(format::duration(since(node.heldSince, now)));
        card.detail = card.detailMedium = card.detailShort;
        if (node.token.valid()) {
            card.detail = tr("token %1 · %2").arg(format::zxid(node.token), card.detailShort);
            card.detailMedium = tr("token %1").arg(format::zxid(node.token));
        }
        break;
    }
    case NodeState::foreign:
        card.detail = tr("counts as place %1").arg(place);
        card.detailShort = tr("place %1").arg(place);
        break;
    case NodeState::orphan:
        card.detail = tr("its client forgot it");
        card.detailShort = tr("forgotten");
        break;
    case NodeState::sessionGone:
        card.detail = tr("not deleted yet");
        card.detailShort = card.detail;
        break;
    case NodeState::parent:
    case NodeState::gone:
        break;
    case NodeState::joins:
    case NodeState::waits:
    case NodeState::woken:
        card.detailShort = format::duration(since(node.waitingSince, now));
        card.detail = tr("waited %1").arg(card.detailShort);
        break;
    }
    if (owner && owner->heldAt) {
        card.detail = stoppedAtText(*owner->heldAt);
        card.detailMedium = tr("‖ %1").arg(gatePositionText(*owner->heldAt));
        card.detailShort = tr("‖ stopped");
    }
}

// The czxid is no token there: nobody knows whether those programs use it as one.
void ChainText::fillWatched(ChainNode& card, const NodeRow& node, TraceTime now)
{
    if (!node.hasPaddedNumber)
        card.nodeShort = watchedKindText(node);
    switch (card.state) {
    case NodeState::holds:
        card.detailShort = node.heldBefore ? tr("held since before")
                                           : tr("held %1").arg(format::duration(since(node.heldSince, now)));
        card.detail = node.heldBefore ? tr("held since before the watching began") : card.detailShort;
        break;
    case NodeState::waits:
    case NodeState::joins:
        card.detailShort =
            node.before ? tr("since before") : format::duration(since(node.waitingSince, now));
        card.detail = node.before ? tr("there since before the watching began")
                                  : tr("waited %1").arg(card.detailShort);
        break;
    default:
        card.pill = nodeStatus(node, false).text;
        card.detail = watchedDoubtText(node);
        card.detailShort = watchedKindText(node);
        break;
    }
}

QString ChainText::kind(const LockRow& lock, const NodeRow& node)
{
    if (node.kind && (*node.kind == trace::NodeKind::read || *node.kind == trace::NodeKind::write))
        return node.reads ? tr("R") : tr("W");
    if (lock.recipe.find("read-write") == std::string_view::npos || !node.owner.valid())
        return {};
    return node.reads ? tr("R") : tr("W");
}

QString ChainText::toolTip(const RunState& state, const LockRow& lock, int place, TraceTime now)
{
    if (place < 0 || static_cast<std::size_t>(place) >= lock.queue.size())
        return {};
    const NodeRow& node = lock.queue[static_cast<std::size_t>(place)];
    const NodeState card = stateOf(state, lock, node);
    QStringList lines{format::plain(node.name, kMaxNodeNameLength * 2)};
    const QString owner = lock.watched && !node.owner.valid() ? watchedOwnerText(node)
                          : card == NodeState::foreign ? tr("not a client of this run")
                                                       : clientName(state, node.owner);
    const QString what = lock.watched ? nodeStatus(node, false).text : pill(card, node.ownerFrozen);
    lines << tr("%1 · %2 · place %3 of %4")
                 .arg(owner, what, format::count(static_cast<quint64>(place) + 1),
                      format::count(lock.queue.size()));
    if (lock.watched) {
        if (!watchedDoubtText(node).isEmpty())
            lines << watchedDoubtText(node);
        if (node.token.valid())
            lines << tr("czxid %1").arg(format::zxid(node.token));
        lines << (node.before ? tr("there since before the watching began")
                              : tr("seen first %1 ago").arg(format::duration(since(node.created, now))));
        if (card == NodeState::holds && !node.heldBefore)
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
    if (card == NodeState::holds || card == NodeState::releases)
        lines << tr("held %1").arg(format::duration(since(node.heldSince, now)));
    else if (card == NodeState::waits || card == NodeState::woken || card == NodeState::joins)
        lines << tr("waited %1").arg(format::duration(since(node.waitingSince, now)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockscope::ui::chain
