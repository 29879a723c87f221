// Watches locks of other programs for the window: resolves the addresses and connects in the background,
// fetches a snapshot a few times a second, and has the runs of chosen locks recorded. Only reads from the
// servers. Waits only in its destructor. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/base/error.h"
#include "core/engine/session_key.h"
#include "core/field/field_watch.h"
#include "core/tls/tls.h"
#include "core/zk/hosts.h"
#include "core/zk/wire/sasl.h"
#include "ui/models/run/worker.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::ui {

struct WatchTarget
{
    QString servers;    // "10.0.0.1:2181,zoo-2:2181/chroot", with "tls://" in front if secured
    QStringList paths;  // of locks, or of folders with locks below them
    QString history;    // the server's own log, to fill in how holds ended; may be empty
    tls::Options tls{}; // of secured servers
    zk::wire::SaslOptions sasl{};
};

class WatchJob : public QObject
{
    Q_OBJECT
public:
    // `resolver`: null: the system's.
    explicit WatchJob(QObject* parent = nullptr, zk::Resolver resolver = {});
    ~WatchJob() override; // waits until the sessions are closed

    void start(const WatchTarget& target); // stops the previous watch
    void stop();
    const trace::SessionNames* writtenNames() const { return m_key.get(); }
    void showRun(const std::vector<std::string>& locks); // see runReady()

signals:
    void snapshotTaken(const lockscope::field::SnapshotPtr& snapshot);
    void failed(const lockscope::Error& error); // no server was ever reached; the job has stopped
    void warned(const lockscope::Error& error); // a host without an address
    void runReady(const std::shared_ptr<const lockscope::trace::TraceStore>& store);
    void runEnded();

private:
    void begin(field::WatchOptions options);
    void refresh();

    const std::shared_ptr<const engine::SessionKey> m_key = std::make_shared<engine::SessionKey>("");
    std::unique_ptr<field::FieldWatch> m_watch;
    field::SnapshotPtr m_last;
    const zk::Resolver m_resolver;
    Worker m_resolving{this};
    Worker m_endings; // close sessions
    QTimer m_timer;
    int m_run = 0; // the number of the last requested run
    bool m_started = false;
};

} // namespace lockscope::ui
