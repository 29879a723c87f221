// How fast the protocol goes: a slider from full speed to two seconds per step, with the words beside it. GUI
// thread.
#pragma once

#include <QLabel>
#include <QSlider>
#include <QWidget>

#include "core/base/time.h"

class QAction;

namespace lockscope::ui {

class Actions;
class Theme;
class RunModel;

class PaceSlider : public QWidget
{
    Q_OBJECT
public:
    enum class Width { full, brief, noCaption, slider }; // a shorter slider; no word before it; no words at all
    PaceSlider(RunModel* model, const Actions& actions, Theme* theme, QWidget* parent);
    void setWidth(Width width);
    int widthFor(Width width) const;
    void setDisabledReason(const QString& why); // why there is no pace to be set; empty: there is

signals:
    void paceRequested(lockscope::Duration step);

private:
    void step(int positions); // slower (> 0) or faster
    void restyle();
    void showPace(Duration step);
    void followRun();
    void updateToolTip();
    RunModel* m_model;
    Theme* m_theme;
    const QAction* m_slower;
    const QAction* m_faster;
    QLabel* m_caption;
    QSlider* m_slider;
    QLabel* m_words;
    QString m_disabledReason;
    Duration m_lastPace{-1}; // the run's pace when it was last looked at
};

} // namespace lockscope::ui
