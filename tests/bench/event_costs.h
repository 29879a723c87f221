// CPU time of the GUI thread by the class that got an event and the kind of event, without what was sent on
// from there: which part of the window makes a frame slow. Slots count for whose event called them.
#pragma once

#include <QApplication>
#include <QString>

#include "core/base/time.h"

#include <map>
#include <vector>

namespace lockscope::ui {

Duration threadCpuTime();

class EventCosts : public QApplication
{
public:
    using QApplication::QApplication;

    void start() { m_counting = true; }
    void nextFrame(); // what follows counts for another frame
    // A line for each part: its mean in a frame, and in the slowest frames.
    void print() const;

    bool notify(QObject* receiver, QEvent* event) override;

private:
    using Frame = std::map<QString, Duration>;
    void add(const QString& name, QEvent::Type type, Duration spent);

    bool m_counting = false;
    Duration m_inner{}; // of the events sent on by the event that is under way
    Frame m_now;
    std::vector<Frame> m_frames;
};

} // namespace lockscope::ui
