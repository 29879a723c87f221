// The verdicts on the run: a check or an exclamation mark, a title and a sentence. A violated one leads to
// the event that proves it, and on to the one before it when it is asked again. GUI thread.
#pragma once

#include <QListView>

#include "core/base/time.h"
#include "ui/models/look.h"

#include <array>

namespace lockscope::ui {

class FindingsModel;
class RunModel;
class Selection;

class FindingsView : public QListView
{
    Q_OBJECT
public:
    FindingsView(RunModel* run, Selection* selection, Look* look, QWidget* parent = nullptr);
    QString caption() const { return m_caption; } // "checked on every event"

signals:
    void captionChanged();
    void showOnTimeline(lockscope::TraceTime time);

protected:
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyLook();
    void updateCaption();
    void open(const QModelIndex& index);
    RunModel* m_run;
    Selection* m_selection;
    Look* m_look;
    FindingsModel* m_model;
    QString m_caption;
    std::array<std::size_t, 16> m_opened{}; // how often each row was opened since the run began
};

} // namespace lockscope::ui
