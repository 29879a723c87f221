#include "ui/charts/axes_painter.h"

#include <cmath>

namespace lockscope::ui {

void drawAxes(QPainter& painter, const PlotFrame& frame, const Look& look)
{
    const QRectF& area = frame.area();
    painter.setFont(look.fonts().small);
    for (const PlotLabel& label : frame.left()) {
        const double y = std::round(frame.yAt(label.value));
        painter.setPen(look.palette().grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(look.palette().textMuted);
        look.texts().draw(painter, label.box, Qt::AlignRight | Qt::AlignVCenter, label.text);
    }
    painter.setPen(look.palette().textFaint);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const PlotLabel& label : frame.below()) {
        const double x = std::round(frame.xAt(label.value));
        painter.setPen(look.palette().textFaint);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + PlotFrame::kTick));
        painter.setPen(look.palette().textMuted);
        look.texts().draw(painter, label.box, Qt::AlignHCenter | Qt::AlignTop, label.text);
    }
}

} // namespace lockscope::ui
