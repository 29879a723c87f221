// Nodes that have no room for a card: circles and cells.
#include "ui/chain/node_painter.h"

#include <QPolygonF>

namespace lockscope::ui::chain {

void NodePainter::drawCircle(const ChainNode& card)
{
    const QRectF r = card.rect;
    const bool solid = card.state == NodeState::holds || card.state == NodeState::releases;
    const bool filled = solid || card.state == NodeState::woken;
    if (card.inCycle) {
        m_p.setPen(QPen(m_c.stale, 2 * m_u));
        m_p.setBrush(Qt::NoBrush);
        m_p.drawEllipse(r.adjusted(-3, -3, 3, 3));
    }
    if (card.selected) {
        m_p.setPen(QPen(m_c.accent, 2 * m_u));
        m_p.setBrush(m_c.selection);
        m_p.drawRoundedRect(r.adjusted(-4, -4, 4, 4), 10 * m_u, 10 * m_u);
    }
    QPen pen = framePen(card);
    if (card.state == NodeState::waits || card.state == NodeState::joins)
        pen.setColor(m_c.client(card.colour)); // as its dot everywhere
    pen.setWidthF(2 * m_u);
    m_p.setPen(pen);
    if (card.state == NodeState::sessionGone || card.state == NodeState::orphan)
        m_p.setBrush(QBrush(m_c.staleSoft, Qt::BDiagPattern));
    else
        m_p.setBrush(filled ? stateColour(card) : m_c.card);
    // Who writes has corners, who reads has none.
    if (card.writes)
        m_p.drawRect(r.adjusted(1, 1, -1, -1));
    else if (solid && card.kind.isEmpty())
        m_p.drawRoundedRect(r, 7 * m_u, 7 * m_u);
    else if (card.state == NodeState::foreign)
        m_p.drawRect(r.adjusted(2, 2, -2, -2));
    else
        m_p.drawEllipse(r);
    // Its name goes along with the colour, as far as it fits.
    QFont tiny = m_bold;
    tiny.setPointSizeF(m_bold.pointSizeF() * 0.82);
    if (r.width() < 20 * m_u)
        return;
    drawText(r.adjusted(2, 0, -2, 0), Qt::AlignCenter, tiny, filled ? textOnState(card) : m_c.textMuted,
             card.ownerName);
    if (card.kind.isEmpty())
        return;
    const QRectF badge(r.right() - 8 * m_u, r.bottom() - 8 * m_u, 13 * m_u, 13 * m_u);
    m_p.setPen(QPen(m_c.textMuted, 1));
    m_p.setBrush(card.writes ? m_c.panel : m_c.card);
    m_p.drawRoundedRect(badge, 3 * m_u, 3 * m_u);
    drawText(badge, Qt::AlignCenter, tiny, m_c.text, card.kind);
}

void NodePainter::drawCell(const ChainNode& card)
{
    // Many: plain rectangles of whole pixels, no curves.
    const QRect r = card.rect.toRect();
    const int edge = r.width() < 8 ? 1 : 2;
    if (card.selected || card.pointed) {
        m_p.fillRect(r.adjusted(-3, -3, 3, 3), card.selected ? m_c.accent : m_c.text);
        m_p.fillRect(r.adjusted(-1, -1, 1, 1), m_c.card);
    }
    const bool hollow = card.frozen || card.state == NodeState::foreign || card.state == NodeState::joins ||
                        card.state == NodeState::gone || card.state == NodeState::sessionGone ||
                        card.state == NodeState::orphan;
    m_p.fillRect(r, stateColour(card));
    if (hollow)
        m_p.fillRect(r.adjusted(edge, edge, -edge, -edge), m_c.card);
    if (card.frozen)
        m_p.fillRect(r.adjusted(2 * edge, 2 * edge, -2 * edge, -2 * edge), m_c.frozen);
    if (!card.writes)
        return;
    const QPointF cut = QPointF(r.width(), r.height()) * 0.5;
    const QPointF corner = QRectF(r).topRight();
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(m_c.card);
    m_p.drawPolygon(QPolygonF{corner - QPointF(cut.x(), 0), corner, corner + QPointF(0, cut.y())});
}

} // namespace lockscope::ui::chain
