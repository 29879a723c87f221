#include "ui/charts/plot_painter.h"

#include "ui/charts/plot_tones.h"

#include <cmath>

namespace lockscope::ui {

namespace {

constexpr double kPenRoom = 2; // a line on the edge of the area is as wide as elsewhere

void drawAxes(QPainter& painter, const PlotFrame& frame, const Look& look)
{
    const QRectF& area = frame.area();
    painter.setFont(look.fonts().small);
    for (const PlotLabel& label : frame.left()) {
        const double y = std::round(frame.yAt(label.value));
        painter.setPen(look.palette().grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(look.palette().textMuted);
        look.texts().draw(painter,
                          {0, y - frame.lineHeight() / 2, area.left() - PlotFrame::kTick, frame.lineHeight()},
                          Qt::AlignRight | Qt::AlignVCenter, label.text);
    }
    painter.setPen(look.palette().textFaint);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const PlotLabel& label : frame.below()) {
        const double x = std::round(frame.xAt(label.value));
        painter.setPen(look.palette().textFaint);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + PlotFrame::kTick));
        painter.setPen(look.palette().textMuted);
        const double half = look.texts().width(look.fonts().small, label.text) / 2 + 1;
        look.texts().draw(painter, {x - half, area.bottom() + PlotFrame::kTick, 2 * half, frame.lineHeight()},
                          Qt::AlignHCenter | Qt::AlignTop, label.text);
    }
}

QPolygonF outline(const PlotLayer& layer, const PlotFrame& frame)
{
    const bool area = layer.shape == PlotLayer::Shape::area;
    QPolygonF shape;
    shape.reserve(layer.points.size() + 2);
    for (const QPointF& point : layer.points)
        shape.append({frame.xAt(point.x()), frame.yAt(point.y())});
    if (area && !shape.isEmpty()) {
        shape.append({shape.last().x(), frame.area().bottom()});
        shape.append({shape.first().x(), frame.area().bottom()});
    }
    return shape;
}

void drawLayer(QPainter& painter, const PlotLayer& layer, const PlotFrame& frame, const Palette& palette)
{
    if (layer.shape == PlotLayer::Shape::area) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(toneColour(layer, palette));
        painter.drawPolygon(outline(layer, frame));
    } else {
        painter.setPen(tonePen(layer, palette));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(outline(layer, frame));
    }
}

} // namespace

void drawPlot(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Look& look)
{
    painter.save();
    drawAxes(painter, frame, look);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame.area().adjusted(0, -kPenRoom, 0, kPenRoom), Qt::IntersectClip);
    for (const PlotLayer& layer : plot.layers)
        drawLayer(painter, layer, frame, look.palette());
    painter.restore();
}

} // namespace lockscope::ui
