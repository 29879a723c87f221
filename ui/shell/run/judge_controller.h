// Lets the user have a program's own lock judged: asks for the program, starts the run, and says the verdict
// when it is over. GUI thread.
#pragma once

#include <QObject>

#include "core/trace/store.h"
#include "ui/models/style/settings.h"
#include "ui/shell/dialogs/judge_dialog.h"
#include "ui/shell/messages/message.h"

#include <memory>

class QMainWindow;

namespace lockscope::ui {

class Actions;
class RunController;
class RunModel;

class JudgeController : public QObject
{
    Q_OBJECT
public:
    JudgeController(RunController* control, RunModel* model, Actions* actions, const Theme* theme,
                    Settings settings, QMainWindow* window);

signals:
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);

private:
    void ask();
    void start(const JudgeChoice& choice);
    void tell();

    RunController* m_control;
    RunModel* m_model;
    const Theme* m_theme;
    Settings m_settings;
    QMainWindow* m_window;
    JudgeChoice m_last;
    std::weak_ptr<const trace::TraceStore> m_told; // the run whose verdict was said last
};

} // namespace lockscope::ui
