// The findings of the run: an icon, a title and a sentence each. Opening a violated one moves all views to
// the event that proves it; opening it again moves to the previous violation. GUI thread.
#pragma once

#include <QListView>

#include "ui/canvas/view.h"
#include "ui/models/style/theme.h"

namespace lockscope::ui {

class FindingsModel;
class RunModel;
class Selection;

class FindingsView : public QListView, public View
{
    Q_OBJECT
public:
    FindingsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QList<const char*> footer() const override { return {"showViolation", "saveTrace", "savePicture"}; }

protected:
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void updateCaption();
    void open(const QModelIndex& index);
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    FindingsModel* m_model;
};

} // namespace lockscope::ui
