#include "ui/tables/drawing.h"

#include "ui/canvas/canvas.h"
#include "ui/canvas/pill.h"

#include <QFontMetrics>
#include <QLinearGradient>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui::drawing {

namespace {

constexpr int kPillPadding = 12;
constexpr int kDefaultPillWidth = 104; // the pills of a column have one width when their texts fit
constexpr int kBar = 3;
constexpr int kGone = 3; // pixels at an edge in which a cut row is faded out completely

qreal digitWidth(const QFontMetricsF& metrics)
{
    qreal widest = 0;
    for (char16_t digit = u'0'; digit <= u'9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QChar(digit)));
    return widest;
}

QPolygonF octagon(QPointF centre, qreal radius)
{
    QPolygonF shape;
    for (int corner = 0; corner < 8; ++corner) {
        const qreal angle = (corner + 0.5) * std::numbers::pi / 4;
        shape << centre + QPointF(std::cos(angle), std::sin(angle)) * radius * 1.06;
    }
    return shape;
}

} // namespace

void drawRowBackground(QPainter& painter, const QRect& row, bool selected, bool first, const Palette& palette)
{
    if (!selected)
        return;
    painter.fillRect(row, palette.selection);
    if (first)
        painter.fillRect(QRect(row.left(), row.top(), kBar, row.height()), palette.accent);
}

void drawDot(QPainter& painter, QPointF centre, qreal radius, const QColor& colour)
{
    const QPen pen = painter.pen();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(centre, radius, radius);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
}

int tabularWidth(const QFontMetricsF& metrics, const QString& text)
{
    const qreal digit = digitWidth(metrics);
    qreal width = 0;
    for (const QChar c : text)
        width += c.isDigit() ? digit : metrics.horizontalAdvance(c);
    return static_cast<int>(std::ceil(width));
}

void drawTabularDigits(QPainter& painter, const QRect& box, const QString& text, const Theme& theme)
{
    const QFontMetricsF metrics(painter.font(), painter.device());
    if (tabularWidth(metrics, text) > box.width()) {
        theme.texts().draw(painter, box, Qt::AlignRight | Qt::AlignVCenter, text);
        return;
    }
    const qreal digit = digitWidth(metrics);
    qreal x = box.left() + box.width();
    for (qsizetype i = text.size(); i-- > 0;) {
        const QChar c = text.at(i);
        const qreal own = metrics.horizontalAdvance(c);
        const qreal cell = c.isDigit() ? digit : own;
        theme.texts().draw(painter, QRectF(x - cell + (cell - own) / 2, box.top(), own, box.height()),
                           Qt::AlignLeft | Qt::AlignVCenter, QString(c));
        x -= cell;
    }
}

int pillWidth(const QString& text, const Theme& theme)
{
    return std::max(kDefaultPillWidth,
                    static_cast<int>(theme.texts().width(pillFont(theme.fonts()), text) + 0.5) +
                        2 * kPillPadding);
}

void drawPill(QPainter& painter, const QRect& room, const QString& text, Tone tone, bool selected,
              const Theme& theme)
{
    const Palette& palette = theme.palette();
    const int width = std::min(pillWidth(text, theme), room.width());
    const QFont font = pillFont(theme.fonts());
    const int height = pillHeight(font);
    const QRect box(room.right() + 1 - width, room.top() + (room.height() - height) / 2, width, height);
    painter.setPen(Qt::NoPen);
    // In the light theme a pill is hardly darker than a selected row.
    const QColor ground = tone == Tone::stale ? palette.staleSoft : selected ? palette.card : palette.pill;
    ui::drawPill(painter, box, text, font, ground,
                 tone == Tone::faint ? palette.textMuted : textColour(palette, tone), theme.texts(), 6);
}

void drawStatusIcon(QPainter& painter, QPointF centre, qreal radius, StatusIcon icon, const Palette& palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    switch (icon) {
    case StatusIcon::kept: {
        painter.setBrush(palette.holds);
        painter.drawEllipse(centre, radius, radius);
        QPainterPath check(centre + QPointF(-0.38, 0.02) * radius);
        check.lineTo(centre + QPointF(-0.1, 0.3) * radius);
        check.lineTo(centre + QPointF(0.4, -0.26) * radius);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette.card, radius * 0.22, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(check);
        break;
    }
    case StatusIcon::disputed:
    case StatusIcon::violated: {
        const bool full = icon == StatusIcon::violated;
        painter.setBrush(full ? QBrush(palette.stale) : Qt::NoBrush);
        const QColor colour = full ? palette.stale : palette.waits;
        painter.setPen(full ? QPen(Qt::NoPen) : QPen(colour, radius * 0.18));
        painter.drawPolygon(octagon(centre, full ? radius : radius * 0.88));
        painter.setBrush(full ? palette.card : colour);
        painter.setPen(Qt::NoPen);
        painter.drawRoundedRect(
            QRectF(centre.x() - radius * 0.12, centre.y() - radius * 0.52, radius * 0.24, radius * 0.62),
            radius * 0.1, radius * 0.1);
        painter.drawEllipse(centre + QPointF(0, radius * 0.42), radius * 0.15, radius * 0.15);
        break;
    }
    case StatusIcon::open:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette.textFaint, radius * 0.18));
        painter.drawEllipse(centre, radius * 0.88, radius * 0.88);
        painter.drawLine(centre - QPointF(radius * 0.35, 0), centre + QPointF(radius * 0.35, 0));
        break;
    }
    painter.restore();
}

void makeOpaque(QAbstractItemView& view)
{
    view.viewport()->setAutoFillBackground(false); // otherwise a style sheet clears the attribute
    view.viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    // Scrolling copies pixels, and would copy the faded rows too.
    QObject::connect(view.verticalScrollBar(), &QScrollBar::valueChanged, view.viewport(),
                     qOverload<>(&QWidget::update));
}

void fadeCutRows(QAbstractItemView& view, const Theme& theme)
{
    const QRect room = view.viewport()->rect();
    QPainter painter(view.viewport());
    const auto fade = [&](int from, int edge) {
        QColor ground = theme.palette().card;
        const int end = from < edge ? std::max(from + 1, edge - kGone) : std::min(from - 1, edge + kGone);
        QLinearGradient gradient(0, from, 0, end);
        gradient.setColorAt(1, ground);
        ground.setAlphaF(0.75);
        gradient.setColorAt(0.5, ground);
        ground.setAlphaF(0);
        gradient.setColorAt(0, ground);
        painter.fillRect(QRect(0, std::min(from, edge), room.width(), std::abs(edge - from)), gradient);
    };
    const QRect last = view.visualRect(view.indexAt({1, room.bottom()}));
    if (last.isValid() && last.bottom() > room.bottom() && last.top() > room.top())
        fade(last.top(), room.bottom() + 1);
    const QRect first = view.visualRect(view.indexAt({1, 0}));
    if (first.isValid() && first.top() < 0 && first.bottom() < room.bottom())
        fade(first.bottom() + 1, 0);
}

void drawBackground(QAbstractItemView& view, const QRegion& region, const Theme& theme)
{
    QPainter painter(view.viewport());
    for (const QRect& rect : region)
        painter.fillRect(rect, theme.palette().card);
}

void drawEmptyText(QAbstractItemView& view, const QString& text, const Theme& theme)
{
    QPainter painter(view.viewport());
    drawEmptyState(painter, view.viewport()->rect(), text, theme);
}

} // namespace lockscope::ui::drawing
