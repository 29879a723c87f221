#include "ui/chain/node_painter.h"

#include "ui/canvas/pill.h"
#include "ui/chain/chain_places.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

constexpr int kDepthBoxes = 4;

constexpr Qt::Alignment kAlignLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr double kBeforeName = 22; // from the number to the name: room for the dot

} // namespace

NodePainter::NodePainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit)
    : m_p(painter)
    , m_c(theme.palette())
    , m_f(fonts)
    , m_texts(theme.texts())
    , m_u(unit)
    , m_bold(pillFont(fonts))
{}

void NodePainter::draw(const ChainNode& box)
{
    switch (box.as) {
    case Scale::large:
        drawLarge(box);
        break;
    case Scale::compact:
        drawSmall(box);
        break;
    case Scale::circles:
        drawCircle(box);
        break;
    case Scale::cells:
        drawCell(box);
        break;
    case Scale::empty:
        break;
    }
}

QColor NodePainter::stateColour(const ChainNode& box) const
{
    switch (box.state) {
    case NodeState::holds:
        return box.silent() ? m_c.frozen : m_c.holds;
    case NodeState::waits:
        return box.silent() ? m_c.frozen : m_c.waits;
    case NodeState::woken:
        return m_c.wake;
    case NodeState::releases:
        return m_c.holdsSoft;
    case NodeState::joins:
        return box.silent() ? m_c.frozen : m_c.textFaint;
    case NodeState::orphan:
    case NodeState::sessionGone:
        return m_c.stale;
    case NodeState::foreign:
    case NodeState::gone:
    case NodeState::parent:
        break;
    }
    return m_c.textFaint;
}

QColor NodePainter::textOnState(const ChainNode& box) const
{
    switch (box.state) {
    case NodeState::holds:
        return box.silent() ? m_c.card : m_c.onHolds;
    case NodeState::waits:
        return box.silent() ? m_c.card : m_c.onWaits;
    case NodeState::releases:
        return m_c.dark ? m_c.onHolds : m_c.text;
    case NodeState::orphan:
    case NodeState::sessionGone:
        return m_c.onDanger;
    case NodeState::woken:
    case NodeState::joins:
    case NodeState::foreign:
    case NodeState::gone:
    case NodeState::parent:
        break;
    }
    return m_c.card;
}

// The frame's pattern repeats the state: dashed if frozen or suspended, dotted if foreign or leaving.
QPen NodePainter::framePen(const ChainNode& box) const
{
    QPen pen(stateColour(box), box.state == NodeState::holds ? 2.2 : 1.6);
    if (box.silent() || box.state == NodeState::sessionGone)
        pen.setDashPattern({3.2, 2.2});
    else if (box.state == NodeState::foreign || box.state == NodeState::gone ||
             box.state == NodeState::orphan)
        pen.setDashPattern({1.2, 2.4});
    else if (box.state == NodeState::releases)
        pen.setDashPattern({6, 2.5});
    return pen;
}

void NodePainter::drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                           const QColor& colour, const QString& text)
{
    m_p.setFont(font);
    m_p.setPen(colour);
    m_texts.draw(m_p, rect, alignment, text);
}

// Elided in the middle: names that have much in common differ at the end.
// Of its owner's colour; a ring if it has no owner.
void NodePainter::drawDot(const ChainNode& box, const QPointF& at, double radius)
{
    const bool ring = box.state == NodeState::foreign || box.ownerless;
    m_p.setPen(ring ? QPen(m_c.textFaint, 1.4) : QPen(Qt::NoPen));
    m_p.setBrush(ring                           ? QBrush(Qt::NoBrush)
                 : box.state == NodeState::gone ? QBrush(m_c.textFaint)
                                                : QBrush(m_c.client(box.colour)));
    m_p.drawEllipse(at, radius, radius);
}

void NodePainter::drawName(const QRectF& rect, const QColor& colour, const QString& name)
{
    const bool fits = m_texts.width(m_f.text, m_texts.fitting(m_f.text, name, rect.width())) <= rect.width();
    m_p.setFont(fits ? m_f.text : m_f.small);
    m_p.setPen(colour);
    m_texts.draw(m_p, rect, kAlignLeft, name, Qt::ElideMiddle);
}

void NodePainter::drawFrame(const ChainNode& box, double bar)
{
    QPainterPath outline;
    outline.addRoundedRect(box.rect, 6 * m_u, 6 * m_u);
    if (box.selected) {
        QPen ring(m_c.accent, 2 * m_u);
        m_p.setPen(ring);
        m_p.setBrush(Qt::NoBrush);
        m_p.drawRoundedRect(box.rect.adjusted(-4 * m_u, -4 * m_u, 4 * m_u, 4 * m_u), 9 * m_u, 9 * m_u);
    }
    if (box.inCycle || box.next) {
        m_p.setPen(QPen(box.next ? m_c.holds : m_c.stale, 2.4 * m_u));
        m_p.setBrush(Qt::NoBrush);
        m_p.drawRoundedRect(box.rect.adjusted(-3 * m_u, -3 * m_u, 3 * m_u, 3 * m_u), 8 * m_u, 8 * m_u);
    }
    const bool named = box.state != NodeState::gone && box.state != NodeState::foreign &&
                       box.state != NodeState::parent && !box.ownerless;
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(box.selected ? m_c.selection : m_c.card);
    m_p.drawPath(outline);
    if (box.state == NodeState::sessionGone || box.state == NodeState::orphan)
        m_p.fillPath(outline, QBrush(m_c.staleSoft, Qt::BDiagPattern));
    if (named) {
        m_p.save();
        m_p.setClipRect(QRectF(box.rect.topLeft(), QSizeF(bar, box.rect.height())), Qt::IntersectClip);
        m_p.fillPath(outline, m_c.client(box.colour));
        m_p.restore();
    }
    m_p.setPen(framePen(box));
    m_p.setBrush(Qt::NoBrush);
    m_p.drawPath(outline);
}

double NodePainter::drawPill(const ChainNode& box, const QString& all, double left, double middle,
                             double height, double most)
{
    const bool whole = box.rarePart.isEmpty() || m_texts.width(m_bold, all) + 14 * m_u <= most;
    const QString& text = whole ? all : box.rarePart;
    const double width = std::min(most, m_texts.width(m_bold, text) + 18 * m_u);
    const QRectF pill(left, middle - height / 2, width, height);
    m_p.setPen(Qt::NoPen);
    ui::drawPill(m_p, pill, text, m_bold, stateColour(box), textOnState(box), m_texts, 7 * m_u);
    return pill.right();
}

void NodePainter::drawDepth(const ChainNode& box, double left, double middle, double right)
{
    const double size = 20 * m_u, gap = 4 * m_u;
    const int fits = static_cast<int>((right - left + gap) / (size + gap));
    if (box.depth == 0 || fits < 1)
        return;
    const auto drawLevel = [&](int at, const QString& text, double width, bool inner) {
        const QRectF rect(left + at * (size + gap), middle - size / 2, width, size);
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(inner ? m_c.holdsSoft : m_c.holds);
        m_p.drawRoundedRect(rect, 4 * m_u, 4 * m_u);
        drawText(rect, Qt::AlignCenter, m_bold, inner ? m_c.onHoldsSoft : m_c.onHolds, text);
    };
    if (box.depth <= std::min(fits, kDepthBoxes)) {
        for (int level = 0; level < box.depth; ++level)
            drawLevel(level, QString::number(level + 1), size, level > 0);
    } else {
        drawLevel(0, QStringLiteral("×%1").arg(box.depth), std::min(right - left, size * 1.5), false);
    }
}

// The side of a read/write lock, as a letter in a frame.
void NodePainter::drawKind(const ChainNode& box, double left, double middle)
{
    if (box.kind.isEmpty())
        return;
    const QRectF square(left, middle - 9 * m_u, 18 * m_u, 18 * m_u);
    m_p.setPen(QPen(m_c.textMuted, 1.2));
    m_p.setBrush(box.writes ? QBrush(m_c.panel) : QBrush(Qt::NoBrush));
    m_p.drawRoundedRect(square, 3 * m_u, 3 * m_u);
    drawText(square, Qt::AlignCenter, m_bold, m_c.text, box.kind);
}

void NodePainter::drawLarge(const ChainNode& box)
{
    const bool gone = box.state == NodeState::gone;
    drawFrame(box, 6 * m_u);
    const QRectF r = box.rect;
    const double left = r.left() + (r.width() < 155 * m_u ? 15 : 20) * m_u;
    const double right = r.right() - 6 * m_u, width = right - left;
    const auto row = [&](double middle, double height) {
        return QRectF(left, r.top() + middle * m_u - height / 2, width, height);
    };

    const bool named = box.zeros.isEmpty(); // a node without a number shows its name, in smaller type
    const QFont& numberFont = named && box.state == NodeState::foreign ? m_f.heading : m_f.number;
    QRectF line = row(23, 30 * m_u);
    if (!named) {
        const double zeros = m_texts.width(m_f.monoSmall, box.zeros);
        const double number = m_texts.width(numberFont, box.number);
        if (zeros + number + 3 * m_u <= width) {
            // On the number's baseline.
            const double baseline = line.center().y() + QFontMetricsF(numberFont).capHeight() / 2;
            m_p.setFont(m_f.monoSmall);
            m_p.setPen(m_c.textFaint);
            m_p.drawText(QPointF(left, baseline), box.zeros);
            line.setLeft(left + zeros + 3 * m_u);
        }
    }
    drawText(line, kAlignLeft, numberFont, gone ? m_c.textFaint : m_c.text, box.number);

    const QPointF dot(left + 7 * m_u, r.top() + 56 * m_u);
    drawDot(box, dot, 6.5 * m_u);
    drawName(row(56, 20 * m_u).adjusted(23 * m_u, 0, 0, 0), gone ? m_c.textMuted : m_c.text, box.ownerName);
    drawKind(box, r.right() - 24 * m_u, r.top() + 56 * m_u);
    if (box.also.isEmpty())
        drawText(row(83, 18 * m_u), kAlignLeft, m_f.monoSmall, m_c.textMuted, box.nodeShort);
    else
        drawText(row(83, 18 * m_u), kAlignLeft, m_bold, box.inCycle ? m_c.staleText : m_c.text, box.also);

    const double middle = r.top() + 108 * m_u;
    const double pillEnd = drawPill(box, box.pill, left, middle, 20 * m_u, width);
    if (box.state == NodeState::holds || box.state == NodeState::releases)
        drawDepth(box, pillEnd + 8 * m_u, middle, right);

    drawDetail(box, row(133, 18 * m_u));
}

void NodePainter::drawDetail(const ChainNode& box, const QRectF& rect)
{
    const QFont& font = box.standing ? m_bold : m_f.small;
    const QString* said = &box.detailShort;
    for (const QString* detail : {&box.detail, &box.detailMedium})
        if (!detail->isEmpty() && said == &box.detailShort && m_texts.width(font, *detail) <= rect.width())
            said = detail;
    drawText(rect, kAlignLeft, font, box.standing ? m_c.accent : m_c.textMuted, *said);
}

void NodePainter::drawSmall(const ChainNode& box)
{
    const bool gone = box.state == NodeState::gone;
    drawFrame(box, 5 * m_u);
    const QRectF r = box.rect;
    const double left = r.left() + 14 * m_u, right = r.right() - 7 * m_u;

    const bool alone =
        box.state == NodeState::foreign || box.state == NodeState::parent; // not owned by a client of the run
    // A long number is drawn smaller, because the name beside it is more important. Beside short names, all
    // numbers are equally large, whatever their digits.
    const double usual = m_texts.width(m_f.text, QStringLiteral("mmm"));
    const double wide = m_texts.width(m_f.text, box.ownerName.section(kVariantSeparator, 0, 0));
    const double name = alone ? 0 : kBeforeName * m_u + std::max(usual, wide);
    QFont bold = m_f.heading;
    for (const QFont& smaller : {m_f.title, m_bold})
        if (m_texts.width(bold, QString(box.number.size(), u'0')) + name > right - left)
            bold = smaller;
    const double most = alone ? right - left : (right - left) * 0.55;
    const double number = std::min(most, m_texts.width(bold, box.number));
    const double top = r.top() + 19 * m_u;
    drawText({left, top - 12 * m_u, number, 24 * m_u}, kAlignLeft, bold, gone ? m_c.textFaint : m_c.text,
             box.number);
    if (!alone) {
        const double dot = left + number + 13 * m_u;
        drawDot(box, {dot, top}, 5 * m_u);
        const double begin = left + number + kBeforeName * m_u;
        drawName({begin, top - 10 * m_u, right - begin, 20 * m_u}, gone ? m_c.textMuted : m_c.text,
                 box.ownerName);
    }

    const double middle = r.top() + 43 * m_u;
    drawKind(box, r.right() - 24 * m_u, middle);
    const QString pill = box.depth > 1 && box.state == NodeState::holds
                             ? QStringLiteral("%1 ×%2").arg(box.pill, QString::number(box.depth))
                             : box.pill;
    const double badge = box.kind.isEmpty() ? 0 : 22 * m_u;
    const double end = drawPill(box, pill, left, middle, 18 * m_u, right - left - badge);
    if (isTall(r, m_u)) {
        drawDetail(box, {left, r.top() + 59 * m_u, right - left, 18 * m_u});
        return;
    }
    const double room = right - badge - end - 5 * m_u;
    const bool waits =
        box.state == NodeState::waits || box.state == NodeState::woken || box.state == NodeState::joins;
    const QString detail = waits || box.standing ? box.detailShort : QString();
    if (!detail.isEmpty() && m_texts.width(m_f.small, detail) <= room)
        drawText({end + 5 * m_u, middle - 9 * m_u, room, 18 * m_u}, Qt::AlignRight | Qt::AlignVCenter,
                 m_f.small, box.standing ? m_c.accent : m_c.textMuted, detail);
}

void NodePainter::drawCircle(const ChainNode& box)
{
    const QRectF r = box.rect;
    const bool solid = box.state == NodeState::holds || box.state == NodeState::releases;
    const bool filled = solid || box.state == NodeState::woken;
    if (box.inCycle || box.next) {
        m_p.setPen(QPen(box.next ? m_c.holds : m_c.stale, 2 * m_u));
        m_p.setBrush(Qt::NoBrush);
        m_p.drawEllipse(r.adjusted(-3, -3, 3, 3));
    }
    if (box.selected) {
        m_p.setPen(QPen(m_c.accent, 2 * m_u));
        m_p.setBrush(m_c.selection);
        m_p.drawRoundedRect(r.adjusted(-4, -4, 4, 4), 10 * m_u, 10 * m_u);
    }
    QPen pen = framePen(box);
    if (!box.ownerless && (box.state == NodeState::waits || box.state == NodeState::joins))
        pen.setColor(m_c.client(box.colour)); // the color of its dot in all views
    pen.setWidthF(2 * m_u);
    m_p.setPen(pen);
    if (box.state == NodeState::sessionGone || box.state == NodeState::orphan)
        m_p.setBrush(QBrush(m_c.staleSoft, Qt::BDiagPattern));
    else
        m_p.setBrush(filled ? stateColour(box) : m_c.card);
    // Writers are squares, readers are circles.
    if (box.writes)
        m_p.drawRect(r.adjusted(1, 1, -1, -1));
    else if (solid && box.kind.isEmpty())
        m_p.drawRoundedRect(r, 7 * m_u, 7 * m_u);
    else if (box.state == NodeState::foreign)
        m_p.drawRect(r.adjusted(2, 2, -2, -2));
    else
        m_p.drawEllipse(r);
    // The name accompanies the color: in its usual size beside the circle, otherwise smaller or elided
    // inside.
    const bool labelled = !box.labelRect.isNull() && !box.ownerName.isEmpty();
    const Qt::Alignment side = (box.labelAtLeft ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
    m_p.setFont(m_f.small);
    m_p.setPen(labelled ? m_c.text : m_c.textMuted);
    if (!box.labelRect.isNull())
        m_texts.draw(m_p, box.labelRect, side, labelled ? box.ownerName : box.number, Qt::ElideMiddle);
    QFont tiny = m_bold;
    tiny.setPointSizeF(m_bold.pointSizeF() * 0.82);
    if (r.width() < 20 * m_u)
        return;
    const double room = r.width() - 4;
    const QString shown = labelled ? box.number : m_texts.fitting(tiny, box.ownerName, room);
    const double wide = m_texts.width(tiny, shown);
    QFont inside = tiny;
    if (wide > room)
        inside.setPointSizeF(tiny.pointSizeF() * std::max(0.7, room / wide * 0.96));
    drawText(r.adjusted(2, 0, -2, 0), Qt::AlignCenter, inside, filled ? textOnState(box) : m_c.textMuted,
             shown);
    if (box.kind.isEmpty())
        return;
    const QRectF badge(r.right() - 8 * m_u, r.bottom() - 8 * m_u, 13 * m_u, 13 * m_u);
    m_p.setPen(QPen(m_c.textMuted, 1));
    m_p.setBrush(box.writes ? m_c.panel : m_c.card);
    m_p.drawRoundedRect(badge, 3 * m_u, 3 * m_u);
    drawText(badge, Qt::AlignCenter, tiny, m_c.text, box.kind);
}

void NodePainter::drawCell(const ChainNode& box)
{
    // There may be many: plain rectangles of whole pixels, no curves.
    const QRect r = box.rect.toRect();
    const int edge = r.width() < 8 ? 1 : 2;
    if (box.selected || box.pointed) {
        m_p.fillRect(r.adjusted(-3, -3, 3, 3), box.selected ? m_c.accent : m_c.text);
        m_p.fillRect(r.adjusted(-1, -1, 1, 1), m_c.card);
    }
    const bool hollow = box.silent() || box.state == NodeState::foreign || box.state == NodeState::joins ||
                        box.state == NodeState::gone || box.state == NodeState::sessionGone ||
                        box.state == NodeState::orphan;
    m_p.fillRect(r, stateColour(box));
    if (hollow)
        m_p.fillRect(r.adjusted(edge, edge, -edge, -edge), m_c.card);
    if (box.silent())
        m_p.fillRect(r.adjusted(2 * edge, 2 * edge, -2 * edge, -2 * edge), m_c.frozen);
    if (!box.writes)
        return;
    const QPointF cut = QPointF(r.width(), r.height()) * 0.5;
    const QPointF corner = QRectF(r).topRight();
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(m_c.card);
    m_p.drawPolygon(QPolygonF{corner - QPointF(cut.x(), 0), corner, corner + QPointF(0, cut.y())});
}

} // namespace lockscope::ui::chain
