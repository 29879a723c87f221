// The bar at the top: scenario, run or pause, step, pace, clients, faults, the verdicts and the server. When
// the bar gets narrow, it shortens its parts step by step so that none is cut off. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/shell/runbar/findings_pills.h"
#include "ui/shell/window/actions.h"

class QLabel;
class QPushButton;

namespace lockscope::ui {

class ClientCountBox;
class Theme;
class PaceSlider;
class RunController;
class RunModel;
class ScenarioChooser;
class ServerBadge;
class FaultMenu;

class RunBar : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kMaxNarrowness = 7; // the highest level of narrowness; the lowest is 0
    RunBar(RunModel* model, RunController* control, Actions* actions, FaultMenu* faults, Theme* theme,
           QWidget* parent);

    // Connects the step button, beside the run button, to StepMenu::oneStep().
    void addStep(QAction* oneStep);

    // During a lesson the scenario chooser is hidden: the lesson's panel shows the title and leads to other
    // runs.
    void setLesson(bool lesson);

    void addAtEnd(QWidget* part); // to the right of the server badge

    QSize minimumSizeHint() const override;
    int narrowness() const { return m_narrowness; }

signals:
    void findingClicked(lockscope::replay::FindingKind kind);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void assemble();
    void connectParts(Actions* actions);
    void restyle();
    void showStage();
    void showDisabledReason(const QString& disabledReason);
    void showFaultButton();
    struct PartWidths;
    static PartWidths widthsAt(int level);
    void showParts();                      // shows only the controls that apply to the run's stage
    PartWidths widthsFor(int level) const; // widens the chooser and the server badge where there is room
    int widthFor(const PartWidths& widths) const;
    void fit();

    RunController* m_control;
    Actions* m_actions;
    Theme* m_theme;
    QLabel* m_brand;
    ScenarioChooser* m_chooser;
    QPushButton* m_run;
    QPushButton* m_step;
    PaceSlider* m_pace;
    ClientCountBox* m_clients;
    QPushButton* m_faults;
    FindingsPills* m_pills;
    ServerBadge* m_server;
    QPointer<QWidget> m_end;
    bool m_stepping = false;
    int m_narrowness = -1; // -1: not fitted yet
};

} // namespace lockscope::ui
