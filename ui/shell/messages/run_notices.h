// Posts messages about a live run: a failure, a server that does not answer, refused commands and notices.
// Posts nothing while the user views an earlier moment of the run. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/base/ids.h"
#include "ui/shell/messages/message.h"

namespace lockscope::ui {

class RunModel;

class RunNotices : public QObject
{
    Q_OBJECT
public:
    static constexpr int kServerGraceMs = 700;
    RunNotices(RunModel* model, QObject* parent);

public slots:
    void dismissRefusals(); // called when another command is posted

signals:
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);
    void retryRequested(); // the button of a failure was clicked

private:
    void newRun();
    void checkPhase();
    void checkState();
    void checkServer();
    void postServerDown();

    RunModel* m_model;
    QStringList m_posted;             // the keys of the notices of this run
    QStringList m_refusals;           // the keys of the shown refusals
    std::uint64_t m_grantsBefore = 0; // the number of grants at the last refusal
    EventIndex m_lastSeen = EventIndex::none();
    bool m_serverDown = false;
    QTimer m_serverTimer; // delays the message, so that a short outage posts none
    bool m_failed = false;
};

} // namespace lockscope::ui
