// Draws a TimelinePicture; computes no layout. GUI thread.
#pragma once

#include "ui/models/style/theme.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

#include <optional>

namespace lockscope::ui {

// The parts that change more often than the picture and are drawn over it.
struct TimelineHighlights
{
    ClientId selectedLane = ClientId::none();
    EventIndex selectedEvent = EventIndex::none();
    std::optional<std::size_t> hoveredHandoff;
    std::optional<TraceTime> cursor; // nullopt while it follows the end
    QString cursorLabel;
};

class TimelinePainter
{
public:
    TimelinePainter(QPainter& painter, const Theme& theme)
        : m_painter(painter)
        , m_theme(theme)
        , m_palette(theme.palette())
        , m_fonts(theme.fonts())
        , m_texts(theme.texts())
    {}
    void draw(const TimelinePicture& picture, const TimelineHighlights& highlights);

private:
    void drawLegend(const TimelinePicture& legend);
    void drawGrid(const TimelinePicture& picture);
    void drawTraces(const TimelinePicture& picture);
    void drawGaps(const TimelinePicture& picture);
    void drawContention(const TimelinePicture& picture);
    void drawOutages(const TimelinePicture& picture);
    void drawPauses(const TimelinePicture& picture);
    void drawHerds(const TimelinePicture& picture);
    void drawArrows(const TimelinePicture& picture, std::optional<std::size_t> hovered);
    void drawArrow(const TimelineArrow& arrow, const TimelineLayout& layout, bool hovered);
    void drawMarks(const TimelinePicture& picture, const QRect& pill);
    QRect cursorLine(const TimelinePicture& picture, const TimelineHighlights& highlights) const;
    QRect cursorPill(const TimelinePicture& picture, const TimelineHighlights& highlights) const;
    void drawCursor(const TimelinePicture& picture, const TimelineHighlights& highlights);
    void drawLabels(const TimelinePicture& picture, ClientId selected);

    QPainter& m_painter;
    const Theme& m_theme;
    const Palette& m_palette;
    const Fonts& m_fonts;
    TextCache& m_texts;
};

} // namespace lockscope::ui
