// The strip below the timeline: the whole run in bars, with the range that the timeline shows as a window in it. The
// time before the first client is pressed into a few pixels at its left. The bars are asked for at most a few times a
// second while the run grows. GUI thread.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/palette.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QRect>

#include <vector>

namespace lockscope::ui {

class OverviewStrip
{
public:
    static constexpr int kRefreshMilliseconds = 250;

    void clear();
    // Asks the run again if that is due. False when a refresh was put off: call again after the interval. `start`: when
    // the first client came.
    bool update(const replay::Timeline& timeline, TraceTime start, TraceTime runEnd, int width);
    void draw(QPainter& painter, const Palette& palette, const QRect& strip, TraceTime begin,
              TraceTime end) const;

    // The rectangle of [begin, end) within the strip, at least wide enough to be caught with the mouse.
    QRect windowRect(const QRect& strip, TraceTime begin, TraceTime end) const;
    TraceTime timeAt(const QRect& strip, int x) const;
    int xAt(const QRect& strip, TraceTime time) const;
    // The part that stands for the time before the first client; empty when that has its share and no less.
    QRect pressed(const QRect& strip) const;
    TraceTime start() const { return m_start; } // where the rest begins
    std::size_t queries() const { return m_queries; } // how often the run was asked

private:
    int startX(int width) const; // pixels before m_start

    std::vector<replay::Timeline::Overview> m_steps;
    TraceTime m_start{};
    TraceTime m_end{}; // of the strip
    int m_width = -1;
    QElapsedTimer m_age;
    std::size_t m_queries = 0;
};

} // namespace lockscope::ui
