// Draws one node of the chain at each scale: large card, small card, circle, cell. GUI thread.
#pragma once

#include "ui/chain/chain_scene.h"
#include "ui/models/theme.h"

#include <QPainter>

namespace lockscope::ui::chain {

class NodePainter
{
public:
    NodePainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit);
    void draw(const ChainNode& card);

private:
    void drawLarge(const ChainNode& card);
    void drawSmall(const ChainNode& card);
    void drawDetail(const ChainNode& card, const QRectF& rect);
    void drawCircle(const ChainNode& card);
    void drawCell(const ChainNode& card);
    void drawFrame(const ChainNode& card, double bar);
    void drawKind(const ChainNode& card, double left, double middle);
    void drawDepth(const ChainNode& card, double left, double middle, double right);
    double drawPill(const ChainNode& card, const QString& text, double left, double middle, double height,
                    double most);
    void drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font, const QColor& colour,
                  const QString& text);
    QColor stateColour(const ChainNode& card) const;
    QColor textOnState(const ChainNode& card) const;
    QPen framePen(const ChainNode& card) const;

    QPainter& m_p;
    const Palette& m_c;
    const Fonts& m_f;
    TextCache& m_texts;
    const double m_u;
    QFont m_bold; // small and bold: pills
};

} // namespace lockscope::ui::chain
