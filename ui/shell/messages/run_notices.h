// Turns what happens to a live run into messages: a failure, a server that does not answer, refused commands
// and notices. An earlier moment of the run posts no messages. GUI thread.
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
    void dismissRefusals(); // something else is done to the run

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
    QStringList m_refusals;           // keys of those that are shown
    std::uint64_t m_grantsBefore = 0; // the last of them
    EventIndex m_lastSeen = EventIndex::none();
    bool m_serverDown = false;
    QTimer m_serverTimer; // a short silence is not worth a message
    bool m_failed = false;
};

} // namespace lockscope::ui
