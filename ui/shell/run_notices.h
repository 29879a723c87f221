// Turns what happens to a live run into messages: a failure, a server that does not answer, refused commands
// and notices. The past that somebody looks at says nothing. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/base/ids.h"
#include "ui/shell/message.h"

namespace lockscope::ui {

class RunModel;

class RunNotices : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSilenceMs = 700;
    RunNotices(RunModel* model, QObject* parent);

public slots:
    void dropRefusals(); // something else is done to the run

signals:
    void said(const lockscope::ui::Message& message);
    void unsaid(const QString& key);
    void tryAgain(); // somebody pressed the button of a failure

private:
    void newRun();
    void lookAtPhase();
    void lookAtState();
    void lookAtServer();
    void sayServerDown();

    RunModel* m_model;
    QStringList m_refusals;           // keys of those that are shown
    std::uint64_t m_grantsBefore = 0; // the last of them
    EventIndex m_lastSeen = EventIndex::none();
    bool m_serverDown = false;
    QTimer m_patience; // a short silence is not worth a message
    bool m_failed = false;
};

} // namespace lockscope::ui
