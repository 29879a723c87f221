#include "ui/lesson/pointer_overlay.h"

#include "ui/models/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr int kInner = 3;     // between the target and its inner halo
constexpr int kOuter = 6;     // to the outer halo, which is next to the word at an arrow between two cards
constexpr int kNear = 70;     // to a target from the panel, if nothing is in front of it
constexpr int kPanelGap = 10; // between the panel and the cards
constexpr int kAbove = 14;    // from the outer halo to the line above it
constexpr int kCorner = 6;
} // namespace

PointerOverlay::PointerOverlay(const Theme* theme, QWidget* window)
    : QWidget(window)
    , m_theme(theme)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void PointerOverlay::point(QPoint from, const QList<QRect>& targets)
{
    const QRect all = parentWidget()->rect();
    if (from == m_from && targets == m_targets && geometry() == all && isHidden() == targets.isEmpty())
        return;
    m_from = from;
    m_targets = targets;
    setGeometry(all);
    setVisible(!targets.isEmpty());
    raise();
    update();
}

void PointerOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QColor colour = m_theme->palette().accent;
    for (const QRect& target : m_targets) {
        const QRectF place(target);
        painter.setPen(QPen(colour, 2));
        painter.drawRoundedRect(place.adjusted(-kInner, -kInner, kInner, kInner), 8, 8);
        painter.setPen(QPen(withAlpha(colour, 110), 1));
        painter.drawRoundedRect(place.adjusted(-kOuter, -kOuter, kOuter, kOuter), 12, 12);
    }
    if (m_targets.isEmpty())
        return;
    painter.setPen(QPen(colour, 1.5));
    painter.drawPath(line(m_from, m_targets.front()));
}

// Leads to the side of a near target, and to the top of one that others are in front of: through the gap
// beside the panel and above the row, so that it crosses no text.
QPainterPath PointerOverlay::line(QPoint start, const QRect& rect)
{
    const QPointF from(start);
    const QRectF target(rect);
    const double side = target.center().x() < from.x() ? -1 : 1;
    const QPointF beside(side > 0 ? target.left() - kOuter : target.right() + kOuter, target.center().y());
    QPainterPath path(from);
    if (side * (beside.x() - from.x()) < kNear) {
        const QPointF bend(side * std::max(20.0, side * (beside.x() - from.x()) / 2), 0);
        path.cubicTo(from + bend, beside - bend, beside);
        return path;
    }
    const double gap = from.x() + side * kPanelGap;
    const double above = target.top() - kOuter - kAbove;
    const double distance = above - from.y();
    const double down = std::abs(distance) < 2 * kCorner ? 0
                        : distance < 0                   ? -kCorner
                                                         : kCorner; // toward the row
    path.lineTo(gap - side * kCorner, from.y());
    path.quadTo(gap, from.y(), gap, from.y() + down);
    path.lineTo(gap, above - down);
    path.quadTo(gap, above, gap + side * kCorner, above);
    path.lineTo(target.center().x() - side * kCorner, above);
    path.quadTo(target.center().x(), above, target.center().x(), above + kCorner);
    path.lineTo(target.center().x(), target.top() - kOuter);
    return path;
}

} // namespace lockscope::ui

#include "moc_pointer_overlay.cpp"
