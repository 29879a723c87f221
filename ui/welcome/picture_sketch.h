// Draws the parts of a scenario's small picture: arrows, nodes, clients, locks, servers. Lives for one paint.
// GUI thread.
#pragma once

#include "ui/welcome/picture_plan.h"

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>

class QPainter;

namespace lockscope::ui {

struct Palette;

class PictureSketch
{
public:
    static constexpr qreal kBox = 36; // the side of a node

    PictureSketch(QPainter& painter, const Palette& palette, const QFont& font)
        : m_painter(painter)
        , m_palette(palette)
        , m_font(font)
    {}

    void arrow(QPointF from, QPointF to, const QColor& colour);
    void bar(QPointF from, QPointF to, const QColor& colour);
    // A client's node in the queue: green holds, amber waits. Each fault has a shape of its own.
    void box(QPointF centre, const PicturePlan::Node& node, bool holds);
    void bolt(QPointF centre, const QColor& colour);
    void dot(QPointF centre, const PicturePlan::Node& node, qreal radius = kDot);
    void lock(QPointF centre, const QColor& edge);
    void server(QPointF centre, PicturePlan::Effect effect);
    void text(const QRectF& where, const QString& words, const QColor& colour);
    void frame(const QRectF& where, const QColor& edge, Qt::PenStyle style);

    const Palette& palette() const { return m_palette; }

private:
    static constexpr qreal kDot = 7;

    void drawContent(QPointF centre, const PicturePlan::Node& node);

    QPainter& m_painter;
    const Palette& m_palette;
    QFont m_font;
};

} // namespace lockscope::ui
