// Draws a protocol picture. The only part of the protocol that knows colors. GUI thread.
#pragma once

#include <QPainter>

#include "ui/models/style/palette.h"
#include "ui/protocol/protocol_picture.h"

namespace lockscope::ui {

struct ProtocolHighlights
{
    EventIndex selected = EventIndex::none();
    ClientId client = ClientId::none();
    ProtocolHit hovered;
};

class ProtocolPainter
{
public:
    ProtocolPainter(QPainter& painter, const Palette& palette, const Fonts& fonts)
        : m_painter(painter)
        , m_palette(palette)
        , m_fonts(fonts)
    {}
    void draw(const ProtocolPicture& picture, const ProtocolHighlights& highlights);

private:
    void drawLanes(const ProtocolPicture& picture);
    void drawHandoff(const ProtocolPicture& picture);
    void drawFolds(const ProtocolPicture& picture);
    void drawBars(const ProtocolPicture& picture);
    void drawBarLabels(const ProtocolPicture& picture);
    void drawArrow(const ProtocolArrow& arrow, bool selected, bool hovered);
    void drawLabel(const ProtocolArrow& arrow);
    void drawLatency(const ProtocolArrow& arrow);
    void drawBox(const ProtocolBox& box, bool selected, bool hovered);
    void drawBracket(const ProtocolBracket& bracket);
    void drawHeads(const ProtocolPicture& picture, const ProtocolHighlights& highlights);
    QColor ink(const ProtocolArrow& arrow) const;
    void chip(const QRectF& rect, const QString& text, const QColor& ink);

    QPainter& m_painter;
    const Palette& m_palette;
    const Fonts& m_fonts;
};

} // namespace lockscope::ui
