#include "ui/timeline/timeline_tool_painter.h"

#include "ui/texts/handoff_text.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kMargin = 8;       // inside a card
constexpr int kColumnGap = 14;   // between its columns
constexpr int kPartBarWidth = 4; // of the color beside each part
constexpr int kMinSpread = 40;   // pixels of an arrow's width from which its moments are marked on it

// Bounded to just outside the visible range.
int pixelOf(const TimeScale& scale, TraceTime at)
{
    return std::clamp(scale.pixelAt(at), scale.left - 1, scale.right() + 1);
}

} // namespace

QRect placeBeside(QPointF point, QSize card, const QRect& room, const QRect& kept)
{
    constexpr int kAside = 18, kApart = 4;
    const int right = static_cast<int>(point.x()) + kAside;
    const int left = static_cast<int>(point.x()) - kAside - card.width();
    const int middle = static_cast<int>(point.y()) - card.height() / 2;
    const auto within = [&](int x, int y) {
        return QPoint(std::max(room.left(), std::min(x, room.right() + 1 - card.width())),
                      std::max(room.top(), std::min(y, room.bottom() + 1 - card.height())));
    };
    const int x = right + card.width() <= room.right() + 1 ? right : left;
    const QRect usual(within(x, middle), card);
    // Other places: on the arrow's other side, above what is kept, below it, and beside it.
    const QPoint others[] = {
        within(x == right ? left : right, middle), within(x, kept.top() - kApart - card.height()),
        within(x, kept.bottom() + 1 + kApart), within(kept.left() - kApart - card.width(), middle),
        within(kept.right() + 1 + kApart, middle)};
    if (!usual.intersects(kept))
        return usual;
    for (const QPoint& corner : others)
        if (!QRect(corner, card).intersects(kept))
            return {corner, card};
    return usual;
}

// Draws a flag of 8 x 10 pixels with its foot at the moment.
void TimelineToolPainter::drawFlag(QPointF foot, bool isLeft)
{
    m_painter.fillRect(QRectF(foot.x(), foot.y() - 11, 1, 11), m_palette.accent);
    const QPointF mast = foot + QPointF(isLeft ? 0 : 1, 0);
    const QPointF cloth[] = {mast + QPointF(0, -11), mast + QPointF(isLeft ? -8 : 8, -8),
                             mast + QPointF(0, -5)};
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_palette.accent);
    m_painter.drawConvexPolygon(cloth, 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineToolPainter::drawFlags()
{
    const TimelineLayout& layout = m_picture.layout;
    m_painter.save();
    m_painter.setClipRect(QRect(layout.flags.left(), layout.flags.top(), layout.flags.width(),
                                layout.plot.bottom() - layout.flags.top() + 1));
    m_painter.setFont(m_fonts.small);
    for (const TimelineFlag& flag : m_picture.flags) {
        m_painter.setPen(QPen(withAlpha(m_palette.accent, 150), 1, Qt::DotLine));
        m_painter.drawLine(flag.x, layout.flags.bottom(), flag.x, layout.plot.bottom());
        drawFlag(QPointF(flag.x, layout.flags.bottom()), flag.isLeft);
        m_painter.setPen(m_palette.text);
        m_painter.drawText(flag.isLeft ? flag.rect.adjusted(0, 0, -12, 0) : flag.rect.adjusted(12, 0, 0, 0),
                           Qt::AlignVCenter | Qt::TextSingleLine |
                               (flag.isLeft ? Qt::AlignRight : Qt::AlignLeft),
                           flag.text);
    }
    m_painter.restore();
}

void TimelineToolPainter::drawMatches()
{
    const QRect& axis = m_picture.layout.axis;
    for (const int x : m_picture.matches)
        m_painter.fillRect(QRect(x - 1, axis.top(), 2, 5), m_palette.accent);
}

void TimelineToolPainter::drawFound(ClientId lane, TraceTime at)
{
    const int row = m_picture.rows->rowOf(lane);
    const TimelineLayout& layout = m_picture.layout;
    const QPointF centre(m_picture.scale.pixelAt(at),
                         row >= 0 ? layout.laneCentre(row) : layout.plot.top() + 6);
    m_painter.save();
    m_painter.setClipRect(layout.plot.adjusted(-8, -8, 8, 8));
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, width] : {std::pair(m_palette.card, 5.0), std::pair(m_palette.accent, 2.5)}) {
        m_painter.setPen(QPen(colour, width));
        m_painter.drawEllipse(centre, 7, 7);
    }
    m_painter.restore();
}

// The place of the label: as high as the lines for which the lanes have room.
QRect TimelineToolPainter::measureLabel(const MeasuredStretch& stretch, const QStringList& lines) const
{
    const QRect& plot = m_picture.layout.plot;
    const QFontMetrics metrics(m_fonts.small);
    const int line = metrics.lineSpacing();
    const auto fitting = std::clamp<qsizetype>((plot.height() - 14) / std::max(1, line), 1, lines.size());
    int width = 0;
    for (const QString& each : lines.first(fitting))
        width = std::max(width, metrics.horizontalAdvance(each));
    const int height = line * static_cast<int>(fitting) + 5;
    QRect label(0, plot.bottom() - height - 4, width + 16, height);
    const int middle = (pixelOf(m_picture.scale, stretch.from) + pixelOf(m_picture.scale, stretch.to)) / 2;
    label.moveLeft(std::clamp(middle - label.width() / 2, plot.left(),
                              std::max(plot.left(), plot.right() - label.width())));
    return label;
}

void TimelineToolPainter::drawMeasure(const MeasuredStretch& stretch, const QStringList& lines)
{
    const TimelineLayout& layout = m_picture.layout;
    const TimeScale& scale = m_picture.scale;
    const int x0 = pixelOf(scale, stretch.from), x1 = pixelOf(scale, stretch.to);
    m_painter.save();
    m_painter.setClipRect(QRect(QPoint(layout.plot.left(), layout.band.top()), layout.plot.bottomRight()));
    const QRect columns = layout.columns();
    m_painter.fillRect(QRect(x0, columns.top(), x1 - x0 + 1, columns.height()),
                       withAlpha(m_palette.accent, m_palette.dark ? 50 : 35));
    for (const int x : {x0, x1})
        m_painter.fillRect(QRect(x, columns.top(), 1, columns.height()), m_palette.accent);
    const QRect pill = measureLabel(stretch, lines);
    m_painter.fillRect(QRect(x0, pill.center().y(), x1 - x0, 1), m_palette.accent);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(m_palette.accent);
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    m_painter.setFont(m_fonts.small);
    m_painter.setPen(m_palette.text);
    const int line = QFontMetrics(m_fonts.small).lineSpacing();
    const QRect inside = pill.adjusted(8, 2, -8, -2);
    for (int i = 0; i < lines.size() && (i + 1) * line <= pill.height(); ++i)
        m_painter.drawText(QRect(inside.left(), inside.top() + i * line, inside.width(), line),
                           (lines.size() == 1 ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter |
                               Qt::TextSingleLine,
                           lines[i]);
    m_painter.restore();
}

// How far the end of an arrow may be wrong, as the bracket on the ruler shows it for all of them.
void TimelineToolPainter::drawWithin(QPointF end, TraceTime within)
{
    constexpr qreal kTall = 4;
    const qreal aside = static_cast<qreal>(within.count()) / m_picture.scale.nsPerPixel;
    if (aside < 2)
        return;
    m_painter.setPen(QPen(m_palette.staleText, 1.5));
    m_painter.drawLine(end - QPointF(aside, 0), end + QPointF(aside, 0));
    for (const qreal x : {end.x() - aside, end.x() + aside})
        m_painter.drawLine(QPointF(x, end.y() - kTall), QPointF(x, end.y() + kTall));
}

void TimelineToolPainter::drawHandoff(const TimelineArrow& arrow, const replay::Handoff& handoff,
                                      const TimelineFacts& facts, const QRect& kept)
{
    const std::vector<HandoffMoment> moments = TimelineText::moments(handoff);
    const std::vector<ClockBound> clocks = TimelineText::clockBounds(handoff, facts);
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    if (std::abs(arrow.to.x() - arrow.from.x()) >= kMinSpread)
        for (const HandoffMoment& moment : moments) {
            const qreal x = m_picture.scale.xAt(moment.at);
            const qreal share = std::clamp((x - arrow.from.x()) / (arrow.to.x() - arrow.from.x()), 0.0, 1.0);
            m_painter.setPen(QPen(m_palette.card, 1.5));
            m_painter.setBrush(m_palette.wake);
            m_painter.drawEllipse(arrow.from + (arrow.to - arrow.from) * share, 4, 4);
        }
    if (!clocks.empty()) {
        drawWithin(arrow.from, clocks[0].within);
        drawWithin(arrow.to, clocks[1].within);
    }
    const QFontMetrics small(m_fonts.small);
    const QFontMetrics text(m_fonts.text);
    const QString title =
        handoffTitle(handoff, facts.names->name(handoff.from), facts.names->name(handoff.to));
    int nameWidth = 0;
    int timeWidth = 0;
    for (const HandoffMoment& moment : moments) {
        nameWidth = std::max(nameWidth, small.horizontalAdvance(moment.name));
        timeWidth = std::max(timeWidth, small.horizontalAdvance(moment.time));
    }
    int columns = kPartBarWidth + 8 + nameWidth + kColumnGap + timeWidth;
    for (const ClockBound& clock : clocks)
        columns = std::max(columns, small.horizontalAdvance(clock.name) + kColumnGap +
                                        small.horizontalAdvance(clock.text));
    const int line = small.height() + 4;
    const TimelineLayout& layout = m_picture.layout;
    const QRect card = placeBeside(
        (arrow.from + arrow.to) / 2,
        {std::max(columns, text.horizontalAdvance(title)) + 2 * kMargin + 2,
         text.height() + 6 + line * static_cast<int>(moments.size() + clocks.size()) + 2 * kMargin},
        {QPoint(layout.labels.left(), layout.band.top()), layout.axis.bottomRight()}, kept);
    m_painter.setPen(m_palette.cardBorder);
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    const QRect inside = card.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    m_painter.setFont(m_fonts.text);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, title);
    m_painter.setFont(m_fonts.small);
    int y = inside.top() + text.height() + 6;
    for (std::size_t i = 0; i < moments.size(); ++i, y += line) {
        const QRect row(inside.left(), y, inside.width(), line);
        m_painter.fillRect(QRect(row.left(), row.top() + (i == 0 ? line / 2 : 0), kPartBarWidth,
                                 i == 0 || i + 1 == moments.size() ? line - line / 2 : line),
                           withAlpha(m_palette.wake, 110));
        m_painter.fillRect(QRect(row.left(), row.center().y() - 1, kPartBarWidth + 3, 3), m_palette.wake);
        m_painter.setPen(m_palette.textMuted);
        m_painter.drawText(row.adjusted(kPartBarWidth + 8, 0, 0, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                           moments[i].name);
        m_painter.setPen(m_palette.text);
        m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, moments[i].time);
    }
    m_painter.setPen(m_palette.staleText);
    for (const ClockBound& clock : clocks) {
        const QRect row(inside.left(), y, inside.width(), line);
        m_painter.drawText(row, Qt::AlignVCenter | Qt::TextSingleLine, clock.name);
        m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, clock.text);
        y += line;
    }
    m_painter.restore();
}

void TimelineToolPainter::drawOnStrip(const OverviewStrip& strip, const std::vector<Bookmark>& notes,
                                      const EventSearch& search)
{
    const QRect& rect = m_picture.layout.overview;
    if (rect.isEmpty())
        return;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    if (search.active())
        for (std::size_t i = 0; i < search.count();) {
            const int x = strip.xAt(rect, search.timeOf(i));
            m_painter.fillRect(QRect(x, rect.bottom() - 3, 2, 4), m_palette.accent);
            i = std::max(i + 1, search.firstAt(strip.timeAt(rect, x + 2)));
        }
    for (const Bookmark& note : notes) {
        const int x = std::min(strip.xAt(rect, note.at), rect.right());
        drawFlag(QPointF(x, rect.top() + 14), x + 9 > rect.right());
    }
}

} // namespace lockscope::ui
