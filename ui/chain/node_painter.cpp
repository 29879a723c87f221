#include "ui/chain/node_painter.h"

#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

constexpr int kDepthBoxes = 4;

} // namespace

NodePainter::NodePainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit)
    : m_p(painter)
    , m_c(theme.palette())
    , m_f(fonts)
    , m_texts(theme.texts())
    , m_u(unit)
    , m_bold(fonts.small)
{
    m_bold.setWeight(QFont::DemiBold);
}

void NodePainter::draw(const ChainNode& card)
{
    switch (card.as) {
    case Scale::cards:
        drawLarge(card);
        break;
    case Scale::compact:
        drawSmall(card);
        break;
    case Scale::circles:
        drawCircle(card);
        break;
    case Scale::cells:
        drawCell(card);
        break;
    case Scale::empty:
        break;
    }
}

QColor NodePainter::stateColour(const ChainNode& card) const
{
    switch (card.state) {
    case NodeState::holds:
        return card.frozen ? m_c.frozen : m_c.holds;
    case NodeState::waits:
        return card.frozen ? m_c.frozen : m_c.waits;
    case NodeState::woken:
        return m_c.wake;
    case NodeState::releases:
        return m_c.holdsSoft;
    case NodeState::joins:
        return card.frozen ? m_c.frozen : m_c.textFaint;
    case NodeState::orphan:
    case NodeState::sessionGone:
        return m_c.stale;
    case NodeState::foreign:
    case NodeState::gone:
    case NodeState::parent:
        break;
    }
    return m_c.textFaint;
}

QColor NodePainter::textOnState(const ChainNode& card) const
{
    switch (card.state) {
    case NodeState::holds:
        return card.frozen ? m_c.card : m_c.onHolds;
    case NodeState::waits:
        return card.frozen ? m_c.card : m_c.onWaits;
    case NodeState::releases:
        return m_c.dark ? m_c.onHolds : m_c.text;
    case NodeState::orphan:
    case NodeState::sessionGone:
        return m_c.onDanger;
    case NodeState::woken:
    case NodeState::joins:
    case NodeState::foreign:
    case NodeState::gone:
    case NodeState::parent:
        break;
    }
    return m_c.card;
}

// The frame says the state by its pattern too: dashed frozen, dotted not ours or leaving.
QPen NodePainter::framePen(const ChainNode& card) const
{
    QPen pen(stateColour(card), card.state == NodeState::holds ? 2.2 : 1.6);
    if (card.frozen || card.state == NodeState::sessionGone)
        pen.setDashPattern({3.2, 2.2});
    else if (card.state == NodeState::foreign || card.state == NodeState::gone ||
             card.state == NodeState::orphan)
        pen.setDashPattern({1.2, 2.4});
    else if (card.state == NodeState::releases)
        pen.setDashPattern({6, 2.5});
    return pen;
}

void NodePainter::drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                           const QColor& colour, const QString& text)
{
    m_p.setFont(font);
    m_p.setPen(colour);
    m_texts.draw(m_p, rect, alignment, text);
}

void NodePainter::drawFrame(const ChainNode& card, double bar)
{
    QPainterPath outline;
    outline.addRoundedRect(card.rect, 6 * m_u, 6 * m_u);
    if (card.selected) {
        QPen ring(m_c.accent, 2 * m_u);
        m_p.setPen(ring);
        m_p.setBrush(Qt::NoBrush);
        m_p.drawRoundedRect(card.rect.adjusted(-4 * m_u, -4 * m_u, 4 * m_u, 4 * m_u), 9 * m_u, 9 * m_u);
    }
    if (card.inCycle) {
        m_p.setPen(QPen(m_c.stale, 2.4 * m_u));
        m_p.setBrush(Qt::NoBrush);
        m_p.drawRoundedRect(card.rect.adjusted(-3 * m_u, -3 * m_u, 3 * m_u, 3 * m_u), 8 * m_u, 8 * m_u);
    }
    const bool named =
        card.state != NodeState::gone && card.state != NodeState::foreign && card.state != NodeState::parent;
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(card.selected ? m_c.selection : m_c.card);
    m_p.drawPath(outline);
    if (card.state == NodeState::sessionGone || card.state == NodeState::orphan)
        m_p.fillPath(outline, QBrush(m_c.staleSoft, Qt::BDiagPattern));
    if (named) {
        m_p.save();
        m_p.setClipRect(QRectF(card.rect.topLeft(), QSizeF(bar, card.rect.height())), Qt::IntersectClip);
        m_p.fillPath(outline, m_c.client(card.colour));
        m_p.restore();
    }
    m_p.setPen(framePen(card));
    m_p.setBrush(Qt::NoBrush);
    m_p.drawPath(outline);
}

double NodePainter::drawPill(const ChainNode& card, const QString& text, double left, double middle, double height,
                             double most)
{
    const double width = std::min(most, m_texts.width(m_bold, text) + 18 * m_u);
    const QRectF pill(left, middle - height / 2, width, height);
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(stateColour(card));
    m_p.drawRoundedRect(pill, height / 2, height / 2);
    drawText(pill.adjusted(7 * m_u, 0, -7 * m_u, 0), Qt::AlignCenter, m_bold, textOnState(card), text);
    return pill.right();
}

void NodePainter::drawDepth(const ChainNode& card, double left, double middle, double right)
{
    const double size = 20 * m_u, gap = 4 * m_u;
    const int fits = static_cast<int>((right - left + gap) / (size + gap));
    if (card.depth == 0 || fits < 1)
        return;
    const auto box = [&](int at, const QString& text, double width, bool inner) {
        const QRectF rect(left + at * (size + gap), middle - size / 2, width, size);
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(inner ? m_c.holdsSoft : m_c.holds);
        m_p.drawRoundedRect(rect, 4 * m_u, 4 * m_u);
        drawText(rect, Qt::AlignCenter, m_bold, inner ? m_c.onHoldsSoft : m_c.onHolds, text);
    };
    if (card.depth <= std::min(fits, kDepthBoxes)) {
        for (int level = 0; level < card.depth; ++level)
            box(level, QString::number(level + 1), size, level > 0);
    } else {
        box(0, QStringLiteral("×%1").arg(card.depth), std::min(right - left, size * 1.5), false);
    }
}

// The side of a read/write lock, as a letter in a frame.
void NodePainter::drawKind(const ChainNode& card, double left, double middle)
{
    if (card.kind.isEmpty())
        return;
    const QRectF box(left, middle - 9 * m_u, 18 * m_u, 18 * m_u);
    m_p.setPen(QPen(m_c.textMuted, 1.2));
    m_p.setBrush(card.writes ? QBrush(m_c.panel) : QBrush(Qt::NoBrush));
    m_p.drawRoundedRect(box, 3 * m_u, 3 * m_u);
    drawText(box, Qt::AlignCenter, m_bold, m_c.text, card.kind);
}

} // namespace lockscope::ui::chain
