#include "ui/charts/axes_painter.h"

#include <cmath>

namespace lockscope::ui {

void drawAxes(QPainter& painter, const PlotFrame& frame, const Theme& theme)
{
    const QRectF& area = frame.area();
    painter.setFont(theme.fonts().small);
    for (const PlotLabel& label : frame.left()) {
        const double y = std::round(frame.yAt(label.value));
        painter.setPen(theme.palette().grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.palette().textMuted);
        theme.texts().draw(painter, label.box, Qt::AlignRight | Qt::AlignVCenter, label.text);
    }
    painter.setPen(theme.palette().textFaint);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const PlotLabel& label : frame.below()) {
        const double x = std::round(frame.xAt(label.value));
        painter.setPen(theme.palette().textFaint);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + PlotFrame::kTick));
        painter.setPen(theme.palette().textMuted);
        theme.texts().draw(painter, label.box, Qt::AlignHCenter | Qt::AlignTop, label.text);
    }
}

} // namespace lockscope::ui
