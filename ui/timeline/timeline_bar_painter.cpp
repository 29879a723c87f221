#include "ui/timeline/timeline_bar_painter.h"

#include "ui/texts/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr int kRoundFrom = 6; // bars at least this wide and tall get round corners
constexpr qreal kBarRadius = 4;
constexpr int kHatchPitch = 7;
constexpr int kFromLine = 2; // pixels between the cursor's line and a number

// The place of a number: centered in its room or, if the line would cross it, in the wider part beside the
// line; empty if neither has room.
QRect numberPlace(const QRect& room, int width, const QRect& line)
{
    QRect words(room.left(), room.top(), width, room.height());
    words.moveLeft(room.center().x() - width / 2);
    const QRect kept = line.adjusted(-kFromLine, 0, kFromLine, 0);
    if (line.isEmpty() || !words.intersects(kept))
        return room;
    const QRect before =
        room.intersected(QRect(QPoint(room.left(), room.top()), QPoint(kept.left() - 1, room.bottom())));
    const QRect after = room.intersected(QRect(QPoint(kept.right() + 1, room.top()), room.bottomRight()));
    const QRect& wider = before.width() > after.width() ? before : after;
    return wider.width() >= width ? wider : QRect();
}

} // namespace

void fillRounded(QPainter& painter, const QRectF& rect, qreal radius, const QBrush& brush)
{
    if (rect.width() < kRoundFrom || rect.height() < kRoundFrom) {
        painter.fillRect(rect, brush);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(brush);
    const qreal fitting = std::min(radius, rect.width() / 4); // keeps a narrow bar recognizable
    painter.drawRoundedRect(rect, fitting, fitting);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineBarPainter::draw(const TimelinePicture& picture, EventIndex selected, const QRect& line)
{
    drawBars(picture, selected);
    drawDepths(picture, line);
    drawBehind(picture);
    drawOverlays(picture);
}

void TimelineBarPainter::drawBars(const TimelinePicture& picture, EventIndex selected)
{
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::waiting)
            fillRounded(m_painter, bar.rect, bar.rect.height() / 2.0, m_palette.waitsSoft);
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::releasing)
            m_painter.fillRect(bar.rect, m_palette.releasing);
    const qreal radius = picture.layout.compact() ? 2 : kBarRadius;
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::holding)
            fillRounded(m_painter, bar.rect, radius, m_palette.holds);
    // Merged holds of a client contain waits: the block is translucent.
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::holding && bar.span.merged > 1) {
            const int height = picture.layout.waitHeight();
            m_painter.fillRect(
                QRect(bar.rect.left(), bar.rect.center().y() - height / 2, bar.rect.width(), height),
                m_palette.waitsSoft);
        }
    if (!selected.valid())
        return;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_palette.text, 2));
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.beginEvent == selected)
            m_painter.drawRect(bar.rect.adjusted(-1, -1, 1, 1));
}

// Nested levels alternate between two colors, both different from the hold's.
void TimelineBarPainter::drawDepths(const TimelinePicture& picture, const QRect& line)
{
    for (const TimelineDepth& bar : picture.depths)
        fillRounded(m_painter, bar.rect, kBarRadius - 1,
                    bar.shownDepth % 2 == 0 ? m_palette.holdsSoft : m_palette.holdsPale);
    m_painter.setFont(picture.laneNumber);
    m_painter.setPen(m_palette.onHoldsSoft);
    const QFontMetrics metrics(picture.laneNumber);
    for (const TimelineDepth& bar : picture.depths) {
        if (bar.label.isEmpty())
            continue;
        const QString number = TimelineText::depth(bar.shownDepth);
        const QRect place = numberPlace(bar.label, metrics.horizontalAdvance(number), line);
        if (!place.isEmpty())
            m_theme.texts().draw(m_painter, place, Qt::AlignCenter, number);
    }
}

void TimelineBarPainter::drawOverlayLabel(const TimelineOverlayLabel& note)
{
    m_painter.setPen(note.kind == SpanKind::stale    ? m_palette.staleText
                     : note.kind == SpanKind::frozen ? m_palette.frozenText
                                                     : m_palette.textMuted);
    m_theme.texts().draw(m_painter, note.rect, Qt::AlignLeft | Qt::AlignVCenter, note.text);
}

void TimelineBarPainter::drawOverlayLabelsBefore(const TimelinePicture& picture, const QRect& line)
{
    m_painter.setFont(picture.laneSmall);
    for (const TimelineOverlayLabel& note : picture.notes)
        if (note.rect.intersects(line)) {
            m_painter.fillRect(note.rect,
                               note.kind == SpanKind::frozen ? m_palette.frozenSoft : m_palette.card);
            drawOverlayLabel(note);
        }
}

void TimelineBarPainter::drawBehind(const TimelinePicture& picture)
{
    for (const TimelineBar& bar : picture.behind) {
        if (!picture.layout.compact())
            fillRounded(m_painter, bar.rect.adjusted(-1, -1, 1, 1), bar.rect.height() / 2.0, m_palette.card);
        fillRounded(m_painter, bar.rect, bar.rect.height() / 2.0, m_palette.waits);
    }
}

void TimelineBarPainter::drawOverlays(const TimelinePicture& picture)
{
    for (const TimelineBar& bar : picture.overlays) {
        const bool stale = bar.span.kind == SpanKind::stale;
        if (bar.span.kind == SpanKind::frozen) {
            // The state in which it froze shows through. The dashed edge repeats the meaning of the color.
            fillRounded(m_painter, bar.rect, kBarRadius, withAlpha(m_palette.frozenSoft, 205));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(m_palette.frozen, 1, Qt::DashLine));
            m_painter.drawRect(bar.rect.adjusted(0, 0, -1, -1));
            continue;
        }
        // Stale covers the hold below: green always means held.
        if (stale)
            fillRounded(m_painter, bar.rect, kBarRadius, m_palette.staleSoft);
        const QColor ink = stale ? m_palette.stale : m_palette.textMuted;
        hatch(bar.rect.intersected(picture.layout.plot), bar.rect.left(), withAlpha(ink, stale ? 255 : 130));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(withAlpha(ink, 150));
        m_painter.drawRect(bar.rect.adjusted(0, 0, -1, -1));
    }
}

void TimelineBarPainter::drawOverlayLabels(const TimelinePicture& picture)
{
    m_painter.setFont(picture.laneSmall);
    for (const TimelineOverlayLabel& note : picture.notes) {
        if (note.kind == SpanKind::suspended) // the bar of the wait would strike it through
            m_painter.fillRect(note.rect, m_palette.card);
        drawOverlayLabel(note);
    }
}

// Draws lines, not a pattern brush, which only some viewers of SVG files show. They start at a fixed place of
// the bar, so that they glide with it.
void TimelineBarPainter::hatch(const QRect& rect, int from, const QColor& colour)
{
    if (rect.isEmpty())
        return;
    m_painter.save();
    m_painter.setClipRect(rect, Qt::IntersectClip);
    m_painter.setPen(QPen(colour, 1));
    const int skipped = std::max(0, rect.left() - rect.height() - from) / kHatchPitch;
    for (int x = from + skipped * kHatchPitch; x < rect.right() + rect.height(); x += kHatchPitch)
        m_painter.drawLine(x, rect.top(), x - rect.height(), rect.bottom() + 1);
    m_painter.restore();
}

} // namespace lockscope::ui
