#include "ui/chain/card_painter.h"

#include "ui/chain/chain_places.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

constexpr int kDepthBoxes = 4;
constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignVCenter;

} // namespace

CardPainter::CardPainter(QPainter& painter, const Look& look, const Fonts& fonts, double unit)
    : m_p(painter)
    , m_c(look.palette())
    , m_f(fonts)
    , m_texts(look.texts())
    , m_u(unit)
    , m_bold(fonts.small)
{
    m_bold.setWeight(QFont::DemiBold);
}

void CardPainter::draw(const Card& card)
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

QColor CardPainter::stateColour(const Card& card) const
{
    switch (card.state) {
    case CardState::holds:
        return card.frozen ? m_c.frozen : m_c.holds;
    case CardState::waits:
        return card.frozen ? m_c.frozen : m_c.waits;
    case CardState::woken:
        return m_c.wake;
    case CardState::releases:
        return m_c.holdsSoft;
    case CardState::joins:
        return card.frozen ? m_c.frozen : m_c.textFaint;
    case CardState::orphan:
    case CardState::sessionGone:
        return m_c.stale;
    case CardState::foreign:
    case CardState::gone:
    case CardState::parent:
        break;
    }
    return m_c.textFaint;
}

QColor CardPainter::onState(const Card& card) const
{
    switch (card.state) {
    case CardState::holds:
        return card.frozen ? m_c.card : m_c.onHolds;
    case CardState::waits:
        return card.frozen ? m_c.card : m_c.onWaits;
    case CardState::releases:
        return m_c.dark ? m_c.onHolds : m_c.text;
    case CardState::orphan:
    case CardState::sessionGone:
        return m_c.onDanger;
    case CardState::woken:
    case CardState::joins:
    case CardState::foreign:
    case CardState::gone:
    case CardState::parent:
        break;
    }
    return m_c.card;
}

// The frame says the state by its pattern too: dashed frozen, dotted not ours or leaving.
QPen CardPainter::framePen(const Card& card) const
{
    QPen pen(stateColour(card), card.state == CardState::holds ? 2.2 : 1.6);
    if (card.frozen || card.state == CardState::sessionGone)
        pen.setDashPattern({3.2, 2.2});
    else if (card.state == CardState::foreign || card.state == CardState::gone ||
             card.state == CardState::orphan)
        pen.setDashPattern({1.2, 2.4});
    else if (card.state == CardState::releases)
        pen.setDashPattern({6, 2.5});
    return pen;
}

void CardPainter::drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                           const QColor& colour, const QString& text)
{
    m_p.setFont(font);
    m_p.setPen(colour);
    m_texts.draw(m_p, rect, alignment, text);
}

void CardPainter::drawFrame(const Card& card, double bar)
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
        card.state != CardState::gone && card.state != CardState::foreign && card.state != CardState::parent;
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(card.selected ? m_c.selection : m_c.card);
    m_p.drawPath(outline);
    if (card.state == CardState::sessionGone || card.state == CardState::orphan)
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

double CardPainter::drawPill(const Card& card, const QString& text, double left, double middle, double height,
                             double most)
{
    const double width = std::min(most, m_texts.width(m_bold, text) + 18 * m_u);
    const QRectF pill(left, middle - height / 2, width, height);
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(stateColour(card));
    m_p.drawRoundedRect(pill, height / 2, height / 2);
    drawText(pill.adjusted(7 * m_u, 0, -7 * m_u, 0), Qt::AlignCenter, m_bold, onState(card), text);
    return pill.right();
}

void CardPainter::drawDepth(const Card& card, double left, double middle, double right)
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
        drawText(rect, Qt::AlignCenter, m_bold, m_c.onHolds, text);
    };
    if (card.depth <= std::min(fits, kDepthBoxes)) {
        for (int level = 0; level < card.depth; ++level)
            box(level, QString::number(level + 1), size, level > 0);
    } else {
        box(0, QStringLiteral("×%1").arg(card.depth), std::min(right - left, size * 1.5), false);
    }
}

// The side of a read/write lock, as a letter in a frame.
void CardPainter::drawKind(const Card& card, double left, double middle)
{
    if (card.kind.isEmpty())
        return;
    const QRectF box(left, middle - 9 * m_u, 18 * m_u, 18 * m_u);
    m_p.setPen(QPen(m_c.textMuted, 1.2));
    m_p.setBrush(card.writes ? QBrush(m_c.panel) : QBrush(Qt::NoBrush));
    m_p.drawRoundedRect(box, 3 * m_u, 3 * m_u);
    drawText(box, Qt::AlignCenter, m_bold, m_c.text, card.kind);
}

void CardPainter::drawLarge(const Card& card)
{
    const bool gone = card.state == CardState::gone;
    drawFrame(card, 6 * m_u);
    const QRectF r = card.rect;
    const double left = r.left() + (r.width() < 155 * m_u ? 15 : 20) * m_u;
    const double right = r.right() - 6 * m_u, width = right - left;
    const auto row = [&](double middle, double height) {
        return QRectF(left, r.top() + middle * m_u - height / 2, width, height);
    };

    const bool named = card.zeros.isEmpty(); // a node without a number: its name, not as large
    const QFont& numberFont = named && card.state == CardState::foreign ? m_f.heading : m_f.number;
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
    drawText(line, kLeft, numberFont, gone ? m_c.textFaint : m_c.text, card.number);

    const QPointF dot(left + 7 * m_u, r.top() + 56 * m_u);
    m_p.setPen(Qt::NoPen);
    if (card.state == CardState::foreign) {
        m_p.setPen(QPen(m_c.textFaint, 1.4));
        m_p.setBrush(Qt::NoBrush);
    } else {
        m_p.setBrush(gone ? m_c.textFaint : m_c.client(card.colour));
    }
    m_p.drawEllipse(dot, 6.5 * m_u, 6.5 * m_u);
    drawText(row(56, 20 * m_u).adjusted(23 * m_u, 0, 0, 0), kLeft, m_f.text, gone ? m_c.textMuted : m_c.text,
             card.ownerName);
    drawKind(card, r.right() - 24 * m_u, r.top() + 56 * m_u);
    if (card.also.isEmpty())
        drawText(row(83, 18 * m_u), kLeft, m_f.monoSmall, m_c.textMuted, card.nodeShort);
    else
        drawText(row(83, 18 * m_u), kLeft, m_bold, card.inCycle ? m_c.staleText : m_c.text, card.also);

    const double middle = r.top() + 108 * m_u;
    const double pillEnd = drawPill(card, card.pill, left, middle, 20 * m_u, width);
    if (card.state == CardState::holds || card.state == CardState::releases)
        drawDepth(card, pillEnd + 8 * m_u, middle, right);

    drawDetail(card, row(133, 18 * m_u));
}

void CardPainter::drawDetail(const Card& card, const QRectF& rect)
{
    const QFont& font = card.standing ? m_bold : m_f.small;
    const QString* said = &card.detailShort;
    for (const QString* detail : {&card.detail, &card.detailMedium})
        if (!detail->isEmpty() && said == &card.detailShort && m_texts.width(font, *detail) <= rect.width())
            said = detail;
    drawText(rect, kLeft, font, card.standing ? m_c.accent : m_c.textMuted, *said);
}

void CardPainter::drawSmall(const Card& card)
{
    const bool gone = card.state == CardState::gone;
    drawFrame(card, 5 * m_u);
    const QRectF r = card.rect;
    const double left = r.left() + 14 * m_u, right = r.right() - 7 * m_u;

    QFont bold = m_f.heading;
    const bool alone =
        card.state == CardState::foreign || card.state == CardState::parent; // nobody of ours has it
    const double most = alone ? right - left : (right - left) * 0.55;
    const double number = std::min(most, m_texts.width(bold, card.number));
    const double top = r.top() + 19 * m_u;
    drawText({left, top - 12 * m_u, number, 24 * m_u}, kLeft, bold, gone ? m_c.textFaint : m_c.text,
             card.number);
    if (!alone) {
        const double dot = left + number + 13 * m_u;
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(gone ? m_c.textFaint : m_c.client(card.colour));
        m_p.drawEllipse(QPointF(dot, top), 5 * m_u, 5 * m_u);
        drawText({dot + 9 * m_u, top - 10 * m_u, right - dot - 9 * m_u, 20 * m_u}, kLeft, m_f.text,
                 gone ? m_c.textMuted : m_c.text, card.ownerName);
    }

    const double middle = r.top() + 43 * m_u;
    drawKind(card, r.right() - 24 * m_u, middle);
    const QString pill = card.depth > 1 && card.state == CardState::holds
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
        card.state == CardState::waits || card.state == CardState::woken || card.state == CardState::joins;
    const QString detail = waits || card.standing ? card.detailShort : QString();
    if (!detail.isEmpty() && m_texts.width(m_f.small, detail) <= room)
        drawText({end + 5 * m_u, middle - 9 * m_u, room, 18 * m_u}, Qt::AlignRight | Qt::AlignVCenter,
                 m_f.small, card.standing ? m_c.accent : m_c.textMuted, detail);
}

} // namespace lockscope::ui::chain
