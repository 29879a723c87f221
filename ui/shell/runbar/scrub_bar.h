// The bar at the bottom: shows which moment of the run the window shows. Moves the run model's cursor and
// nothing else. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shell/runbar/playback.h"
#include "ui/shell/window/actions.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace lockscope::ui {

class Theme;
class RunModel;

class ScrubBar : public QWidget
{
    Q_OBJECT
public:
    ScrubBar(RunModel* model, Actions* actions, Theme* theme, QWidget* parent);

    QString position() const; // the text of the position label
    double speed() const { return m_playback.speed(); }
    void stopPlayback() { m_playback.stop(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void assemble();
    void fillSpeeds();
    void connectParts();
    QToolButton* button(QAction* action);
    void restyle();
    void refresh();
    void showPlaying(); // hides playback in the present of a live run
    void fitPosition(const QString& words);
    void seekTo(int position);

    RunModel* m_model;
    Actions* m_actions;
    Theme* m_theme;
    Playback m_playback;
    QToolButton* m_toStart;
    QToolButton* m_back;
    QToolButton* m_play;
    QToolButton* m_forward;
    QSlider* m_slider;
    QLabel* m_position;
    int m_width = 0; // of the position label; 0: not known yet
    QComboBox* m_speed;
    QPushButton* m_live;
};

} // namespace lockscope::ui
