// Draws a ladder picture. The only part of the ladder that knows colors. GUI thread.
#pragma once

#include <QPainter>

#include "ui/ladder/ladder_picture.h"
#include "ui/models/palette.h"

namespace lockscope::ui {

struct LadderHighlights
{
    EventIndex selected = EventIndex::none();
    ClientId client = ClientId::none();
    LadderHit hovered;
};

class LadderPainter
{
public:
    LadderPainter(QPainter& painter, const Palette& palette, const Fonts& fonts)
        : m_painter(painter)
        , m_palette(palette)
        , m_fonts(fonts)
    {}
    void draw(const LadderPicture& picture, const LadderHighlights& highlights);

private:
    void drawLanes(const LadderPicture& picture);
    void drawHandoff(const LadderPicture& picture);
    void drawFolds(const LadderPicture& picture);
    void drawBars(const LadderPicture& picture);
    void drawBarLabels(const LadderPicture& picture);
    void drawArrow(const LadderArrow& arrow, bool selected, bool hovered);
    void drawLabel(const LadderArrow& arrow);
    void drawLatency(const LadderArrow& arrow);
    void drawBox(const LadderBox& box, bool selected, bool hovered);
    void drawBracket(const LadderBracket& bracket);
    void drawHeads(const LadderPicture& picture, const LadderHighlights& highlights);
    QColor ink(const LadderArrow& arrow) const;
    void chip(const QRectF& rect, const QString& text, const QColor& ink);

    QPainter& m_painter;
    const Palette& m_palette;
    const Fonts& m_fonts;
};

} // namespace lockscope::ui
