// The stretch of time that the timeline shows, and whether it follows the end. Zoom, pan and fit are here,
// as pure arithmetic, so that they are tested without a window. GUI thread.
#pragma once

#include "core/base/time.h"

#include <QObject>

namespace lockscope::ui {

class TimeWindow : public QObject
{
    Q_OBJECT
public:
    static constexpr Duration kShortest = std::chrono::microseconds(10);
    using QObject::QObject;

    TraceTime begin() const { return m_begin; }
    TraceTime end() const { return m_begin + m_length; }
    Duration length() const { return m_length; }
    bool following() const { return m_following; }

    void setTraceEnd(TraceTime end);              // while following, the window moves with it
    void zoom(double factor, TraceTime around);   // factor > 1 shows more; `around` stays where it is
    void pan(Duration by);                        // stops following when it moves away from the end
    void show(TraceTime begin, TraceTime end);    // zoom to a range
    void showAll();
    void setFollowing(bool on);
    void reset();                                 // a new run

signals:
    void changed();

private:
    void clampAndTell();
    TraceTime m_begin{};
    Duration m_length = std::chrono::milliseconds(1200);
    TraceTime m_traceEnd{};
    bool m_following = true;
};

} // namespace lockscope::ui
