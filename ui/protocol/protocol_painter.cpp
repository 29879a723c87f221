#include "ui/protocol/protocol_painter.h"

#include "ui/canvas/arrows.h"
#include "ui/texts/protocol_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr double kBreak = 3; // pixels, half of a gap in the bracket's line
constexpr double kFaded = 0.2;
constexpr double kHeadSlope = 0.42;

} // namespace

void ProtocolPainter::draw(const ProtocolPicture& picture, const ProtocolHighlights& highlights)
{
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setClipRect(picture.plot);
    drawLanes(picture);
    if (picture.bracket)
        drawHandoff(picture);
    drawFolds(picture);
    drawBars(picture);
    const auto hovered = [&](ProtocolHit::What what, std::size_t index) {
        return highlights.hovered == ProtocolHit{what, index};
    };
    const auto selected = [&](EventIndex event) { return event.valid() && event == highlights.selected; };
    for (std::size_t i = 0; i < picture.arrows.size(); ++i) {
        const replay::ProtocolMessage& message = picture.protocol.messages[picture.arrows[i].message];
        drawArrow(picture.arrows[i], selected(message.event) || selected(message.second),
                  hovered(ProtocolHit::What::arrow, i));
    }
    m_painter.setOpacity(1);
    drawBarLabels(picture);
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        const replay::ProtocolNote& note = picture.protocol.notes[picture.boxes[i].note];
        drawBox(picture.boxes[i], selected(note.event) || selected(note.second),
                hovered(ProtocolHit::What::box, i));
    }
    for (const ProtocolArrow& arrow : picture.arrows)
        drawLabel(arrow);
    m_painter.setOpacity(1);
    for (const ProtocolFold& fold : picture.folds)
        chip(fold.pill, fold.text, m_palette.textMuted);
    if (picture.bracket)
        drawBracket(*picture.bracket);
    if (highlights.hovered.what == ProtocolHit::What::arrow &&
        highlights.hovered.index < picture.arrows.size())
        drawLatency(picture.arrows[highlights.hovered.index]);
    m_painter.restore();
    drawHeads(picture, highlights);
}

void ProtocolPainter::drawLanes(const ProtocolPicture& picture)
{
    for (const ProtocolHead& head : picture.heads) {
        const bool server = !head.client.valid();
        m_painter.setPen(QPen(server ? m_palette.textFaint : m_palette.cardBorder, server ? 2 : 1.5));
        m_painter.drawLine(QPointF(head.x, head.rect.bottom()), QPointF(head.x, picture.foot));
    }
}

// Shades the time of the handoff that the bracket measures, across all lanes.
void ProtocolPainter::drawHandoff(const ProtocolPicture& picture)
{
    const ProtocolBracket& bracket = *picture.bracket;
    const QPointF from(bracket.x, bracket.ticks.front()), to(picture.columns.edge, bracket.ticks.back());
    m_painter.fillRect(QRectF(from, to), withAlpha(m_palette.wake, m_palette.dark ? 26 : 18));
}

// Draws an omitted quiet stretch as a band over all lanes between two dashed edges.
void ProtocolPainter::drawFolds(const ProtocolPicture& picture)
{
    for (const ProtocolFold& fold : picture.folds) {
        m_painter.fillRect(fold.band, withAlpha(m_palette.panel, 190));
        m_painter.setPen(QPen(m_palette.textFaint, 1, Qt::DashLine));
        m_painter.drawLine(fold.band.topLeft(), fold.band.topRight());
        m_painter.drawLine(fold.band.bottomLeft(), fold.band.bottomRight());
    }
}

void ProtocolPainter::drawArrow(const ProtocolArrow& arrow, bool selected, bool hovered)
{
    m_painter.setOpacity(arrow.faded ? kFaded : 1);
    const QPointF shift(0, arrow.second ? ProtocolPicture::kPairShift : 0);
    if (selected) {
        m_painter.setPen(
            QPen(withAlpha(m_palette.accent, 90), arrow.second ? 14 : 9, Qt::SolidLine, Qt::RoundCap));
        m_painter.drawLine(arrow.from + shift / 2, arrow.to + shift / 2);
    }
    QPen pen(ink(arrow), arrow.chosen ? 2.4 : arrow.handoff ? 1.6 : 1.3);
    if (hovered)
        pen.setWidthF(pen.widthF() + 1);
    if (arrow.lost)
        pen.setStyle(Qt::DashLine);
    const ArrowHead head{6 + 2 * pen.widthF(), kHeadSlope};
    ui::drawArrow(m_painter, arrow.from, arrow.to, pen, arrow.lost ? ArrowHead{0} : head);
    if (arrow.second)
        ui::drawArrow(m_painter, arrow.from + shift, arrow.to + shift, pen, head);
    if (arrow.lost)
        drawCross(m_painter, arrow.to, 4.5, QPen(m_palette.stale, 2));
}

void ProtocolPainter::drawLabel(const ProtocolArrow& arrow)
{
    if (arrow.label.isEmpty())
        return;
    m_painter.setOpacity(arrow.faded ? kFaded : 1);
    m_painter.setFont(labelFont(arrow, m_fonts.small, m_fonts.monoSmall));
    const QFontMetricsF metrics(m_painter.font());
    const QRectF rect(-arrow.labelWidth / 2, -metrics.height() / 2, arrow.labelWidth, metrics.height());
    m_painter.save();
    m_painter.translate(arrow.labelAt);
    m_painter.rotate(arrow.angle);
    if (arrow.angle == 0 && !arrow.lost) // it lies on its steep arrow
        m_painter.fillRect(rect, m_palette.card);
    m_painter.setPen(arrow.lost                                   ? m_palette.staleText
                     : arrow.handoff && arrow.tone != Tone::stale ? m_palette.wake
                                                                  : textColour(m_palette, arrow.tone));
    m_painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, arrow.label);
    m_painter.restore();
}

void ProtocolPainter::drawLatency(const ProtocolArrow& arrow)
{
    if (arrow.latency.isEmpty())
        return;
    const QFontMetricsF metrics(m_fonts.small);
    const QPointF middle = (arrow.from + arrow.to) / 2;
    const QSizeF size(metrics.horizontalAdvance(arrow.latency) + 14, metrics.height() + 4);
    chip(QRectF(QPointF(middle.x() - size.width() / 2, middle.y() + 10), size), arrow.latency,
         m_palette.text);
}

void ProtocolPainter::chip(const QRectF& rect, const QString& text, const QColor& ink)
{
    m_painter.setPen(QPen(m_palette.cardBorder, 1));
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(ink);
    m_painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, text);
}

void ProtocolPainter::drawBox(const ProtocolBox& box, bool selected, bool hovered)
{
    m_painter.setOpacity(box.faded ? kFaded : 1);
    const bool filled = box.atServer && (box.chosen || box.tone == Tone::stale);
    const QColor ink = box.atServer && box.tone == Tone::stale ? m_palette.danger
                       : box.tone == Tone::wake                ? m_palette.wake
                                                               : textColour(m_palette, box.tone);
    const QColor words = !filled ? ink : box.tone == Tone::wake ? m_palette.card : m_palette.onDanger;
    const QColor edge = selected ? m_palette.accent : box.tone == Tone::muted ? m_palette.textFaint : ink;
    m_painter.setPen(QPen(edge, selected || hovered ? 2 : 1));
    m_painter.setBrush(filled ? ink : m_palette.card);
    m_painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    m_painter.setFont(box.tone == Tone::holds || filled ? strongFont(m_fonts.small) : m_fonts.small);
    m_painter.setPen(words);
    m_painter.drawText(box.rect, Qt::AlignCenter | Qt::TextSingleLine, box.text);
}

void ProtocolPainter::drawBracket(const ProtocolBracket& bracket)
{
    m_painter.setPen(QPen(m_palette.text, 1.2));
    // A part with a fold in it is longer than drawn: there the line is broken.
    double from = bracket.ticks.front();
    for (const double y : bracket.breaks) {
        m_painter.drawLine(QPointF(bracket.x, from), QPointF(bracket.x, y - kBreak));
        from = y + kBreak;
        for (const double edge : {y - kBreak, from})
            m_painter.drawLine(QPointF(bracket.x - 4, edge + 2), QPointF(bracket.x + 4, edge - 2));
    }
    m_painter.drawLine(QPointF(bracket.x, from), QPointF(bracket.x, bracket.ticks.back()));
    for (const double y : bracket.ticks)
        m_painter.drawLine(QPointF(bracket.x - 4, y), QPointF(bracket.x + 4, y));
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.textMuted);
    const auto write = [&](const ProtocolBracket::Label& label) {
        const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(label.text) + 3;
        m_painter.fillRect(label.rect.adjusted(label.rect.width() - width, 1, 1, -1),
                           withAlpha(m_palette.card, 215));
        m_painter.drawText(label.rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, label.text);
    };
    for (const ProtocolBracket::Label& label : bracket.labels)
        write(label);
    write(bracket.unit);
    // A line connects a displaced number with its part.
    m_painter.setPen(QPen(m_palette.textFaint, 1));
    for (const ProtocolBracket::Label& label : bracket.labels)
        if (std::abs(label.rect.center().y() - label.middle) > 4)
            m_painter.drawLine(QPointF(label.rect.right() + 3, label.rect.center().y()),
                               QPointF(bracket.x - 5, label.middle));
}

void ProtocolPainter::drawHeads(const ProtocolPicture& picture, const ProtocolHighlights& highlights)
{
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < picture.heads.size(); ++i) {
        const ProtocolHead& head = picture.heads[i];
        const bool server = !head.client.valid();
        const bool selected = !server && head.client == highlights.client;
        const bool hovered = highlights.hovered == ProtocolHit{ProtocolHit::What::head, i} && !server;
        m_painter.setBrush(server ? m_palette.pill : selected ? m_palette.selection : m_palette.card);
        const QColor own = m_palette.dark ? m_palette.clientText(head.colour) : m_palette.client(head.colour);
        m_painter.setPen(QPen(server ? m_palette.textMuted : own, selected || hovered ? 2.5 : 1.5));
        m_painter.drawRoundedRect(head.rect.adjusted(1, 1, -1, -1), 6, 6);
        m_painter.setFont(strongFont(m_fonts.text));
        m_painter.setPen(selected ? m_palette.selectionText : m_palette.text);
        m_painter.drawText(head.rect, Qt::AlignCenter | Qt::TextSingleLine, head.name);
    }
    m_painter.restore();
}

void ProtocolPainter::drawBars(const ProtocolPicture& picture)
{
    for (const ProtocolBar& bar : picture.bars) {
        const double radius = bar.rect.width() / 4;
        m_painter.setPen(Qt::NoPen);
        switch (bar.span.kind) {
        case SpanKind::holding:
        case SpanKind::waiting:
        case SpanKind::releasing: // pale: the lock is given up; only the reply is missing
            m_painter.setBrush(bar.span.kind == SpanKind::holding   ? m_palette.holds
                               : bar.span.kind == SpanKind::waiting ? m_palette.waits
                                                                    : m_palette.releasing);
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        case SpanKind::frozen:
            m_painter.setBrush(withAlpha(m_palette.frozenSoft, 190));
            m_painter.setPen(QPen(m_palette.frozen, 1.5, Qt::DashLine));
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        default: {
            // Stale and suspended are hatched: the pattern shows the state without color.
            const bool stale = bar.span.kind == SpanKind::stale;
            const QColor ink = stale ? m_palette.stale : m_palette.textMuted;
            m_painter.setBrush(stale ? m_palette.staleSoft : m_palette.panel);
            m_painter.drawRect(bar.rect);
            m_painter.save();
            m_painter.setClipRect(bar.rect, Qt::IntersectClip);
            m_painter.setPen(QPen(ink, 1.5));
            const double width = bar.rect.width();
            for (double y = bar.rect.top() - width; y < bar.rect.bottom(); y += 6)
                m_painter.drawLine(QPointF(bar.rect.left(), y + width), QPointF(bar.rect.right(), y));
            m_painter.restore();
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(ink, 1));
            m_painter.drawRect(bar.rect);
        }
        }
    }
}

void ProtocolPainter::drawBarLabels(const ProtocolPicture& picture)
{
    m_painter.setFont(strongFont(m_fonts.small));
    for (const ProtocolBar& bar : picture.bars) {
        if (bar.label.isEmpty())
            continue;
        m_painter.setPen(bar.span.kind == SpanKind::holding     ? m_palette.holdsText
                         : bar.span.kind == SpanKind::releasing ? m_palette.holdsText
                         : bar.span.kind == SpanKind::waiting   ? m_palette.waitsText
                         : bar.span.kind == SpanKind::stale     ? m_palette.staleText
                         : bar.span.kind == SpanKind::frozen    ? m_palette.frozenText
                                                                : m_palette.textMuted);
        m_painter.drawText(bar.label, Qt::AlignCenter | Qt::TextSingleLine, bar.text);
    }
}

QColor ProtocolPainter::ink(const ProtocolArrow& arrow) const
{
    if (arrow.lost || arrow.tone == Tone::stale)
        return m_palette.stale;
    if (arrow.handoff)
        return m_palette.wake;
    return arrow.open ? m_palette.textFaint : m_palette.textMuted;
}

} // namespace lockscope::ui
