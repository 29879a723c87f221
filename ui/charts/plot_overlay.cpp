#include "ui/charts/plot_overlay.h"

#include <QFontMetricsF>

#include <algorithm>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr qreal kSwatch = 16;
constexpr qreal kGap = 5;
constexpr qreal kBetween = 14;
constexpr qreal kBeyond = 4;  // half the width of the arrow head on a column that is cut
constexpr int kVeil = 150;    // of 255
constexpr int kAboveAxes = 9; // the highest label reaches over the axes' end

class Overlay
{
public:
    Overlay(QPainter& painter, const Plot& plot, const QRectF& area, const Look& look)
        : m_painter(painter)
        , m_plot(plot)
        , m_area(area)
        , m_look(look)
        , m_metrics(look.fonts().small)
    {
        m_painter.setFont(look.fonts().small);
    }
    void draw();

private:
    qreal xAt(double value) const
    {
        const PlotAxis& axis = m_plot.x;
        return m_area.left() + (value - axis.from) / (axis.to - axis.from) * m_area.width();
    }
    qreal yAt(double value) const
    {
        const PlotAxis& axis = m_plot.y;
        return m_area.bottom() - (value - axis.from) / (axis.to - axis.from) * m_area.height();
    }
    qreal drawKeys(qreal baseline);
    void drawRules();
    void drawNames();
    void drawBeyond();
    void drawCursor();

    QPainter& m_painter;
    const Plot& m_plot;
    QRectF m_area;
    const Look& m_look;
    QFontMetricsF m_metrics;
};

void Overlay::draw()
{
    drawRules();
    drawNames();
    drawBeyond();
    drawCursor();
    const qreal baseline = m_area.top() - m_metrics.descent() - kAboveAxes;
    const qreal keys = drawKeys(baseline);
    const qreal left = 8;
    m_painter.setPen(m_look.palette().textMuted);
    m_painter.drawText(QPointF(left, baseline),
                       m_metrics.elidedText(m_plot.measure, Qt::ElideRight, keys - left - kBetween));
}

// From the right; those that do not fit beside the measure are left out. Returns where they begin.
qreal Overlay::drawKeys(qreal baseline)
{
    const qreal measure = m_metrics.horizontalAdvance(m_plot.measure) + 2 * kBetween;
    qreal right = m_area.right();
    for (const PlotLayer& layer : m_plot.layers) {
        if (layer.key.isEmpty())
            continue;
        const qreal width = kSwatch + kGap + m_metrics.horizontalAdvance(layer.key);
        if (right - width < measure)
            break;
        const qreal left = right - width;
        const qreal middle = baseline - m_metrics.xHeight() / 2;
        if (layer.shape == PlotLayer::Shape::line) {
            m_painter.setPen(tonePen(layer, m_look.palette()));
            m_painter.drawLine(QPointF(left, middle), QPointF(left + kSwatch, middle));
        } else {
            m_painter.fillRect(QRectF(left, middle - 4, kSwatch, 8), toneColour(layer, m_look.palette()));
        }
        m_painter.setPen(m_look.palette().textMuted);
        m_painter.drawText(QPointF(left + kSwatch + kGap, baseline), layer.key);
        right = left - kBetween;
    }
    return right;
}

void Overlay::drawRules()
{
    for (const PlotRule& rule : m_plot.rules) {
        const qreal y = yAt(rule.at);
        if (y < m_area.top() || y > m_area.bottom())
            continue;
        m_painter.setPen(QPen(m_look.palette().text, 1, Qt::DashLine));
        m_painter.drawLine(QPointF(m_area.left(), y), QPointF(m_area.right(), y));
        if (rule.text.isEmpty())
            continue;
        const QRectF box(m_area.right() - m_metrics.horizontalAdvance(rule.text) - 10,
                         std::max(m_area.top(), y - m_metrics.height() - 4),
                         m_metrics.horizontalAdvance(rule.text) + 8, m_metrics.height() + 2);
        QColor ground = m_look.palette().card;
        ground.setAlpha(210);
        m_painter.fillRect(box, ground);
        m_painter.setPen(m_look.palette().text);
        m_painter.drawText(box, Qt::AlignCenter, rule.text);
    }
}

// A column that is cut is open at its top: a gap across it, an arrow head above, and its value beside it as
// far as there is room, the highest first.
void Overlay::drawBeyond()
{
    std::vector<QRectF> taken;
    for (const PlotBeyond& column : m_plot.beyond) {
        const QPointF top(xAt(column.at), m_area.top());
        m_painter.setPen(QPen(m_look.palette().card, 2));
        m_painter.drawLine(top + QPointF(-kBeyond, 8), top + QPointF(kBeyond, 4));
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_look.palette().text);
        m_painter.drawPolygon(
            QPolygonF{top + QPointF(-kBeyond, 0), top + QPointF(kBeyond, 0), top - QPointF(0, 6)});
        QRectF box(top.x() + kBeyond + 2, top.y() + 1, m_metrics.horizontalAdvance(column.text) + 4,
                   m_metrics.height());
        if (box.right() > m_area.right())
            box.moveRight(top.x() - kBeyond - 2);
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const QRectF& other) { return box.intersects(other); }))
            continue;
        taken.push_back(box);
        QColor ground = m_look.palette().card;
        ground.setAlpha(210);
        m_painter.fillRect(box, ground);
        m_painter.setPen(m_look.palette().text);
        m_painter.drawText(box, Qt::AlignCenter, column.text);
    }
    m_painter.setBrush(Qt::NoBrush);
}

void Overlay::drawNames()
{
    m_painter.setPen(m_look.palette().textMuted);
    for (const PlotName& name : m_plot.names) {
        const qreal width = xAt(name.width) - xAt(0) - 4;
        const QRectF box(xAt(name.at) - width / 2, m_area.bottom() + 4, width, m_metrics.height());
        m_painter.drawText(box, Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine,
                           m_metrics.elidedText(name.text, Qt::ElideRight, width));
    }
}

void Overlay::drawCursor()
{
    if (!m_plot.cursor)
        return;
    const qreal x = std::clamp(xAt(*m_plot.cursor), m_area.left(), m_area.right());
    QColor veil = m_look.palette().card;
    veil.setAlpha(kVeil);
    m_painter.fillRect(QRectF(QPointF(x, m_area.top()), m_area.bottomRight()), veil);
    m_painter.setPen(QPen(m_look.palette().text, 1.5));
    m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
}

} // namespace

QColor toneColour(const PlotLayer& layer, const Palette& palette)
{
    switch (layer.tone) {
    case PlotTone::plain:
        return palette.client(0);
    case PlotTone::soft: {
        QColor soft = palette.client(0);
        soft.setAlpha(palette.dark ? 120 : 80);
        return soft;
    }
    case PlotTone::wake:
        return palette.wake;
    case PlotTone::beyond:
        return palette.client(5);
    case PlotTone::low:
        return palette.client(0);
    case PlotTone::middle:
        return palette.client(2);
    case PlotTone::high:
        return palette.client(5);
    case PlotTone::client:
        return palette.client(layer.client);
    }
    return palette.text;
}

QPen tonePen(const PlotLayer& layer, const Palette& palette)
{
    QPen pen(toneColour(layer, palette), layer.tone == PlotTone::low ? 2.4 : 1.6);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (layer.tone == PlotTone::middle)
        pen.setDashPattern({5, 2.5});
    if (layer.tone == PlotTone::high)
        pen.setDashPattern({1.5, 1.5});
    return pen;
}

QMargins overlayMargins(bool named, const Look* look)
{
    const int line = look ? QFontMetrics(look->fonts().small).height() : 16;
    return {2, line + kAboveAxes, 12, named ? line + 6 : 2};
}

void drawOverlay(QPainter& painter, const Plot& plot, const QRectF& area, const Look& look)
{
    painter.save();
    Overlay(painter, plot, area, look).draw();
    painter.restore();
}

} // namespace lockscope::ui
