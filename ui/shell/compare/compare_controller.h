// Runs a comparison from menu to window: asks what to compare, starts the job, reports its progress, and
// opens the result. GUI thread.
#pragma once

#include <QObject>

#include "ui/shell/compare/compare_job.h"
#include "ui/shell/messages/message.h"

class QWidget;

namespace lockscope::ui {

class CompareWindow;
class Theme;
class RunController;

class CompareController : public QObject
{
    Q_OBJECT
public:
    CompareController(RunController* control, Theme* theme, QWidget* window);

    void compareWithCurrentRun(); // compares the run that is shown with another one
    void compareTwo();

signals:
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);
    void opened(lockscope::ui::CompareWindow* window);

private:
    void ask(CompareSource present);
    void open(const ComparedRunPtr& a, const ComparedRunPtr& b);

    RunController* m_control;
    Theme* m_theme;
    QWidget* m_window;
    CompareJob m_job;
};

} // namespace lockscope::ui
