// Sets the pace of the protocol: a slider from full speed to two seconds per step, with the pace as text
// beside it. GUI thread.
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
    PaceSlider(RunModel* model, const Actions& actions, Theme* theme, QWidget* parent);
    void setDisabledReason(const QString& why); // why the pace cannot be set; empty: it can

signals:
    void paceRequested(lockscope::Duration step);

private:
    void step(int positions); // slower (> 0) or faster (< 0)
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
    Duration m_lastPace{-1}; // the run's pace at the last followRun()
};

} // namespace lockscope::ui
