// Draws the bars of a TimelinePicture: waits, holds, re-entry levels and overlays. GUI thread.
#pragma once

#include "ui/models/style/theme.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

namespace lockscope::ui {

// Fills a box with round corners; a small box without them.
void fillRounded(QPainter& painter, const QRectF& rect, qreal radius, const QBrush& brush);

class TimelineBarPainter
{
public:
    TimelineBarPainter(QPainter& painter, const Theme& theme)
        : m_painter(painter)
        , m_theme(theme)
        , m_palette(theme.palette())
    {}
    // `line`: the cursor's line; may be empty. Numbers are placed beside it.
    void draw(const TimelinePicture& picture, EventIndex selected, const QRect& line);
    void drawOverlayLabels(const TimelinePicture& picture); // above the arrows
    // Draws again, in front of this line, the labels that it crosses.
    void drawOverlayLabelsBefore(const TimelinePicture& picture, const QRect& line);

private:
    void drawBars(const TimelinePicture& picture, EventIndex selected);
    void drawDepths(const TimelinePicture& picture, const QRect& line);
    void drawOverlayLabel(const TimelineOverlayLabel& note);
    void drawBehind(const TimelinePicture& picture);
    void drawOverlays(const TimelinePicture& picture);
    void hatch(const QRect& rect, int from, const QColor& colour);

    QPainter& m_painter;
    const Theme& m_theme;
    const Palette& m_palette;
};

} // namespace lockscope::ui
