#include "ui/charts/plot_overlay.h"

#include "ui/canvas/arrows.h"
#include "ui/charts/overflow_labels.h"
#include "ui/charts/plot_tones.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr qreal kSwatch = 14;
constexpr qreal kSwatchGap = 5;
constexpr qreal kKeyGap = 10;
constexpr qreal kPointSize = 4;
constexpr int kGround = 210; // opacity behind words, of 255
constexpr qreal kMinMarkWidth = 4;

class Overlay
{
public:
    Overlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Theme& theme)
        : m_painter(painter)
        , m_plot(plot)
        , m_frame(frame)
        , m_area(frame.area())
        , m_theme(theme)
    {
        m_painter.setFont(theme.fonts().small);
    }
    void draw();

private:
    qreal width(const QString& text) const { return m_theme.texts().width(m_painter.font(), text); }
    void drawText(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& colour)
    {
        m_painter.setPen(colour);
        m_theme.texts().draw(m_painter, box, alignment, text);
    }
    void drawOnGround(const QRectF& box, const QString& text);
    qreal drawKeys();
    void drawMeasure(qreal room);
    void drawMark();
    void drawDots();
    void drawNotes();
    QPen rulePen() const;
    void drawRules();
    void drawNames();
    void drawOverflow();
    void drawCursor();

    QPainter& m_painter;
    const Plot& m_plot;
    const PlotFrame& m_frame;
    const QRectF m_area;
    const Theme& m_theme;
};

void Overlay::draw()
{
    drawRules();
    drawNames();
    drawDots();
    drawCursor();
    drawOverflow();
    drawNotes();
    drawMark();
    drawMeasure(drawKeys() - m_area.left() - kKeyGap);
}

void Overlay::drawMeasure(qreal room)
{
    drawText({m_area.left(), m_frame.keysTop(), room, m_frame.lineHeight()}, Qt::AlignLeft | Qt::AlignVCenter,
             m_plot.measure, m_theme.palette().textMuted);
}

// Frames the chosen bar, and writes its text above it.
void Overlay::drawMark()
{
    if (!m_plot.mark)
        return;
    const PlotMark& mark = *m_plot.mark;
    QRectF bar(QPointF(m_frame.xAt(mark.from), m_frame.yAt(mark.height)),
               QPointF(m_frame.xAt(mark.to), m_area.bottom()));
    const qreal wider = std::max(0.0, kMinMarkWidth - bar.width()) / 2;
    const qreal higher = std::max(0.0, kMinMarkWidth - bar.height());
    bar.adjust(-wider, -higher, wider, 0);
    m_painter.setPen(QPen(m_theme.palette().accent, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(bar);
    const qreal words = width(mark.text) + 8, high = m_frame.lineHeight();
    // To the right, where bars sorted by height are lower.
    const qreal left =
        std::clamp(bar.left() - 1, m_area.left(), std::max(m_area.left(), m_area.right() - words));
    const qreal top = std::max(m_area.top() + 1, bar.top() - high - 4);
    drawOnGround({left, top, words, high}, mark.text);
}

void Overlay::drawDots()
{
    for (const PlotLayer& layer : m_plot.layers) {
        if (layer.shape != PlotLayer::Shape::dots)
            continue;
        const QColor colour = dotColour(layer, m_theme.palette());
        for (const QPointF& dot : layer.points)
            m_painter.fillRect(QRectF(m_frame.xAt(dot.x()) - kPointSize / 2,
                                      m_frame.yAt(dot.y()) - kPointSize / 2, kPointSize, kPointSize),
                               colour);
    }
}

void Overlay::drawNotes()
{
    for (const PlotNote& note : m_plot.notes) {
        const qreal words = width(note.text) + 4, high = m_frame.lineHeight();
        drawText({m_frame.xAt(note.at) - words / 2, m_frame.yAt(note.height) - high - 2, words, high},
                 Qt::AlignCenter, note.text, m_theme.palette().text);
    }
}

// Draws words on a background that keeps them readable over anything.
void Overlay::drawOnGround(const QRectF& box, const QString& text)
{
    m_painter.fillRect(box, withAlpha(m_theme.palette().card, kGround));
    drawText(box, Qt::AlignCenter, text, m_theme.palette().text);
}

// Draws the legend from the right; omits entries that do not fit beside the measure. Returns its left edge.
qreal Overlay::drawKeys()
{
    const qreal measure = m_area.left() + width(m_plot.measure) + kKeyGap;
    const qreal middle = m_frame.keysTop() + m_frame.lineHeight() / 2;
    qreal right = m_area.right();
    const auto draw = [&](const QString& key, auto drawSwatch) {
        const qreal words = width(key) + 1;
        const qreal left = right - kSwatch - kSwatchGap - words;
        if (key.isEmpty() || left < measure)
            return;
        drawSwatch(left);
        drawText({left + kSwatch + kSwatchGap, m_frame.keysTop(), words, m_frame.lineHeight()},
                 Qt::AlignLeft | Qt::AlignVCenter, key, m_theme.palette().textMuted);
        right = left - kKeyGap;
    };
    const auto drawLine = [&](qreal left, const QPen& pen) {
        m_painter.setPen(pen);
        m_painter.drawLine(QPointF(left, middle), QPointF(left + kSwatch, middle));
    };
    for (const PlotLayer& layer : m_plot.layers)
        draw(layer.key, [&](qreal left) {
            if (layer.shape == PlotLayer::Shape::line)
                drawLine(left, tonePen(layer, m_theme.palette()));
            else if (layer.shape == PlotLayer::Shape::dots)
                m_painter.fillRect(QRectF(left + (kSwatch - kPointSize) / 2, middle - kPointSize / 2,
                                          kPointSize, kPointSize),
                                   dotColour(layer, m_theme.palette()));
            else
                m_painter.fillRect(QRectF(left, middle - 4, kSwatch, 8),
                                   toneColour(layer, m_theme.palette()));
        });
    for (const PlotRule& rule : m_plot.rules)
        draw(rule.key, [&](qreal left) { drawLine(left, rulePen()); });
    return right;
}

QPen Overlay::rulePen() const { return {m_theme.palette().text, 1, Qt::DashLine}; }

void Overlay::drawRules()
{
    m_painter.setPen(rulePen());
    for (const PlotRule& rule : m_plot.rules) {
        const qreal y = std::round(m_frame.yAt(rule.at)) + 0.5;
        if (y >= m_area.top() && y <= m_area.bottom() + 1)
            m_painter.drawLine(QPointF(std::max(m_area.left(), m_frame.xAt(rule.from)), y),
                               QPointF(std::min(m_area.right(), m_frame.xAt(rule.to)), y));
    }
}

// A column that exceeds the axis has an open top: a gap across it, an arrow head above and, where there is
// room, its value beside it.
void Overlay::drawOverflow()
{
    for (const PlotOverflow& column : m_plot.overflow) {
        const QPointF top(m_frame.xAt(column.at), m_area.top());
        m_painter.setPen(QPen(m_theme.palette().card, 2));
        m_painter.drawLine(top + QPointF(-kOverflowHead, 8), top + QPointF(kOverflowHead, 4));
        drawArrowHead(m_painter, top - QPointF(0, 6), top, m_theme.palette().text, {6, kOverflowHead / 6});
    }
    m_painter.setBrush(Qt::NoBrush);
    for (const OverflowLabel& label : overflowLabels(m_plot, m_frame, m_theme))
        drawOnGround(label.box, label.text);
}

void Overlay::drawNames()
{
    for (const PlotName& name : m_plot.names) {
        const qreal room = m_frame.xAt(name.width) - m_frame.xAt(0) - 4;
        drawText(
            {m_frame.xAt(name.at) - room / 2, m_area.bottom() + PlotFrame::kTick, room, m_frame.lineHeight()},
            Qt::AlignHCenter | Qt::AlignTop, name.text, m_theme.palette().textMuted);
    }
    if (m_frame.hasName())
        drawText({m_area.left(), m_frame.nameTop(), m_area.width(), m_frame.lineHeight()}, Qt::AlignCenter,
                 m_theme.texts().fitting(m_painter.font(), m_plot.x.name, m_area.width()),
                 m_theme.palette().textMuted);
}

void Overlay::drawCursor()
{
    if (!m_plot.cursor)
        return;
    const qreal x = std::clamp(m_frame.xAt(*m_plot.cursor), m_area.left(), m_area.right());
    const QRectF later(QPointF(x, m_area.top()), m_area.bottomRight() + QPointF(kPointSize / 2, 0));
    m_painter.fillRect(later, futureVeil(m_theme.palette()));
    m_painter.setPen(QPen(m_theme.palette().text, 1.5));
    m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
}

} // namespace

void drawOverlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Overlay(painter, plot, frame, theme).draw();
    painter.restore();
}

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
