// The strip below the timeline: the whole run in bars, and the time range of the timeline as a window in it.
// The time before the first client is compressed to a few pixels at the left. The bars are queried at most a
// few times a second while the run grows. GUI thread.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/style/palette.h"

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
    // Queries the run when that is due. Returns false when it was postponed: call again after the interval.
    // `start`: when the first client was added.
    bool update(const replay::Timeline& timeline, TraceTime start, TraceTime runEnd, int width);
    void draw(QPainter& painter, const Palette& palette, const QRect& strip, TraceTime begin,
              TraceTime end) const;

    // The rectangle of [begin, end) within the strip, at least wide enough to be dragged with the mouse.
    QRect windowRect(const QRect& strip, TraceTime begin, TraceTime end) const;
    TraceTime timeAt(const QRect& strip, int x) const;
    int xAt(const QRect& strip, TraceTime time) const;
    // The part for the time before the first client; empty when that time is not compressed.
    QRect compressedRect(const QRect& strip) const;
    TraceTime start() const { return m_start; } // of the first client

private:
    int startX(int width) const; // pixels before m_start

    std::vector<replay::Timeline::Overview> m_steps;
    TraceTime m_start{};
    TraceTime m_end{}; // of the strip
    int m_width = -1;
    QElapsedTimer m_age;
};

} // namespace lockscope::ui
