// Plays a recorded run: moves the cursor with the clock, faster or slower than it happened, until the end.
// GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/base/time.h"

namespace lockscope::ui {

class RunModel;

class Playback : public QObject
{
    Q_OBJECT
public:
    Playback(RunModel* model, QObject* parent);
    bool playing() const { return m_timer.isActive(); }
    void setSpeed(double speed) { m_speed = speed; } // 1 = as it happened

public slots:
    void toggle(); // at the end it starts again from the beginning
    void stop();

signals:
    void changed();

private:
    void tick();
    RunModel* m_model;
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_speed = 1;
};

} // namespace lockscope::ui
