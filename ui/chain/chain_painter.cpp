#include "ui/chain/chain_painter.h"

#include "ui/canvas/arrows.h"
#include "ui/canvas/pill.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui::chain {

namespace {

constexpr double kTitleHeight = 18;
constexpr int kMaxWhatLines = 2, kAllLines = 100; // of an explanation
constexpr double kDashedFrom = 60;                // shorter lines are not dashed

} // namespace

ChainPainter::ChainPainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit)
    : m_p(painter)
    , m_c(theme.palette())
    , m_f(fonts)
    , m_texts(theme.texts())
    , m_u(unit)
    , m_bold(pillFont(fonts))
    , m_tiny(fonts.small)
    , m_least(theme.fonts().small)
    , m_cards(painter, theme, fonts, unit)
{
    m_tiny.setPointSizeF(m_tiny.pointSizeF() * 0.92);
}

void ChainPainter::drawQueue(const ChainScene& scene, double scrolled)
{
    m_p.setRenderHint(QPainter::Antialiasing);
    m_p.save();
    // The ring around a selected box at the lower end reaches into the gap below.
    m_p.setClipRect(scene.queueArea.adjusted(0, 0, 0, 4 * m_u), Qt::IntersectClip);
    m_p.translate(0, -scrolled);
    const double top = scene.queueArea.top() + scrolled, bottom = scene.queueArea.bottom() + scrolled;
    for (const Arrow& arrow : scene.arrows)
        drawArrow(arrow, scene.wake.travel);
    for (const ChainNode& box : scene.nodes)
        if (box.rect.bottom() >= top && box.rect.top() <= bottom)
            m_cards.draw(box);
    for (const ChainNode& box : scene.nodes)
        if (box.as == Scale::cells && (box.selected || box.pointed))
            m_cards.draw(box); // its frame lies over its neighbors
    drawMore(scene);
    if (scene.wake.shown)
        drawWake(scene.wake);
    if (scene.contentHeight > bottom + 1)
        fadeOut({scene.queueArea.left(), bottom - 18 * m_u, scene.queueArea.width(), 22 * m_u});
    m_p.restore();

    if (!scene.empty.isEmpty()) {
        m_p.setFont(m_f.text);
        m_p.setPen(m_c.textMuted);
        m_p.drawText(scene.emptyRect, Qt::AlignCenter | Qt::TextWordWrap, scene.empty);
    }
    for (const StaleClient& box : scene.stale)
        drawStale(box);
    drawCycle(scene.cycle);
    drawLine(scene.outsideRect, scene.outside, m_f.small, m_c.textMuted);
}

// The bead that moves along an arrow while the notification travels.
void ChainPainter::drawBead(QPointF at)
{
    m_p.setPen(QPen(m_c.card, 1.5 * m_u));
    m_p.setBrush(m_c.wake);
    m_p.drawEllipse(at, 5 * m_u, 5 * m_u);
}

void ChainPainter::drawArrow(const Arrow& arrow, double travel)
{
    const bool outside = arrow.kind == ArrowKind::outside;
    const bool wakes = arrow.kind == ArrowKind::wakes;
    const bool prescribed = arrow.mark == WatchMark::prescribed;
    const bool differs = arrow.mark != WatchMark::none && !prescribed;
    const QColor colour = differs ? m_c.stale : outside ? m_c.textFaint : wakes ? m_c.wake : m_c.waits;
    QPen pen(colour, (differs ? 2 : 1.5) * m_u);
    if (arrow.mark == WatchMark::missing)
        pen.setDashPattern({4, 3});
    else if (outside || differs || prescribed)
        pen.setDashPattern({2, 2});
    else if (wakes)
        pen.setDashPattern({3.4, 2.6});
    m_p.setPen(pen);
    m_p.setBrush(Qt::NoBrush);
    const bool straight = arrow.bend1 == arrow.begin && arrow.bend2 == arrow.end;
    if (straight) {
        m_p.drawLine(arrow.begin, arrow.end);
    } else {
        QPainterPath path(arrow.begin);
        path.cubicTo(arrow.bend1, arrow.bend2, arrow.end);
        m_p.drawPath(path);
    }
    const double length = std::hypot(arrow.end.x() - arrow.begin.x(), arrow.end.y() - arrow.begin.y());
    const double size = straight ? std::min(11 * m_u, length * 0.7) : 8 * m_u;
    if (outside) {
        // Leads to no node: a cross instead of an arrow head.
        drawCross(m_p, arrow.end, 3 * m_u, QPen(colour, 1.6 * m_u));
    } else {
        drawArrowHead(m_p, arrow.end, straight ? arrow.begin : arrow.bend2, differs ? m_c.card : colour,
                      {size}, differs ? QPen(colour, 1.5 * m_u) : QPen(Qt::NoPen));
        if (wakes && travel < 1)
            drawBead(arrow.begin + (arrow.end - arrow.begin) * travel);
    }
    if (!arrow.label.isEmpty()) {
        m_p.setFont(m_tiny); // the gap has a fixed width
        m_p.setPen(differs ? m_c.staleText : m_c.textMuted);
        m_texts.draw(m_p, QRectF(arrow.labelAt.x() - 40, arrow.labelAt.y() - 9 * m_u, 80, 18 * m_u),
                     Qt::AlignCenter, arrow.label);
    }
}

void ChainPainter::drawWake(const Wake& wake)
{
    m_p.save();
    m_p.setOpacity(wake.opacity);
    if (!wake.stub.isEmpty()) {
        QPen frame(m_c.wake, 1.2 * m_u);
        frame.setDashPattern({2, 2});
        m_p.setPen(frame);
        m_p.setBrush(m_c.card);
        m_p.drawRoundedRect(wake.stubRect, 4 * m_u, 4 * m_u);
        m_p.setFont(m_f.small);
        m_p.setPen(m_c.wake);
        m_texts.draw(m_p, wake.stubRect.adjusted(3, 0, -3, 0), Qt::AlignCenter, wake.stub);
    }
    if (wake.begin != wake.end) { // a herd's wake-up uses its own arrows, and only the text here
        QPainterPath path(wake.begin);
        path.cubicTo(wake.bend1, wake.bend2, wake.end);
        QPen pen(m_c.wake, 1.9 * m_u);
        if (path.length() >= kDashedFrom * m_u)
            pen.setDashPattern({3.4, 2.6});
        m_p.setPen(pen);
        m_p.setBrush(Qt::NoBrush);
        m_p.drawPath(path);
        drawArrowHead(m_p, wake.end, wake.bend2, m_c.wake, {11 * m_u});
        if (wake.travel < 1 && path.length() >= 24 * m_u) // the bead covers a shorter path
            drawBead(path.pointAtPercent(wake.travel));
    }
    drawLine(wake.textRect, wake.text, m_f.small, m_c.wake);
    m_p.restore();
}

void ChainPainter::drawStale(const StaleClient& box)
{
    QPainterPath outline;
    outline.addRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6 * m_u, 6 * m_u);
    m_p.fillPath(outline, m_c.card);
    m_p.fillPath(outline, QBrush(m_c.staleSoft, Qt::BDiagPattern));
    m_p.save();
    m_p.setClipPath(outline, Qt::IntersectClip);
    m_p.fillRect(QRectF(box.rect.left(), box.rect.top(), 6 * m_u, box.rect.height()), m_c.client(box.colour));
    m_p.restore();
    m_p.setPen(QPen(m_c.stale, 1.4 * m_u));
    m_p.setBrush(Qt::NoBrush);
    m_p.drawPath(outline);
    // Text on a plain background instead of the hatching.
    const double width = std::min(box.rect.width() - 20 * m_u, m_texts.width(m_bold, box.text) + 14 * m_u);
    const QRectF ground(box.rect.left() + 12 * m_u, box.rect.center().y() - 10 * m_u, width, 20 * m_u);
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(m_c.card);
    m_p.drawRoundedRect(ground, 4 * m_u, 4 * m_u);
    drawLine(ground.adjusted(6 * m_u, 0, -6 * m_u, 0), box.text, m_bold, m_c.staleText);
}

// The cycle of waiting clients in a red frame: a chip for each, and an arrow to the client that it waits for.
void ChainPainter::drawCycle(const Cycle& cycle)
{
    if (cycle.rect.isNull())
        return;
    m_p.setPen(QPen(m_c.stale, 1.6 * m_u));
    m_p.setBrush(m_c.card);
    m_p.drawRoundedRect(cycle.rect, 6 * m_u, 6 * m_u);
    drawLine(cycle.rect.adjusted(10 * m_u, 0, 0, 0), cycle.title, m_bold, m_c.staleText);
    for (std::size_t i = 0; i < cycle.chips.size(); ++i) {
        const CycleChip& chip = cycle.chips[i];
        const QPointF dot(chip.rect.left() + 6 * m_u, chip.rect.center().y());
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(m_c.client(chip.colour));
        if (chip.client.valid())
            m_p.drawEllipse(dot, 5 * m_u, 5 * m_u);
        drawLine(chip.rect.adjusted(15 * m_u, 0, 0, 0), chip.name, m_bold, m_c.text);
        if (i + 1 == cycle.chips.size())
            break;
        const QPointF begin(chip.rect.right() + 3 * m_u, dot.y());
        const QPointF end(cycle.chips[i + 1].rect.left() - 4 * m_u, begin.y());
        m_p.setPen(QPen(m_c.stale, 1.5 * m_u));
        m_p.drawLine(begin, end);
        drawArrowHead(m_p, end, begin, m_c.stale, {8 * m_u});
        m_p.setFont(m_tiny);
        m_p.setPen(m_c.staleText);
        // In the middle of the line, which the background interrupts.
        const double widest = end.x() - begin.x() - 26 * m_u, middle = (begin.x() + end.x()) / 2 - 2 * m_u;
        const double wide = std::min(widest, m_texts.width(m_tiny, chip.wants) + 6 * m_u);
        const QRectF words(middle - wide / 2, dot.y() - 8 * m_u, wide, 16 * m_u);
        m_p.fillRect(words, m_c.card);
        m_texts.draw(m_p, words, Qt::AlignCenter, chip.wants);
    }
}

QRectF ChainPainter::insideOf(const QRectF& box) const
{
    return box.adjusted(14 * m_u, (6 + kTitleHeight + 2) * m_u, -12 * m_u, -5 * m_u);
}

ChainPainter::ExplainFit ChainPainter::fitExplanation(const QRectF& box, const BoxTexts& boxes) const
{
    const QRectF inner = insideOf(box);
    ExplainFit fit;
    for (const auto& [what, why] :
         {std::pair(m_f.text, m_f.small), std::pair(m_f.small, m_f.small), std::pair(m_least, m_least)}) {
        fit = {what, why,
               m_texts.wrappedHeight(what, boxes.what, inner.width()) + 1 * m_u +
                       m_texts.wrappedHeight(why, boxes.why, inner.width()) <=
                   inner.height() + 2};
        if (fit.whole)
            break;
    }
    return fit;
}

ChainPainter::ServerFit ChainPainter::fitServer(const QRectF& box, const ServerView& server) const
{
    const QRectF inner = insideOf(box);
    const double line = nodeLine();
    ServerFit fit;
    for (const int leastNodes : {1, 0})
        for (const QFont& font : {m_bold, strongFont(m_least)}) {
            const double spacing = QFontMetricsF(font).lineSpacing(), room = inner.height() + 2 - 1 * m_u;
            const double height = m_texts.wrappedHeight(font, server.verdict, inner.width());
            fit = {font, std::max(0, static_cast<int>((room - height) / line)), kAllLines, height <= room};
            if (!fit.whole)
                fit.verdictLines = std::max(1, static_cast<int>(room / spacing));
            if (fit.whole && fit.nodeLines >= leastNodes)
                return fit;
        }
    return fit;
}

double ChainPainter::nodeLine() const { return QFontMetricsF(m_f.mono).lineSpacing() + 2 * m_u; }

void ChainPainter::drawBoxes(const ChainScene& scene, const BoxTexts& boxes)
{
    m_p.setRenderHint(QPainter::Antialiasing);
    const auto begin = [&](const QRectF& box, const QString& title) {
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(m_c.panel);
        m_p.drawRoundedRect(box, 6 * m_u, 6 * m_u);
        const QRectF inner = insideOf(box);
        drawLine({inner.left(), box.top() + 6 * m_u, inner.width(), kTitleHeight * m_u}, title, m_bold,
                 m_c.textMuted);
        return inner;
    };
    if (!scene.explainBox.isNull()) {
        QRectF inner = begin(scene.explainBox, boxes.explainTitle);
        const ExplainFit fit = fitExplanation(scene.explainBox, boxes);
        const double line = QFontMetricsF(fit.why).lineSpacing();
        inner.setTop(inner.top() + 1 * m_u +
                     drawLines(inner, boxes.what, fit.what, m_c.text, fit.whole ? kAllLines : kMaxWhatLines));
        drawLines(inner, boxes.why, fit.why, m_c.textMuted,
                  fit.whole ? kAllLines : static_cast<int>((inner.height() + 2) / line));
    }
    if (!scene.serverBox.isNull()) {
        QRectF inner = begin(scene.serverBox, boxes.serverTitle);
        const double line = nodeLine();
        const QColor& tone = !boxes.server.differences.isEmpty() ? m_c.staleText
                             : boxes.server.agrees()             ? m_c.holdsText
                                                                 : m_c.textMuted;
        const ServerFit fit = fitServer(scene.serverBox, boxes.server);
        const auto fits = [&](const QString& text) { return m_texts.width(m_f.mono, text) <= inner.width(); };
        if (fit.nodeLines > 0)
            for (const QString& nodes : ServerViewText::lines(boxes.server, fit.nodeLines, fits)) {
                drawLine({inner.left(), inner.top(), inner.width(), line}, nodes, m_f.mono, m_c.text);
                inner.setTop(inner.top() + line);
            }
        inner.setTop(inner.top() + 1 * m_u);
        drawLines(inner, boxes.server.verdict, fit.verdict, tone, fit.verdictLines);
    }
}

void ChainPainter::drawLine(const QRectF& rect, const QString& text, const QFont& font, const QColor& colour)
{
    m_p.setPen(colour);
    m_p.setFont(font);
    m_texts.draw(m_p, rect, Qt::AlignLeft | Qt::AlignVCenter, text);
}

double ChainPainter::drawLines(const QRectF& rect, const QString& text, const QFont& font,
                               const QColor& colour, int maxLines)
{
    m_p.setPen(colour);
    m_p.setFont(font);
    return m_texts.drawWrapped(m_p, rect, text, maxLines);
}

// The queue continues below: its last rows fade out.
void ChainPainter::fadeOut(const QRectF& strip)
{
    QLinearGradient away(strip.topLeft(), strip.bottomLeft());
    away.setColorAt(0, withAlpha(m_c.card, 0));
    away.setColorAt(0.8, m_c.card);
    m_p.fillRect(strip, away);
}

// Draws the number of further nodes, as much of the cells' legend as fits, and the pointed or selected cell.
void ChainPainter::drawMore(const ChainScene& scene)
{
    if (scene.more.isEmpty() && scene.legend.empty())
        return;
    const QRectF line = scene.moreRect;
    const double between = 14 * m_u, side = 9 * m_u;
    const double named =
        scene.named.isEmpty() ? 0 : std::min(line.width() * 0.6, m_texts.width(m_bold, scene.named) + 2);
    drawLine(line.adjusted(line.width() - named, 0, 0, 0), scene.named, m_bold, m_c.text);
    const double end = line.right() - (named > 0 ? named + between : 0);
    QRectF room(line.left(), line.top(), end - line.left(), line.height());
    drawLine(room, scene.more, m_f.small, m_c.textMuted);
    room.setLeft(room.left() + m_texts.width(m_f.small, scene.more) + between);
    for (const LegendEntry& key : scene.legend) {
        const double words = m_texts.width(m_f.small, key.text);
        if (room.width() < side + 5 * m_u + words)
            break;
        ChainNode sample;
        sample.as = Scale::cells;
        sample.state = key.state;
        sample.frozen = key.frozen;
        sample.suspended = key.suspended;
        sample.rect = {room.left(), room.center().y() - side / 2, side, side};
        m_cards.draw(sample);
        room.setLeft(room.left() + side + 5 * m_u);
        drawLine(room, key.text, m_f.small, m_c.textMuted);
        room.setLeft(room.left() + words + between);
    }
}

} // namespace lockscope::ui::chain
