// The bar at the top: what runs, run or pause, pace, clients, what if, the verdicts and the server.
// Assembles; when it gets narrow its parts are shortened, step by step, instead of being cut off. GUI thread.
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
    static constexpr int kMaxNarrowness = 7; // the levels of narrowness go from 0 to this
    RunBar(RunModel* model, RunController* control, Actions* actions, FaultMenu* faults, Theme* theme,
           QWidget* parent);

    // Adds the button that holds all and steps, beside the one that runs; its words are the action's.
    void addStep(QAction* oneStep);

    // A lesson's panel has the title, and the way to other runs.
    void setLesson(bool lesson);

    void addAtEnd(QWidget* part); // at the right of the server

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
    void showParts();                      // that can do something to the run
    PartWidths widthsFor(int level) const; // the server badge is longer where there is room
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
    int m_narrowness = -1; // not fitted yet
};

} // namespace lockscope::ui
