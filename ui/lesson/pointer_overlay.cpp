#include "ui/lesson/pointer_overlay.h"

#include "ui/models/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kInner = 4; // from the target
constexpr int kOuter = 9;
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
    const QRectF first(m_targets.front());
    const QPointF to(first.left() - kOuter, first.center().y());
    const double bend = std::max(20.0, (to.x() - m_from.x()) / 2);
    QPainterPath line(m_from);
    line.cubicTo(m_from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setPen(QPen(colour, 1.5));
    painter.drawPath(line);
}

} // namespace lockscope::ui
