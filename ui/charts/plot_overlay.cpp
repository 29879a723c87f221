#include "ui/charts/plot_overlay.h"

#include "ui/charts/beyond_labels.h"
#include "ui/charts/plot_tones.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr qreal kSwatch = 16;
constexpr qreal kGap = 5;
constexpr qreal kBetween = 14;
constexpr qreal kLeft = 8;
constexpr int kVeil = 150;   // of 255
constexpr int kGround = 210; // below words

class Overlay
{
public:
    Overlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Look& look)
        : m_painter(painter)
        , m_plot(plot)
        , m_frame(frame)
        , m_area(frame.area())
        , m_look(look)
    {
        m_painter.setFont(look.fonts().small);
    }
    void draw();

private:
    qreal width(const QString& text) const { return m_look.texts().width(m_painter.font(), text); }
    void drawText(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& colour)
    {
        m_painter.setPen(colour);
        m_look.texts().draw(m_painter, box, alignment, text);
    }
    void drawOnGround(const QRectF& box, const QString& text);
    qreal drawKeys();
    void drawRules();
    void drawNames();
    void drawBeyond();
    void drawCursor();

    QPainter& m_painter;
    const Plot& m_plot;
    const PlotFrame& m_frame;
    const QRectF m_area;
    const Look& m_look;
};

void Overlay::draw()
{
    drawRules();
    drawNames();
    drawBeyond();
    drawCursor();
    const qreal room = drawKeys() - kLeft - kBetween;
    drawText({kLeft, m_frame.keysTop(), room, m_frame.lineHeight()}, Qt::AlignLeft | Qt::AlignVCenter,
             m_plot.measure, m_look.palette().textMuted);
}

// Words that can be read over whatever they lie on.
void Overlay::drawOnGround(const QRectF& box, const QString& text)
{
    QColor ground = m_look.palette().card;
    ground.setAlpha(kGround);
    m_painter.fillRect(box, ground);
    drawText(box, Qt::AlignCenter, text, m_look.palette().text);
}

// From the right; those that do not fit beside the measure are left out. Returns where they begin.
qreal Overlay::drawKeys()
{
    const qreal measure = width(m_plot.measure) + 2 * kBetween;
    const qreal middle = m_frame.keysTop() + m_frame.lineHeight() / 2;
    qreal right = m_area.right();
    for (const PlotLayer& layer : m_plot.layers) {
        if (layer.key.isEmpty())
            continue;
        const qreal words = width(layer.key) + 1;
        const qreal left = right - kSwatch - kGap - words;
        if (left < measure)
            break;
        if (layer.shape == PlotLayer::Shape::line) {
            m_painter.setPen(tonePen(layer, m_look.palette()));
            m_painter.drawLine(QPointF(left, middle), QPointF(left + kSwatch, middle));
        } else {
            m_painter.fillRect(QRectF(left, middle - 4, kSwatch, 8), toneColour(layer, m_look.palette()));
        }
        drawText({left + kSwatch + kGap, m_frame.keysTop(), words, m_frame.lineHeight()},
                 Qt::AlignLeft | Qt::AlignVCenter, layer.key, m_look.palette().textMuted);
        right = left - kBetween;
    }
    return right;
}

void Overlay::drawRules()
{
    for (const PlotRule& rule : m_plot.rules) {
        const qreal y = std::round(m_frame.yAt(rule.at)) + 0.5;
        if (y < m_area.top() || y > m_area.bottom() + 1)
            continue;
        m_painter.setPen(QPen(m_look.palette().text, 1, Qt::DashLine));
        m_painter.drawLine(QPointF(m_area.left(), y), QPointF(m_area.right(), y));
        if (rule.text.isEmpty())
            continue;
        const qreal words = width(rule.text), high = m_frame.lineHeight();
        drawOnGround({m_area.right() - words - 10, std::max(m_area.top(), y - high - 4), words + 8, high + 2},
                     rule.text);
    }
}

// A column that is cut is open at its top: a gap across it, an arrow head above, and its value beside it as
// far as there is room.
void Overlay::drawBeyond()
{
    for (const PlotBeyond& column : m_plot.beyond) {
        const QPointF top(m_frame.xAt(column.at), m_area.top());
        m_painter.setPen(QPen(m_look.palette().card, 2));
        m_painter.drawLine(top + QPointF(-kBeyondHead, 8), top + QPointF(kBeyondHead, 4));
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_look.palette().text);
        m_painter.drawPolygon(QPolygonF{top + QPointF(-kBeyondHead, 0), top + QPointF(kBeyondHead, 0),
                                        top - QPointF(0, 6)});
    }
    m_painter.setBrush(Qt::NoBrush);
    for (const BeyondLabel& label : beyondLabels(m_plot, m_frame, m_look))
        drawOnGround(label.box, label.text);
}

void Overlay::drawNames()
{
    for (const PlotName& name : m_plot.names) {
        const qreal room = m_frame.xAt(name.width) - m_frame.xAt(0) - 4;
        drawText(
            {m_frame.xAt(name.at) - room / 2, m_area.bottom() + PlotFrame::kTick, room, m_frame.lineHeight()},
            Qt::AlignHCenter | Qt::AlignTop, name.text, m_look.palette().textMuted);
    }
}

void Overlay::drawCursor()
{
    if (!m_plot.cursor)
        return;
    const qreal x = std::clamp(m_frame.xAt(*m_plot.cursor), m_area.left(), m_area.right());
    QColor veil = m_look.palette().card;
    veil.setAlpha(kVeil);
    m_painter.fillRect(QRectF(QPointF(x, m_area.top()), m_area.bottomRight()), veil);
    m_painter.setPen(QPen(m_look.palette().text, 1.5));
    m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
}

} // namespace

void drawOverlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Look& look)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Overlay(painter, plot, frame, look).draw();
    painter.restore();
}

} // namespace lockscope::ui
