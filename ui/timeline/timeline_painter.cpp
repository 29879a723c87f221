#include "ui/timeline/timeline_painter.h"

#include "ui/canvas/arrows.h"
#include "ui/canvas/pill.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/timeline_annotations.h"
#include "ui/timeline/timeline_bar_painter.h"
#include "ui/timeline/timeline_holder_painter.h"

#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui {

namespace {

QColor herdColour(const Palette& palette) { return withAlpha(palette.stale, palette.dark ? 71 : 51); }

constexpr qreal kShortHead = 4; // pixels
constexpr qreal kHeadShare = 0.55;
constexpr int kCondensedAlpha = 120;
constexpr qreal kFaintFrom = 14; // pixels of an arrow in low lanes: longer ones cross others
constexpr Qt::Alignment kAlignLeft = Qt::AlignLeft | Qt::AlignVCenter;

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
    drawHolderGround(m_painter, m_palette, layout);
    drawGrid(picture);
    drawOutages(picture);
    drawGaps(picture);
    drawHerds(picture);
    drawHolders(m_painter, m_theme, picture, highlights.selectedEvent);
    m_painter.save();
    m_painter.setClipRect(layout.plot);
    // In low lanes a short hold is smaller than an arrow's head: there the arrows go beneath.
    if (layout.compact())
        drawArrows(picture, highlights.hoveredHandoff);
    TimelineBarPainter bars(m_painter, m_theme);
    bars.draw(picture, highlights.selectedEvent, cursorLine(picture, highlights));
    if (!layout.compact())
        drawArrows(picture, highlights.hoveredHandoff);
    drawPauses(picture);
    bars.drawOverlayLabels(picture);
    m_painter.restore();
    drawContention(picture);
    drawMarks(picture, cursorPill(picture, highlights));
    m_painter.setPen(m_palette.textMuted);
    for (const TimelineGround& pause : picture.pauses)
        m_texts.draw(m_painter, pause.label, kAlignLeft, TimelineText::paused());
    drawLabels(picture, highlights.selectedLane);
    drawTraces(picture);
    if (picture.legend)
        drawLegend(*picture.legend);
    drawCursor(picture, highlights);
}

void TimelinePainter::drawLegend(const TimelinePicture& legend)
{
    drawHerds(legend);
    TimelineBarPainter bars(m_painter, m_theme);
    bars.draw(legend, EventIndex::none(), {});
    drawPauses(legend);
    drawArrows(legend, {});
    drawMarks(legend, {});
    bars.drawOverlayLabels(legend);
}

void TimelinePainter::drawGrid(const TimelinePicture& picture)
{
    const TimelineLayout& layout = picture.layout;
    m_painter.setPen(m_palette.grid);
    for (const TimelineTick& tick : picture.ticks)
        m_painter.drawLine(tick.x, layout.columns().top(), tick.x, layout.plot.bottom());
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
            m_texts.draw(m_painter, tick.label, Qt::AlignCenter, tick.text);
    const TimelineUncertainty& uncertainty = picture.uncertainty;
    if (uncertainty.label.isEmpty())
        return;
    m_painter.setPen(m_palette.staleText);
    m_texts.draw(m_painter, uncertainty.label, kAlignLeft, uncertainty.text);
    if (const QRect& bracket = uncertainty.bracket; !bracket.isEmpty()) {
        m_painter.drawLine(bracket.left(), bracket.center().y(), bracket.right(), bracket.center().y());
        for (const int x : {bracket.left(), bracket.right()})
            m_painter.drawLine(x, bracket.top(), x, bracket.bottom());
    }
}

// A strip for the lanes of each trace of a merged run, with its name from bottom to top.
void TimelinePainter::drawTraces(const TimelinePicture& picture)
{
    const QFontMetrics metrics(m_fonts.small);
    m_painter.setFont(m_fonts.small);
    for (const TimelineTrace& each : picture.traces) {
        const QRect strip = each.strip.intersected(picture.layout.labels).adjusted(0, 1, -1, -1);
        m_painter.fillRect(strip, each.trace % 2 == 0 ? m_palette.panel : m_palette.selection);
        m_painter.setPen(m_palette.cardBorder);
        m_painter.drawRect(strip.adjusted(0, 0, -1, -1));
        const QString name = metrics.elidedText(each.name, Qt::ElideMiddle, strip.height() - 4);
        m_painter.save();
        m_painter.translate(strip.left(), strip.bottom() + 1);
        m_painter.rotate(-90);
        m_painter.setPen(m_palette.text);
        m_painter.drawText(QRect(0, 0, strip.height(), strip.width()), Qt::AlignCenter, name);
        m_painter.restore();
    }
}

// What is not known looks like the time in which the server does not answer.
void TimelinePainter::drawGaps(const TimelinePicture& picture)
{
    for (const TimelineGap& gap : picture.gaps) {
        m_painter.fillRect(gap.rect, withAlpha(m_palette.textFaint, 28));
        m_painter.fillRect(gap.rect, QBrush(withAlpha(m_palette.textFaint, 80), Qt::BDiagPattern));
    }
}

// Below the lanes; a line below the pinned lanes separates them from those that scroll.
void TimelinePainter::drawContention(const TimelinePicture& picture)
{
    const TimelineLayout& layout = picture.layout;
    if (layout.pinned > 0)
        m_painter.fillRect(
            QRect(0, layout.laneTop(layout.pinned - 1) + layout.laneHeight - 1, layout.plot.right() + 1, 2),
            m_palette.textFaint);
    if (layout.contention.isEmpty())
        return;
    m_painter.setPen(m_palette.cardBorder);
    m_painter.drawLine(layout.contention.topLeft(), layout.contention.topRight());
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.textMuted);
    m_texts.draw(m_painter, layout.contention.adjusted(TimelineLayout::kDotLeft, 0, 0, 0), kAlignLeft,
                 TimelineText::contention(picture.mostWaiting));
    m_painter.save();
    m_painter.setClipRect(layout.contention.adjusted(layout.plot.left(), 0, 0, 0));
    for (const QRect& step : picture.contention) {
        m_painter.fillRect(step, m_palette.waitsSoft);
        m_painter.fillRect(QRect(step.left(), step.top(), step.width(), 2), m_palette.waits);
    }
    m_painter.restore();
}

void TimelinePainter::drawOutages(const TimelinePicture& picture)
{
    m_painter.setFont(m_fonts.small);
    for (const TimelineGround& outage : picture.outages) {
        m_painter.fillRect(outage.ground, withAlpha(m_palette.textFaint, 28));
        m_painter.fillRect(outage.ground, QBrush(withAlpha(m_palette.textFaint, 80), Qt::BDiagPattern));
        m_painter.setPen(m_palette.staleText);
        m_texts.draw(m_painter, outage.label, Qt::AlignLeft | Qt::AlignVCenter, TimelineText::outage());
    }
}

// Before the bars, which seem to last through the pause: it makes them pale.
void TimelinePainter::drawPauses(const TimelinePicture& picture)
{
    for (const TimelineGround& pause : picture.pauses) {
        m_painter.fillRect(pause.ground, withAlpha(m_palette.card, 170));
        m_painter.fillRect(pause.ground, QBrush(withAlpha(m_palette.textFaint, 110), Qt::FDiagPattern));
    }
}

// The time after the end of the run is marked: it is not a time without waits.
void TimelinePainter::drawHerds(const TimelinePicture& picture)
{
    for (const QRect& herd : picture.herds)
        m_painter.fillRect(herd, herdColour(m_palette));
    if (picture.ended.isEmpty())
        return;
    m_painter.fillRect(picture.ended, m_palette.panel);
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.textMuted);
    if (const QString text = TimelineText::ended();
        m_texts.width(m_fonts.small, text) < picture.ended.width())
        m_texts.draw(m_painter, picture.ended, Qt::AlignCenter, text);
}

void TimelinePainter::drawArrows(const TimelinePicture& picture, std::optional<std::size_t> hovered)
{
    m_painter.setPen(withAlpha(m_palette.wake, kCondensedAlpha));
    for (const TimelineArrow& arrow : picture.condensed)
        m_painter.drawLine(arrow.from, arrow.to);
    for (const TimelineArrow& arrow : picture.arrows)
        if (hovered != arrow.handoff)
            drawArrow(arrow, picture.layout, false);
    for (const TimelineArrow& arrow : picture.arrows)
        if (hovered == arrow.handoff)
            drawArrow(arrow, picture.layout, true);
}

void TimelinePainter::drawArrow(const TimelineArrow& arrow, const TimelineLayout& layout, bool hovered)
{
    const bool compact = layout.compact();
    const qreal length = QLineF(arrow.from, arrow.to).length();
    // The shaft of a short arrow stays visible.
    const qreal most = std::max<qreal>(kShortHead, length * kHeadShare);
    const qreal head = arrow.head ? std::min<qreal>(compact ? 6 : 9 * layout.typeScale(), most) : 0;
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    QColor colour = m_palette.wake;
    if (compact && !hovered && length > kFaintFrom)
        colour.setAlpha(170);
    ui::drawArrow(m_painter, arrow.from, arrow.to,
                  QPen(colour, hovered   ? 3
                               : compact ? 1
                                         : 1.5 * layout.typeScale()),
                  {head, 0.48});
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelinePainter::drawMarks(const TimelinePicture& picture, const QRect& pill)
{
    const TimelineLayout& layout = picture.layout;
    m_painter.setFont(m_fonts.small);
    for (std::size_t i = 0; i < picture.marks.size(); ++i) {
        const TimelineMark& mark = picture.marks[i];
        if (mark.x >= layout.plot.left() && mark.x <= layout.plot.right()) {
            m_painter.setPen(QPen(m_palette.stale, 1, Qt::DashLine));
            const int top = mark.label.isEmpty() ? layout.columns().top() - 2 : layout.band.top() + 4;
            m_painter.drawLine(mark.x, top, mark.x, layout.plot.bottom());
        }
        const QRect label = markLabel(picture, i, pill);
        if (label.isEmpty())
            continue;
        m_painter.save();
        m_painter.setClipRect(layout.band);
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        m_painter.fillPath(flash(QPointF(label.left() - 10, label.center().y() - 5)), m_palette.stale);
        m_painter.setPen(m_palette.staleText);
        m_texts.draw(m_painter, label, kAlignLeft, mark.text);
        m_painter.restore();
    }
}

QRect TimelinePainter::cursorLine(const TimelinePicture& picture, const TimelineHighlights& highlights) const
{
    const TimelineLayout& layout = picture.layout;
    const int x = highlights.cursor ? picture.scale.pixelAt(*highlights.cursor) : layout.plot.left() - 1;
    // The view of a followed run lags its end by up to a pixel. A cursor one event before the end is shown
    // nevertheless.
    constexpr int kBehind = 2;
    if (x < layout.plot.left() || x > layout.plot.right() + kBehind)
        return {};
    return {std::min(x, layout.plot.right()), layout.band.top(), 2,
            layout.plot.bottom() - layout.band.top() + 1};
}

QRect TimelinePainter::cursorPill(const TimelinePicture& picture, const TimelineHighlights& highlights) const
{
    const QRect line = cursorLine(picture, highlights);
    if (line.isEmpty())
        return {};
    const TimelineLayout& layout = picture.layout;
    const QFontMetrics metrics(m_fonts.small);
    QRect pill(0, layout.band.top(), metrics.horizontalAdvance(highlights.cursorLabel) + 14,
               metrics.height() + 3);
    const int least = layout.plot.left() - 2; // the lane menu is before it
    pill.moveLeft(std::clamp(line.left() - pill.width() / 2, least,
                             std::max(least, layout.axis.right() - pill.width())));
    return pill;
}

void TimelinePainter::drawCursor(const TimelinePicture& picture, const TimelineHighlights& highlights)
{
    const QRect line = cursorLine(picture, highlights);
    if (line.isEmpty())
        return;
    const TimelineLayout& layout = picture.layout;
    const QRect pill = cursorPill(picture, highlights);
    m_painter.fillRect(line, m_palette.primary);
    m_painter.save();
    m_painter.setClipRect(layout.holders.intersected(layout.columns()));
    drawHoldersBefore(m_painter, m_theme, picture, line);
    m_painter.setClipRect(layout.plot);
    TimelineBarPainter(m_painter, m_theme).drawOverlayLabelsBefore(picture, line);
    m_painter.restore();
    m_painter.setPen(Qt::NoPen);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    drawPill(m_painter, pill, highlights.cursorLabel, m_fonts.small, m_palette.primary, m_palette.onPrimary,
             m_texts, 0);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

// The selected lane always has its name; names that overlap it are omitted.
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
    m_painter.setFont(picture.laneText);
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
        m_texts.draw(m_painter, own ? chosen : label.text, kAlignLeft, label.name);
    }
    m_painter.restore();
}

} // namespace lockscope::ui
