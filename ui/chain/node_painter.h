// Draws one node of the chain at each scale: large box, small box, circle, cell. GUI thread.
#pragma once

#include "ui/chain/chain_scene.h"
#include "ui/models/style/theme.h"

#include <QPainter>

namespace lockscope::ui::chain {

class NodePainter
{
public:
    NodePainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit);
    void draw(const ChainNode& box);

private:
    void drawLarge(const ChainNode& box);
    void drawSmall(const ChainNode& box);
    void drawDetail(const ChainNode& box, const QRectF& rect);
    void drawCircle(const ChainNode& box);
    void drawCell(const ChainNode& box);
    void drawFrame(const ChainNode& box, double bar);
    void drawKind(const ChainNode& box, double left, double middle);
    void drawDepth(const ChainNode& box, double left, double middle, double right);
    double drawPill(const ChainNode& box, const QString& all, double left, double middle, double height,
                    double most);
    void drawDot(const ChainNode& box, const QPointF& at, double radius);
    void drawName(const QRectF& rect, const QColor& colour, const QString& name);
    void drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font, const QColor& colour,
                  const QString& text);
    QColor stateColour(const ChainNode& box) const;
    QColor textOnState(const ChainNode& box) const;
    QPen framePen(const ChainNode& box) const;

    QPainter& m_p;
    const Palette& m_c;
    const Fonts& m_f;
    TextCache& m_texts;
    const double m_u;
    QFont m_bold; // small and bold: pills
};

} // namespace lockscope::ui::chain
