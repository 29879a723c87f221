// Nodes that have room for a card, large or small.
#include "ui/chain/node_painter.h"

#include "ui/chain/chain_places.h"

#include <QFontMetricsF>

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

constexpr Qt::Alignment kAlignLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr double kBeforeName = 22; // from the number to the name: room for the dot

} // namespace

void NodePainter::drawLarge(const ChainNode& card)
{
    const bool gone = card.state == NodeState::gone;
    drawFrame(card, 6 * m_u);
    const QRectF r = card.rect;
    const double left = r.left() + (r.width() < 155 * m_u ? 15 : 20) * m_u;
    const double right = r.right() - 6 * m_u, width = right - left;
    const auto row = [&](double middle, double height) {
        return QRectF(left, r.top() + middle * m_u - height / 2, width, height);
    };

    const bool named = card.zeros.isEmpty(); // a node without a number: its name, not as large
    const QFont& numberFont = named && card.state == NodeState::foreign ? m_f.heading : m_f.number;
    QRectF line = row(23, 30 * m_u);
    if (!named) {
        const double zeros = m_texts.width(m_f.monoSmall, card.zeros);
        const double number = m_texts.width(numberFont, card.number);
        if (zeros + number + 3 * m_u <= width) {
            // On the number's baseline.
            const double baseline = line.center().y() + QFontMetricsF(numberFont).capHeight() / 2;
            m_p.setFont(m_f.monoSmall);
            m_p.setPen(m_c.textFaint);
            m_p.drawText(QPointF(left, baseline), card.zeros);
            line.setLeft(left + zeros + 3 * m_u);
        }
    }
    drawText(line, kAlignLeft, numberFont, gone ? m_c.textFaint : m_c.text, card.number);

    const QPointF dot(left + 7 * m_u, r.top() + 56 * m_u);
    m_p.setPen(Qt::NoPen);
    if (card.state == NodeState::foreign) {
        m_p.setPen(QPen(m_c.textFaint, 1.4));
        m_p.setBrush(Qt::NoBrush);
    } else {
        m_p.setBrush(gone ? m_c.textFaint : m_c.client(card.colour));
    }
    m_p.drawEllipse(dot, 6.5 * m_u, 6.5 * m_u);
    drawText(row(56, 20 * m_u).adjusted(23 * m_u, 0, 0, 0), kAlignLeft, m_f.text, gone ? m_c.textMuted : m_c.text,
             card.ownerName);
    drawKind(card, r.right() - 24 * m_u, r.top() + 56 * m_u);
    if (card.also.isEmpty())
        drawText(row(83, 18 * m_u), kAlignLeft, m_f.monoSmall, m_c.textMuted, card.nodeShort);
    else
        drawText(row(83, 18 * m_u), kAlignLeft, m_bold, card.inCycle ? m_c.staleText : m_c.text, card.also);

    const double middle = r.top() + 108 * m_u;
    const double pillEnd = drawPill(card, card.pill, left, middle, 20 * m_u, width);
    if (card.state == NodeState::holds || card.state == NodeState::releases)
        drawDepth(card, pillEnd + 8 * m_u, middle, right);

    drawDetail(card, row(133, 18 * m_u));
}

void NodePainter::drawDetail(const ChainNode& card, const QRectF& rect)
{
    const QFont& font = card.standing ? m_bold : m_f.small;
    const QString* said = &card.detailShort;
    for (const QString* detail : {&card.detail, &card.detailMedium})
        if (!detail->isEmpty() && said == &card.detailShort && m_texts.width(font, *detail) <= rect.width())
            said = detail;
    drawText(rect, kAlignLeft, font, card.standing ? m_c.accent : m_c.textMuted, *said);
}

void NodePainter::drawSmall(const ChainNode& card)
{
    const bool gone = card.state == NodeState::gone;
    drawFrame(card, 5 * m_u);
    const QRectF r = card.rect;
    const double left = r.left() + 14 * m_u, right = r.right() - 7 * m_u;

    const bool alone =
        card.state == NodeState::foreign || card.state == NodeState::parent; // nobody of ours has it
    // A long number is written smaller: the name beside it says more.
    const double name = alone ? 0 : kBeforeName * m_u + m_texts.width(m_f.text, card.ownerName);
    QFont bold = m_f.heading;
    for (const QFont& smaller : {m_f.title, m_bold})
        if (m_texts.width(bold, card.number) + name > right - left)
            bold = smaller;
    const double most = alone ? right - left : (right - left) * 0.55;
    const double number = std::min(most, m_texts.width(bold, card.number));
    const double top = r.top() + 19 * m_u;
    drawText({left, top - 12 * m_u, number, 24 * m_u}, kAlignLeft, bold, gone ? m_c.textFaint : m_c.text,
             card.number);
    if (!alone) {
        const double dot = left + number + 13 * m_u;
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(gone ? m_c.textFaint : m_c.client(card.colour));
        m_p.drawEllipse(QPointF(dot, top), 5 * m_u, 5 * m_u);
        const double begin = left + number + kBeforeName * m_u;
        drawText({begin, top - 10 * m_u, right - begin, 20 * m_u}, kAlignLeft, m_f.text,
                 gone ? m_c.textMuted : m_c.text, card.ownerName);
    }

    const double middle = r.top() + 43 * m_u;
    drawKind(card, r.right() - 24 * m_u, middle);
    const QString pill = card.depth > 1 && card.state == NodeState::holds
                             ? QStringLiteral("%1 ×%2").arg(card.pill, QString::number(card.depth))
                             : card.pill;
    const double badge = card.kind.isEmpty() ? 0 : 22 * m_u;
    const double end = drawPill(card, pill, left, middle, 18 * m_u, right - left - badge);
    if (isTall(r, m_u)) {
        drawDetail(card, {left, r.top() + 59 * m_u, right - left, 18 * m_u});
        return;
    }
    const double room = right - badge - end - 5 * m_u;
    const bool waits =
        card.state == NodeState::waits || card.state == NodeState::woken || card.state == NodeState::joins;
    const QString detail = waits || card.standing ? card.detailShort : QString();
    if (!detail.isEmpty() && m_texts.width(m_f.small, detail) <= room)
        drawText({end + 5 * m_u, middle - 9 * m_u, room, 18 * m_u}, Qt::AlignRight | Qt::AlignVCenter,
                 m_f.small, card.standing ? m_c.accent : m_c.textMuted, detail);
}

} // namespace lockscope::ui::chain
