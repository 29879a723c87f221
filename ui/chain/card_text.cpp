// The words of one node: on its card and in its tooltip.
#include "ui/chain/chain_text.h"

#include "ui/models/client_phrase.h"
#include "ui/models/format.h"
#include "ui/models/watched_words.h"

#include <algorithm>

namespace lockscope::ui::chain {

using replay::ClientRow;
using replay::LockRow;
using replay::NodePhase;
using replay::NodeRow;
using replay::RunState;

namespace {

constexpr int kMostNodeName = 48;

Duration since(TraceTime begin, TraceTime now) { return std::max(Duration{}, now - begin); }

QString zerosOf(const NodeRow& node)
{
    // The server writes ten digits; the number itself is shown large, what is before it faint.
    if (!node.padded || node.sequence < 0)
        return {};
    const auto digits = QString::number(node.sequence).size();
    return QString(std::max<qsizetype>(0, 10 - digits), QLatin1Char('0'));
}

} // namespace

CardState ChainText::stateOf(const RunState& state, const LockRow& lock, const NodeRow& node)
{
    if (lock.watched)
        return node.phase == NodePhase::holds     ? CardState::holds
               : node.phase == NodePhase::waits   ? CardState::waits
               : node.phase == NodePhase::joining ? CardState::joins
                                                  : CardState::foreign;
    if (node.phase == NodePhase::foreign || !node.owner.valid())
        return CardState::foreign;
    const ClientRow* owner = state.client(node.owner);
    if (owner) {
        const bool otherSession =
            node.session.valid() && owner->sessionId.valid() && node.session != owner->sessionId;
        if (otherSession || owner->session == trace::SessionPhase::lost ||
            (owner->serverSaysGone && owner->node == node.name))
            return CardState::sessionGone;
    }
    switch (node.phase) {
    case NodePhase::joining:
        return CardState::joins;
    case NodePhase::waits:
        return !node.ownerFrozen && isWoken(state, lock, node) ? CardState::woken : CardState::waits;
    case NodePhase::holds:
        return CardState::holds;
    case NodePhase::releasing:
        return CardState::releases;
    case NodePhase::orphan:
        return CardState::orphan;
    case NodePhase::foreign:
        break;
    }
    return CardState::foreign;
}

QString ChainText::pill(CardState state, bool frozen)
{
    switch (state) {
    case CardState::joins:
        return frozen ? tr("joins (frozen)") : tr("joins");
    case CardState::holds:
        return frozen ? tr("HOLDS (frozen)") : tr("HOLDS");
    case CardState::waits:
        return frozen ? tr("waits (frozen)") : tr("waits");
    case CardState::woken:
        return tr("woken");
    case CardState::releases:
        return frozen ? tr("releases (frozen)") : tr("releases");
    case CardState::foreign:
        return tr("foreign");
    case CardState::orphan:
        return tr("orphan");
    case CardState::sessionGone:
        return tr("session gone");
    case CardState::gone:
        return tr("deleted");
    case CardState::parent:
        return tr("list of children");
    }
    return {};
}

QString ChainText::also(const RunState& state, const ClientRow& owner, LockId lock)
{
    QString text;
    owner.forEach([&](const replay::Engagement& one) {
        if (one.lock == lock || !text.isEmpty())
            return;
        if (one.waits())
            text = tr("waits for %1").arg(lockLabel(state, one.lock));
        else if (one.holds())
            text = tr("also holds %1").arg(lockLabel(state, one.lock));
    });
    return text;
}

void ChainText::fill(Card& card, const RunState& state, const LockRow& lock, const NodeRow& node,
                     TraceTime now)
{
    // Somebody else's node may end in a number that means nothing.
    card.number = node.padded ? format::sequenceNumber(node.name) : format::plain(node.name, 24);
    card.zeros = zerosOf(node);
    card.ownerName = ownerWords(state, lock, node, card.state);
    card.nodeShort = node.padded ? format::nodeShort(node.name) : tr("not a lock node");
    const ClientRow* owner = state.client(node.owner);
    card.pill = pill(card.state, card.frozen);
    if (lock.watched)
        return fillWatched(card, node, now);
    if (owner)
        card.also = also(state, *owner, lock.id);
    const QString place = format::count(static_cast<quint64>(card.place) + 1);
    switch (card.state) {
    case CardState::holds:
    case CardState::releases: {
        card.detailShort = tr("held %1").arg(format::duration(since(node.heldSince, now)));
        card.detail = card.detailMedium = card.detailShort;
        if (node.token.valid()) {
            card.detail = tr("token %1 · %2").arg(format::zxid(node.token), card.detailShort);
            card.detailMedium = tr("token %1").arg(format::zxid(node.token));
        }
        break;
    }
    case CardState::foreign:
        card.detail = tr("counts as place %1").arg(place);
        card.detailShort = tr("place %1").arg(place);
        break;
    case CardState::orphan:
        card.detail = tr("its client forgot it");
        card.detailShort = tr("forgotten");
        break;
    case CardState::sessionGone:
        card.detail = tr("not deleted yet");
        card.detailShort = card.detail;
        break;
    case CardState::parent:
    case CardState::gone:
        break;
    case CardState::joins:
    case CardState::waits:
    case CardState::woken:
        card.detailShort = format::duration(since(node.waitingSince, now));
        card.detail = tr("waited %1").arg(card.detailShort);
        break;
    }
    if (owner && owner->heldAt) {
        card.detail = stoppedWords(*owner->heldAt);
        card.detailMedium = tr("‖ %1").arg(placeWords(*owner->heldAt));
        card.detailShort = tr("‖ stopped");
    }
}

// The czxid is no token there: nobody knows whether those programs use it as one.
void ChainText::fillWatched(Card& card, const NodeRow& node, TraceTime now)
{
    if (!node.padded)
        card.nodeShort = watchedKind(node);
    switch (card.state) {
    case CardState::holds:
        card.detailShort = node.heldBefore ? tr("held since before")
                                           : tr("held %1").arg(format::duration(since(node.heldSince, now)));
        card.detail = node.heldBefore ? tr("held since before the watching began") : card.detailShort;
        break;
    case CardState::waits:
    case CardState::joins:
        card.detailShort =
            node.before ? tr("since before") : format::duration(since(node.waitingSince, now));
        card.detail = node.before ? tr("there since before the watching began")
                                  : tr("waited %1").arg(card.detailShort);
        break;
    default:
        card.pill = nodePhrase(node, false).text;
        card.detail = watchedDoubt(node);
        card.detailShort = watchedKind(node);
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
    const CardState card = stateOf(state, lock, node);
    QStringList lines{format::plain(node.name, kMostNodeName * 2)};
    const QString owner = lock.watched && !node.owner.valid() ? watchedOwner(node)
                          : card == CardState::foreign ? tr("not a client of this run")
                                                       : clientName(state, node.owner);
    const QString what = lock.watched ? nodePhrase(node, false).text : pill(card, node.ownerFrozen);
    lines << tr("%1 · %2 · place %3 of %4")
                 .arg(owner, what, format::count(static_cast<quint64>(place) + 1),
                      format::count(lock.queue.size()));
    if (lock.watched) {
        if (!watchedDoubt(node).isEmpty())
            lines << watchedDoubt(node);
        if (node.token.valid())
            lines << tr("czxid %1").arg(format::zxid(node.token));
        lines << (node.before ? tr("there since before the watching began")
                              : tr("seen first %1 ago").arg(format::duration(since(node.created, now))));
        if (card == CardState::holds && !node.heldBefore)
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
        lines << tr("watches %1").arg(format::plain(node.watches, kMostNodeName));
    lines << tr("created %1 ago").arg(format::duration(since(node.created, now)));
    if (card == CardState::holds || card == CardState::releases)
        lines << tr("held %1").arg(format::duration(since(node.heldSince, now)));
    else if (card == CardState::waits || card == CardState::woken || card == CardState::joins)
        lines << tr("waited %1").arg(format::duration(since(node.waitingSince, now)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockscope::ui::chain
