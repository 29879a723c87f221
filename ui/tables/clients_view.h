// The list of clients with their states and sessions. Selecting one selects it in all views. GUI thread.
#pragma once

#include <QAction>
#include <QListView>

#include "core/replay/state/run_state.h"
#include "ui/canvas/view.h"
#include "ui/models/style/theme.h"

namespace lockscope::ui {

class ClientsModel;
class RunModel;
class Selection;

class ClientsView : public QListView, public View
{
    Q_OBJECT
public:
    ClientsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QList<QAction*> options() const override { return {m_byPlace}; } // the order
    void restore(const Settings& settings) override;
    void save(Settings settings) const override;

signals:
    void clientMenuRequested(QPoint globalPlace); // for the selected client, otherwise for the view

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showLockOf(const replay::ClientRow& client, Selection* selection);
    void applyTheme();
    void updateCaption();
    RunModel* m_run;
    Theme* m_theme;
    ClientsModel* m_model;
    QAction* m_byPlace;
};

} // namespace lockscope::ui
