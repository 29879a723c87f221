// The bars at the top of the window. On the left, scenario, run or pause, step, pace and clients: what does
// not fit is behind the button with which every tool bar ends. On the right the status, which is always in
// sight: faults, the verdicts, the server and the messages, in words that get shorter with the window. GUI
// thread.
#pragma once

#include <QHash>
#include <QPointer>
#include <QToolBar>

#include "ui/shell/runbar/findings_pills.h"
#include "ui/shell/window/actions.h"

#include <optional>

class QHBoxLayout;
class QLabel;
class QMainWindow;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class ClientCountBox;
class Theme;
class PaceSlider;
class RunController;
class RunModel;
class ScenarioChooser;
class ServerBadge;
class FaultMenu;

class RunBar : public QToolBar
{
    Q_OBJECT
public:
    // Adds both bars to the window.
    RunBar(RunModel* model, RunController* control, Actions* actions, FaultMenu* faults, Theme* theme,
           QMainWindow* window);

    // Connects the step button, beside the run button, to StepMenu::oneStep().
    void addStep(QAction* oneStep);

    // During a lesson the scenario chooser is hidden: the lesson's panel shows the title and leads to other
    // runs.
    void setLesson(bool lesson);

    void addAtEnd(QWidget* part); // to the right of the server badge
    QToolBar* status() const { return m_status; }

    void setVisible(bool visible) override; // both bars
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void findingClicked(lockscope::replay::FindingKind kind);

protected:
    bool event(QEvent* event) override;

private:
    struct Fitted
    {
        StatusWidth words{}, server{};
        int chooser = 0;
        bool brand = false;
        bool operator==(const Fitted&) const = default;
    };
    void assemble(QMainWindow* window);
    void connectParts();
    void restyle();
    void showStage();
    void showDisabledReason(const QString& disabledReason);
    void showParts(); // shows only the controls that apply to the run's stage
    int widthFor(StatusWidth words) const;
    void fit();

    RunController* m_control;
    Actions* m_actions;
    Theme* m_theme;
    QToolBar* m_status;
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
    QHBoxLayout* m_statusRow = nullptr;
    QToolButton* m_more = nullptr;           // at the end of the controls, while some have no room
    QHash<const QWidget*, QAction*> m_shown; // the actions that show the controls
    bool m_stepping = false;
    std::optional<Fitted> m_fitted;
};

} // namespace lockscope::ui
