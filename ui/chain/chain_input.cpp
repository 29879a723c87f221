// The pointer and the keys of the watch chain.
#include "ui/chain/chain_text.h"
#include "ui/chain/chain_view.h"
#include "ui/chain/server_view.h"
#include "ui/models/format.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

using chain::ChainNode;
using chain::ChainScene;

namespace {

QString nodeName(replay::Text node)
{
    return QString::fromUtf8(node.data(), static_cast<qsizetype>(node.size()));
}

} // namespace

void ChainView::selectPlace(int place)
{
    const replay::LockRow* lock = m_model->state().lock(m_selection->lock());
    if (!lock || lock->queue.empty())
        return;
    place = std::clamp(place, 0, static_cast<int>(lock->queue.size()) - 1);
    const replay::NodeRow& node = lock->queue[static_cast<std::size_t>(place)];
    m_selection->selectNode(node.owner, nodeName(node.name));
}

void ChainView::showSelected()
{
    const auto& cards = scene().cards;
    const auto found =
        std::find_if(cards.begin(), cards.end(), [](const ChainNode& card) { return card.selected; });
    if (found == cards.end() || m_scene.contentHeight <= m_scene.queueArea.height())
        return;
    QScrollBar* bar = verticalScrollBar();
    if (found->rect.top() < bar->value())
        bar->setValue(static_cast<int>(found->rect.top()) - 8);
    else if (found->rect.bottom() > bar->value() + m_scene.queueArea.height())
        bar->setValue(static_cast<int>(found->rect.bottom() - m_scene.queueArea.height()) + 8);
}

void ChainView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    selectAt(event->position());
}

void ChainView::selectAt(QPointF point)
{
    const ChainScene& shown = scene();
    if (const chain::StaleClient* stale = shown.staleAt(point))
        m_selection->selectClient(stale->client);
    else if (const ClientId caught = shown.cycleAt(point); caught.valid())
        m_selection->selectClient(caught);
    else if (const ChainNode* card = shown.cardAt(point, verticalScrollBar()->value()); card && card->place >= 0)
        selectPlace(card->place);
    else if (card && !card->node.empty())
        m_selection->selectNode(card->owner, nodeName(card->node)); // it is gone
    else if (card && card->owner.valid())
        m_selection->selectClient(card->owner);
    else if (shown.queueArea.contains(point))
        m_selection->selectClient(ClientId::none());
}

// Of the client whose card is there; of the selected one when a key asked.
void ChainView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (!byKey)
        selectAt(event->pos());
    const auto& cards = scene().cards;
    const auto chosen =
        std::find_if(cards.begin(), cards.end(), [](const ChainNode& card) { return card.selected; });
    QPoint place = event->globalPos();
    if (byKey && chosen != cards.end())
        place = viewport()->mapToGlobal(chosen->rect.center().toPoint() -
                                        QPoint(0, chosen->place >= 0 ? verticalScrollBar()->value() : 0));
    if (m_selection->client().valid())
        emit clientMenuRequested(place);
}

void ChainView::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        event->ignore(); // a command of the window
        return;
    }
    const auto& cards = scene().cards;
    const auto found =
        std::find_if(cards.begin(), cards.end(), [](const ChainNode& card) { return card.selected; });
    const int last = cards.empty() ? 0 : std::max(0, cards.back().place);
    const int place = found == cards.end() ? -1 : found->place;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        selectPlace(place < 0 ? last : place - 1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        selectPlace(place + 1);
        break;
    case Qt::Key_Escape:
        m_selection->selectClient(ClientId::none());
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

QString ChainView::toolTipAt(QPoint point)
{
    const ChainScene& shown = scene();
    const replay::RunState& state = m_model->state();
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (const chain::StaleClient* stale = shown.staleAt(point))
        return stale->text;
    if (const chain::Arrow* arrow = shown.markedArrowAt(point, verticalScrollBar()->value()))
        return arrow->tip;
    if (const ChainNode* card = shown.cardAt(point, verticalScrollBar()->value()); card && lock)
        return card->state == chain::NodeState::parent ? tr("%1\nEverybody who waits watches the list of its "
                                                            "children: each change wakes them all.")
                                                             .arg(format::plain(lock->path))
               : card->place >= 0 ? chain::ChainText::toolTip(state, *lock, card->place, query().now)
               : card->state == chain::NodeState::gone
                   ? tr("%1\ndeleted").arg(format::plain(card->node))
                   : tr("%1 · %2\nhas no node of its own: it watches the one that everybody watches")
                         .arg(chain::ChainText::clientName(state, card->owner), card->pill);
    if (shown.cycle.rect.contains(point) && !state.cycle.empty())
        return chain::ChainText::cycleWhy(state);
    if (shown.explainBox.contains(point))
        return m_boxes.why.isEmpty() ? m_boxes.what : tr("%1\n%2").arg(m_boxes.what, m_boxes.why);
    if (shown.serverBox.contains(point)) {
        const auto view = chain::ServerViewText::compare(state, m_selection->lock(), query().now);
        return view.differences.isEmpty() ? view.verdict
                                          : view.differences.mid(0, 12).join(QLatin1Char('\n'));
    }
    return {};
}

void ChainView::point(int place)
{
    if (std::exchange(m_pointed, place) != place)
        invalidate();
}

void ChainView::mouseMoveEvent(QMouseEvent* event)
{
    const ChainNode* card = scene().cardAt(event->position(), verticalScrollBar()->value());
    point(card && card->as == chain::Scale::cells ? card->place : -1);
    QAbstractScrollArea::mouseMoveEvent(event);
}

bool ChainView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        point(-1);
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    // A tool tip guesses whether its text is rich; names from outside must stay what they are.
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text), viewport());
    return true;
}

} // namespace lockscope::ui
