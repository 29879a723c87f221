#include "ui/welcome/picture_sketch.h"

#include "ui/canvas/arrows.h"
#include "ui/models/style/palette.h"

#include <QPainter>
#include <QPainterPath>

namespace lockscope::ui {

namespace {

using Effect = PicturePlan::Effect;
using Node = PicturePlan::Node;

constexpr qreal kHead = 8;
constexpr qreal kServer = 15;

QRectF around(QPointF centre, qreal side)
{
    return {centre.x() - side / 2, centre.y() - side / 2, side, side};
}

} // namespace

void PictureSketch::arrow(QPointF from, QPointF to, const QColor& colour)
{
    drawArrow(m_painter, from, to, QPen(colour, 1.6), {kHead});
}

void PictureSketch::bar(QPointF from, QPointF to, const QColor& colour)
{
    m_painter.setPen(QPen(colour, 4, Qt::SolidLine, Qt::RoundCap));
    m_painter.drawLine(from, to);
}

void PictureSketch::box(QPointF centre, const Node& node, bool holds)
{
    const QRectF frame = around(centre, kBox);
    const bool gone =
        node.effect == Effect::bolt || node.effect == Effect::lostReply || node.effect == Effect::deleted;
    QColor edge = holds ? m_palette.holds : m_palette.waits;
    if (node.effect == Effect::bolt || node.effect == Effect::deleted) {
        edge = m_palette.stale;
    } else if (node.effect == Effect::lostReply) {
        edge = m_palette.textFaint;
    } else if (node.effect == Effect::frozen) {
        edge = m_palette.frozen;
    }
    m_painter.setPen(QPen(edge, 1.8, gone ? Qt::DashLine : Qt::SolidLine));
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(frame, 6, 6);
    if (node.effect == Effect::frozen) {
        m_painter.setBrush(QBrush(m_palette.stale, Qt::BDiagPattern));
        m_painter.setPen(QPen(edge, 1.8));
        m_painter.drawRoundedRect(frame, 6, 6);
    }
    drawContent(centre, node);
    if (node.effect == Effect::link) {
        bolt(centre + QPointF(kBox / 2, -kBox / 2 + 2), m_palette.stale);
    }
}

void PictureSketch::bolt(QPointF centre, const QColor& colour)
{
    const QPolygonF shape{QPointF(1.5, -9), QPointF(-5, 1.5), QPointF(-0.5, 1.5),
                          QPointF(-1.5, 9), QPointF(5, -1.5), QPointF(0.5, -1.5)};
    m_painter.setPen(QPen(m_palette.panel, 1.2));
    m_painter.setBrush(colour);
    m_painter.drawPolygon(shape.translated(centre));
}

void PictureSketch::dot(QPointF centre, const Node& node, qreal radius)
{
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_palette.client(node.colour));
    if (node.writes) { // a diamond: a writer holds alone
        const qreal reach = radius * 1.25;
        m_painter.drawPolygon(QPolygonF{centre + QPointF(0, -reach), centre + QPointF(reach, 0),
                                        centre + QPointF(0, reach), centre + QPointF(-reach, 0)});
    } else {
        m_painter.drawEllipse(centre, radius, radius);
    }
}

void PictureSketch::lock(QPointF centre, const QColor& edge)
{
    const QRectF body(centre.x() - 11, centre.y() - 5, 22, 16);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(edge, 2));
    QPainterPath shackle(QPointF(centre.x() - 6, body.top()));
    shackle.cubicTo(centre + QPointF(-6, -17), centre + QPointF(6, -17), QPointF(centre.x() + 6, body.top()));
    m_painter.drawPath(shackle);
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(body, 3, 3);
}

void PictureSketch::server(QPointF centre, Effect effect)
{
    const QRectF frame = around(centre, kServer).adjusted(-6, 0, 6, 0);
    const bool struck = effect != Effect::none;
    m_painter.setPen(
        QPen(struck ? m_palette.stale : m_palette.textFaint, 1.4, struck ? Qt::DashLine : Qt::SolidLine));
    m_painter.setBrush(m_palette.card);
    m_painter.drawRoundedRect(frame, 3, 3);
    m_painter.setPen(QPen(m_palette.textFaint, 1.2));
    m_painter.drawLine(frame.left() + 5, centre.y(), frame.right() - 5, centre.y());
    if (struck) {
        bolt(centre, m_palette.stale);
    }
}

void PictureSketch::text(const QRectF& where, const QString& words, const QColor& colour)
{
    m_painter.setFont(m_font);
    m_painter.setPen(colour);
    m_painter.drawText(where, Qt::AlignCenter, words);
}

void PictureSketch::frame(const QRectF& where, const QColor& edge, Qt::PenStyle style)
{
    m_painter.setPen(QPen(edge, 1.4, style));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(where, 8, 8);
}

void PictureSketch::drawContent(QPointF centre, const Node& node)
{
    if (node.effect == Effect::bolt) {
        bolt(centre, m_palette.stale);
    } else if (node.effect == Effect::lostReply) {
        text(around(centre, kBox), QStringLiteral("?"), m_palette.textMuted);
    } else if (node.effect == Effect::deleted) {
        drawCross(m_painter, centre, 5, QPen(m_palette.stale, 2));
    } else if (node.sharedSession) {
        for (int n = 0; n < 9; ++n) {
            dot(centre + QPointF((n % 3 - 1) * 9, (n / 3 - 1) * 9), node, 2.8);
        }
    } else {
        if (node.reenters) {
            m_painter.setPen(QPen(m_palette.client(node.colour), 1.4));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawEllipse(centre, kDot + 4, kDot + 4);
        }
        dot(centre, node);
    }
}

} // namespace lockscope::ui
