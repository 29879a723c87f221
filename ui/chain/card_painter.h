// Draws one node of the chain at each scale: large card, small card, circle, cell. GUI thread.
#pragma once

#include "ui/chain/chain_scene.h"
#include "ui/models/look.h"

#include <QPainter>

namespace lockscope::ui::chain {

class CardPainter
{
public:
    CardPainter(QPainter& painter, const Look& look, const Fonts& fonts, double unit);
    void draw(const Card& card);

private:
    void drawLarge(const Card& card);
    void drawSmall(const Card& card);
    void drawDetail(const Card& card, const QRectF& rect);
    void drawCircle(const Card& card);
    void drawCell(const Card& card);
    void drawFrame(const Card& card, double bar);
    void drawKind(const Card& card, double left, double middle);
    void drawDepth(const Card& card, double left, double middle, double right);
    double drawPill(const Card& card, const QString& text, double left, double middle, double height,
                    double most);
    void drawText(const QRectF& rect, Qt::Alignment alignment, const QFont& font, const QColor& colour,
                  const QString& text);
    QColor stateColour(const Card& card) const;
    QColor onState(const Card& card) const;
    QPen framePen(const Card& card) const;

    QPainter& m_p;
    const Palette& m_c;
    const Fonts& m_f;
    TextCache& m_texts;
    const double m_u;
    QFont m_bold; // small and bold: pills
};

} // namespace lockscope::ui::chain
