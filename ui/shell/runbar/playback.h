// Plays a recorded run: moves the cursor in real time, or faster or slower, until the end. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/base/time.h"

#include <array>

namespace lockscope::ui {

class RunModel;

class Playback : public QObject
{
    Q_OBJECT
public:
    static constexpr std::array kSpeeds{0.001, 0.01, 0.1, 1.0, 10.0};
    static constexpr int kDefaultSpeed = 3; // an index of kSpeeds

    Playback(RunModel* model, QObject* parent);
    static QString words(double speed); // "0.01×"
    double speed() const { return m_speed; }
    bool playing() const { return m_timer.isActive(); }
    void setSpeed(double speed) { m_speed = speed; } // 1 = as it happened

public slots:
    void toggle(); // starts or stops; at the end, starts again from the beginning
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
