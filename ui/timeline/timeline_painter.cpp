#include "ui/timeline/timeline_painter.h"

#include "ui/timeline/timeline_text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr int kRoundFrom = 6; // bars at least this wide and tall get round corners
constexpr qreal kRadius = 4;
constexpr int kHatchPitch = 7;

QColor withAlpha(QColor colour, int alpha)
{
    colour.setAlpha(alpha);
    return colour;
}

// A flash of 8 x 11 pixels whose top left corner is here.
QPainterPath flash(QPointF at)
{
    QPainterPath path;
    path.moveTo(at + QPointF(4.6, 0));
    for (const QPointF& corner : {QPointF(0.6, 6.2), QPointF(3.4, 6.2), QPointF(2.4, 11), QPointF(7.4, 4.4),
                                  QPointF(4.4, 4.4), QPointF(6.4, 0)})
        path.lineTo(at + corner);
    path.closeSubpath();
    return path;
}

} // namespace

void TimelinePainter::draw(const TimelinePicture& picture, const TimelineHighlights& highlights)
{
    const TimelineLayout& layout = picture.layout;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    if (const int row = picture.rows->rowOf(highlights.selectedLane); row >= 0) {
        const QRect lane = layout.laneRect(row);
        m_painter.fillRect(lane.intersected(layout.labels.united(layout.plot)), m_palette.selection);
    }
    drawGrid(picture);
    m_painter.save();
    m_painter.setClipRect(layout.plot);
    // In low lanes a short hold is smaller than an arrow's head: there the arrows go beneath.
    if (layout.compact())
        drawArrows(picture, highlights.hoveredHandoff);
    drawBars(picture, highlights.selectedEvent);
    drawDepths(picture);
    drawBehind(picture);
    drawOverlays(picture);
    if (!layout.compact())
        drawArrows(picture, highlights.hoveredHandoff);
    m_painter.restore();
    drawMarks(picture, cursorPill(picture, highlights));
    drawLabels(picture, highlights.selectedLane);
    drawCursor(picture, highlights);
}

void TimelinePainter::fillRounded(const QRectF& rect, qreal radius, const QBrush& brush)
{
    if (rect.width() < kRoundFrom || rect.height() < kRoundFrom) {
        m_painter.fillRect(rect, brush);
        return;
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(brush);
    const qreal fitting = std::min(radius, rect.width() / 4); // a narrow bar stays a bar
    m_painter.drawRoundedRect(rect, fitting, fitting);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

// Lines and not a pattern brush, which an SVG file shows only in some viewers. They start at a fixed place of
// the bar, so that they glide with it.
void TimelinePainter::hatch(const QRect& rect, int from, const QColor& colour)
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

void TimelinePainter::drawGrid(const TimelinePicture& picture)
{
    const TimelineLayout& layout = picture.layout;
    m_painter.setPen(m_palette.grid);
    for (const TimelineTick& tick : picture.ticks)
        m_painter.drawLine(tick.x, layout.plot.top(), tick.x, layout.plot.bottom());
    if (!layout.compact())
        for (int lane = layout.firstVisibleLane(); lane <= layout.lastVisibleLane(); ++lane) {
            const int y = layout.laneTop(lane) + layout.laneHeight - 1;
            if (y <= layout.plot.bottom())
                m_painter.drawLine(layout.labels.left(), y, layout.plot.right(), y);
        }
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.textFaint);
    for (const TimelineTick& tick : picture.ticks)
        if (!tick.label.isEmpty())
            m_painter.drawText(tick.label, Qt::AlignCenter | Qt::TextSingleLine, tick.text);
}

void TimelinePainter::drawBars(const TimelinePicture& picture, EventIndex selected)
{
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::waiting)
            fillRounded(bar.rect, bar.rect.height() / 2.0, m_palette.waitsSoft);
    const qreal radius = picture.layout.compact() ? 2 : kRadius;
    for (const TimelineBar& bar : picture.bars)
        if (bar.span.kind == SpanKind::holding)
            fillRounded(bar.rect, radius, m_palette.holds);
    // Between two holds of a client lies a wait: where they share their pixels, it shows through.
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

void TimelinePainter::drawDepths(const TimelinePicture& picture)
{
    for (const TimelineDepth& bar : picture.depths)
        fillRounded(bar.rect, kRadius - 1, m_palette.holdsSoft);
    QFont bold = m_fonts.small;
    bold.setWeight(QFont::DemiBold);
    m_painter.setFont(bold);
    m_painter.setPen(m_palette.onHolds);
    for (const TimelineDepth& bar : picture.depths)
        if (!bar.label.isEmpty())
            m_painter.drawText(bar.label, Qt::AlignCenter | Qt::TextSingleLine,
                               TimelineText::depth(bar.said));
}

void TimelinePainter::drawBehind(const TimelinePicture& picture)
{
    for (const TimelineBar& bar : picture.behind) {
        if (!picture.layout.compact())
            fillRounded(bar.rect.adjusted(-1, -1, 1, 1), bar.rect.height() / 2.0, m_palette.card);
        fillRounded(bar.rect, bar.rect.height() / 2.0, m_palette.waits);
    }
}

void TimelinePainter::drawOverlays(const TimelinePicture& picture)
{
    for (const TimelineBar& bar : picture.overlays) {
        const bool stale = bar.span.kind == SpanKind::stale;
        if (bar.span.kind == SpanKind::frozen) {
            // What it froze in shines through; the dashed edge says it without the colour.
            fillRounded(bar.rect, kRadius, withAlpha(m_palette.frozenSoft, 205));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(m_palette.frozen, 1, Qt::DashLine));
            m_painter.drawRect(bar.rect.adjusted(0, 0, -1, -1));
            continue;
        }
        // Stale covers the belief beneath it: what is drawn green is held.
        if (stale)
            fillRounded(bar.rect, kRadius, m_palette.staleSoft);
        const QColor ink = stale ? m_palette.stale : m_palette.textMuted;
        hatch(bar.rect.intersected(picture.layout.plot), bar.rect.left(), withAlpha(ink, stale ? 255 : 130));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(withAlpha(ink, 150));
        m_painter.drawRect(bar.rect.adjusted(0, 0, -1, -1));
    }
    m_painter.setFont(m_fonts.small);
    for (const TimelineNote& note : picture.notes) {
        m_painter.setPen(note.kind == SpanKind::stale    ? m_palette.staleText
                         : note.kind == SpanKind::frozen ? m_palette.frozenText
                                                         : m_palette.textMuted);
        m_painter.drawText(note.rect, Qt::AlignVCenter | Qt::TextSingleLine, note.text);
    }
}

void TimelinePainter::drawArrows(const TimelinePicture& picture, std::optional<std::size_t> hovered)
{
    for (const TimelineArrow& arrow : picture.arrows)
        if (hovered != arrow.handoff)
            drawArrow(arrow, picture.layout.compact(), false);
    for (const TimelineArrow& arrow : picture.arrows)
        if (hovered == arrow.handoff)
            drawArrow(arrow, picture.layout.compact(), true);
}

void TimelinePainter::drawArrow(const TimelineArrow& arrow, bool compact, bool hovered)
{
    const QPointF along = arrow.to - arrow.from;
    const qreal length = std::hypot(along.x(), along.y());
    if (length < 1)
        return;
    const QPointF unit = along / length;
    const qreal head = std::min<qreal>(compact ? 6 : 9, length);
    const QPointF base = arrow.to - unit * head;
    const QPointF side = QPointF(-unit.y(), unit.x()) * head * 0.48;
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    const QColor colour = compact && !hovered ? withAlpha(m_palette.wake, 170) : m_palette.wake;
    m_painter.setPen(QPen(colour, hovered ? 3 : compact ? 1 : 1.5));
    m_painter.drawLine(arrow.from, base);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    const QPointF corners[] = {arrow.to, base + side, base - side};
    m_painter.drawConvexPolygon(corners, 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelinePainter::drawMarks(const TimelinePicture& picture, const QRect& pill)
{
    const TimelineLayout& layout = picture.layout;
    m_painter.setFont(m_fonts.small);
    for (const TimelineMark& mark : picture.marks) {
        if (mark.x >= layout.plot.left() && mark.x <= layout.plot.right()) {
            m_painter.setPen(QPen(m_palette.stale, 1, Qt::DashLine));
            const int top = mark.label.isEmpty() ? layout.plot.top() - 2 : layout.band.top() + 4;
            m_painter.drawLine(mark.x, top, mark.x, layout.plot.bottom());
        }
        // Nothing is written where the cursor's label is.
        if (mark.label.isEmpty() || mark.label.adjusted(-12, 0, 0, 0).intersects(pill))
            continue;
        m_painter.save();
        m_painter.setClipRect(layout.band);
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        const bool before =
            mark.label.right() < mark.x; // the words go before the line, the flash stays beside it
        const int flashX = before ? mark.label.left() - 10 : mark.x + 4;
        m_painter.fillPath(flash(QPointF(flashX, mark.label.center().y() - 5)), m_palette.stale);
        m_painter.setPen(m_palette.staleText);
        m_painter.drawText(mark.label, Qt::AlignVCenter | Qt::TextSingleLine, mark.text);
        m_painter.restore();
    }
}

QRect TimelinePainter::cursorPill(const TimelinePicture& picture, const TimelineHighlights& highlights) const
{
    if (!highlights.cursor)
        return {};
    const TimelineLayout& layout = picture.layout;
    const int x = picture.scale.pixelAt(*highlights.cursor);
    if (x < layout.plot.left() || x > layout.plot.right())
        return {};
    const QFontMetrics metrics(m_fonts.small);
    QRect pill(0, layout.band.top(), metrics.horizontalAdvance(highlights.cursorLabel) + 14,
               metrics.height() + 3);
    pill.moveLeft(std::clamp(x - pill.width() / 2, layout.labels.left(),
                             std::max(layout.labels.left(), layout.axis.right() - pill.width())));
    return pill;
}

void TimelinePainter::drawCursor(const TimelinePicture& picture, const TimelineHighlights& highlights)
{
    const QRect pill = cursorPill(picture, highlights);
    if (pill.isEmpty())
        return;
    const TimelineLayout& layout = picture.layout;
    const int x = picture.scale.pixelAt(*highlights.cursor);
    m_painter.fillRect(QRect(x, layout.band.top(), 2, layout.plot.bottom() - layout.band.top() + 1),
                       m_palette.primary);
    fillRounded(pill, kRadius, m_palette.primary);
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.onPrimary);
    m_painter.drawText(pill, Qt::AlignCenter | Qt::TextSingleLine, highlights.cursorLabel);
}

// The selected lane is always named: a name in its way gives way.
void TimelinePainter::drawLabels(const TimelinePicture& picture, ClientId selected)
{
    m_painter.save();
    m_painter.setClipRect(picture.layout.labels.adjusted(0, -TimelineLayout::kNameOverhang, 0, 2));
    m_painter.setPen(Qt::NoPen);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    for (const TimelineLaneLabel& label : picture.labels) {
        if (label.dot.isEmpty())
            continue;
        m_painter.setBrush(m_palette.client(label.colour));
        m_painter.drawEllipse(label.dot);
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setFont(m_fonts.text);
    QRect chosen;
    if (selected.valid())
        for (const TimelineLaneLabel& label : picture.labels)
            if (label.lane == selected)
                chosen = label.chosen;
    for (const TimelineLaneLabel& label : picture.labels) {
        const bool own = selected.valid() && label.lane == selected;
        if (!own && (label.text.isEmpty() || label.text.adjusted(0, 2, 0, -2).intersects(chosen)))
            continue;
        m_painter.setPen(label.lane.valid() ? m_palette.text : m_palette.textMuted);
        m_painter.drawText(own ? chosen : label.text, Qt::AlignVCenter | Qt::TextSingleLine, label.name);
    }
    m_painter.restore();
}

} // namespace lockscope::ui
