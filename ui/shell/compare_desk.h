// The way from the menu to a comparison: asks what to compare, has it made, opens its window, and says
// meanwhile how far it is. GUI thread.
#pragma once

#include <QObject>

#include "ui/shell/compare_job.h"
#include "ui/shell/message.h"

class QWidget;

namespace lockscope::ui {

class CompareWindow;
class Look;
class RunControl;

class CompareDesk : public QObject
{
    Q_OBJECT
public:
    CompareDesk(RunControl* control, Look* look, QWidget* window);

    void compareWithPresent(); // the run that is shown, with another one
    void compareTwo();

signals:
    void said(const lockscope::ui::Message& message);
    void unsaid(const QString& key);
    void opened(lockscope::ui::CompareWindow* window);

private:
    void ask(CompareSource present);
    void open(const ComparedRunPtr& a, const ComparedRunPtr& b);

    RunControl* m_control;
    Look* m_look;
    QWidget* m_window;
    CompareJob m_job;
};

} // namespace lockscope::ui
