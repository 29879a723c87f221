// Draws the tools over the timeline: the measured range, bookmarks, search matches, and the parts of the
// handoff under the mouse. GUI thread.
#pragma once

#include "ui/models/style/palette.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

namespace lockscope::ui {

// Places a box beside a point: within `room`, and not over `kept`.
QRect placeBeside(QPointF point, QSize card, const QRect& room, const QRect& kept);

class TimelineToolPainter
{
public:
    TimelineToolPainter(QPainter& painter, const Palette& palette, const Fonts& fonts,
                        const TimelinePicture& picture)
        : m_painter(painter)
        , m_palette(palette)
        , m_fonts(fonts)
        , m_picture(picture)
    {}
    void drawFlags();
    void drawMatches();
    void drawFound(ClientId lane, TraceTime at); // the match that was jumped to
    void drawMeasure(const MeasuredStretch& stretch, const QStringList& lines);
    QRect measureLabel(const MeasuredStretch& stretch, const QStringList& lines) const;
    // The box does not cover `kept`.
    void drawHandoff(const TimelineArrow& arrow, const replay::Handoff& handoff, const TimelineFacts& facts,
                     const QRect& kept);
    void drawOnStrip(const OverviewStrip& strip, const std::vector<Bookmark>& notes,
                     const EventSearch& search);

private:
    void drawFlag(QPointF foot, bool isLeft);
    void drawWithin(QPointF end, TraceTime within);

    QPainter& m_painter;
    const Palette& m_palette;
    const Fonts& m_fonts;
    const TimelinePicture& m_picture;
};

} // namespace lockscope::ui
