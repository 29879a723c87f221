// How fast the protocol goes: a slider from full speed to two seconds per step, with the words beside it. GUI
// thread.
#pragma once

#include <QLabel>
#include <QSlider>
#include <QWidget>

#include "core/base/time.h"

namespace lockscope::ui {

class Look;
class RunModel;

class PaceSlider : public QWidget
{
    Q_OBJECT
public:
    enum class Width { full, brief, mute }; // a shorter slider; and no word before it
    PaceSlider(RunModel* model, Look* look, QWidget* parent);
    void setWidth(Width width);
    int widthFor(Width width) const;
    void step(int positions); // slower (> 0) or faster

signals:
    void paceWanted(lockscope::Duration step);

private:
    void restyle();
    void showPace(Duration step);
    void followRun();
    RunModel* m_model;
    Look* m_look;
    QLabel* m_caption;
    QSlider* m_slider;
    QLabel* m_words;
    Duration m_told{-1}; // the run's pace when it was last looked at
};

} // namespace lockscope::ui
