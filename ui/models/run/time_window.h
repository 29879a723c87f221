// The range of time that the timeline shows, and whether it follows the end. Zoom, pan and fit are arithmetic
// only. GUI thread. Invariants: begin() >= 0; length() >= kMinLength; while following, end() is the trace's
// end once the trace is as long as the window.
#pragma once

#include <QObject>

#include "core/base/time.h"

namespace lockscope::ui {

class TimeWindow : public QObject
{
    Q_OBJECT
public:
    static constexpr Duration kMinLength = std::chrono::microseconds(10);
    static constexpr Duration kDefaultLength =
        std::chrono::milliseconds(1200); // until the holds suggest another
    using QObject::QObject;

    TraceTime begin() const { return m_begin; }
    TraceTime end() const { return m_begin + m_length; }
    Duration length() const { return m_length; }
    bool following() const { return m_following; }
    bool showsAll() const { return m_all; }  // grows with the trace
    bool chosen() const { return m_chosen; } // whether zoom(), show() or showAll() set the length

    // Has no effect once a length was chosen. Keeps the end while following, otherwise the middle.
    void setDefaultLength(Duration length);

    void setTraceBegin(TraceTime begin); // when the first client joined; showAll() and centre() begin there
    void setTraceEnd(TraceTime end);     // while following, the window moves with it
    void zoom(double factor, TraceTime around); // factor > 1 shows more; `around` stays where it is
    void pan(Duration by);                      // stops following when it moves away from the end
    void show(TraceTime begin, TraceTime end);  // zoom to a range
    // Keeps the length and moves this moment to the middle, within the trace. Does nothing while all of it is
    // shown.
    void centre(TraceTime at);
    void showAll(); // from the trace's begin to its end, even when the trace grows
    void setFollowing(bool on);
    void reset(); // a new run

signals:
    void changed();

private:
    struct Shown
    {
        TraceTime begin;
        Duration length;
        bool following;
        bool all;
        bool operator==(const Shown&) const = default;
    };
    Shown shown() const { return {m_begin, m_length, m_following, m_all}; }
    void clampAndNotify(const Shown& before);
    TraceTime m_begin{};
    Duration m_length = kDefaultLength;
    TraceTime m_traceBegin{};
    TraceTime m_traceEnd{};
    bool m_following = true;
    bool m_all = false;
    bool m_chosen = false;
};

} // namespace lockscope::ui
