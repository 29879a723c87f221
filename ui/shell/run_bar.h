// The bar at the top: what runs, run or pause, pace, clients, what if, the verdicts and the server.
// Assembles; when it gets narrow its parts say less, step by step, instead of being cut off. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/shell/actions.h"
#include "ui/shell/findings_pills.h"

class QLabel;
class QPushButton;

namespace lockscope::ui {

class ClientCountBox;
class Look;
class PaceSlider;
class RunControl;
class RunModel;
class ScenarioChooser;
class ServerBadge;
class WhatIfMenu;

class RunBar : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kNarrowest = 6; // the levels of narrowness go from 0 to this
    RunBar(RunModel* model, RunControl* control, Actions* actions, WhatIfMenu* whatIf, Look* look,
           QWidget* parent);

    // Adds the button that holds all and steps, beside the one that runs; its words are the action's.
    void addStep(QAction* oneStep);

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
    void showObstacle(const QString& obstacle);
    void showWhatIf();
    struct Shape;
    static Shape shapeAt(int level);
    void showParts(); // that can do something to the run
    Shape shapeFor(int level) const; // the server says more where there is room
    int widthFor(const Shape& shape) const;
    void fit();

    RunControl* m_control;
    Actions* m_actions;
    Look* m_look;
    QLabel* m_brand;
    ScenarioChooser* m_chooser;
    QPushButton* m_run;
    QPushButton* m_step;
    PaceSlider* m_pace;
    ClientCountBox* m_clients;
    QPushButton* m_whatIf;
    FindingsPills* m_pills;
    ServerBadge* m_server;
    QPointer<QWidget> m_end;
    int m_narrowness = -1; // not fitted yet
};

} // namespace lockscope::ui
