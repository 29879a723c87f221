#include "ui/locks/watch_job.h"

#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kLookMs = 200;
constexpr Duration kContactLimit = std::chrono::seconds(5); // the user waits for it
} // namespace

WatchJob::WatchJob(QObject* parent, zk::Resolver resolver)
    : QObject(parent)
    , m_resolver(std::move(resolver))
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &WatchJob::refresh);
}

WatchJob::~WatchJob() { stop(); }

void WatchJob::start(const WatchTarget& target)
{
    stop();
    m_started = true;
    std::vector<std::string> paths;
    for (const QString& path : target.paths)
        paths.push_back(path.toStdString());
    m_resolving.start([this, connect = target.servers.toStdString(), paths, files = target.tls,
                       sasl = target.sasl](const std::stop_token& stop) {
        const zk::ConnectString parts = zk::splitAndTrimChroot(connect);
        const Result<zk::ResolvedHosts> resolved = zk::resolveEveryHost(parts.servers, m_resolver, stop);
        const Result<tls::ContextPtr> context =
            parts.tls ? tls::load(files) : Result<tls::ContextPtr>(tls::ContextPtr());
        if (!resolved || !context)
            return m_resolving.post(stop, [this, error = resolved ? context.error() : resolved.error()] {
                emit failed(error);
                this->stop();
            });
        field::WatchOptions options;
        options.hosts = resolved->addresses;
        options.chroot = parts.chroot;
        options.security = {*context, resolved->names};
        options.sasl = sasl;
        options.paths = paths;
        options.connectTimeout = kContactLimit;
        m_resolving.post(stop, [this, options = std::move(options), unresolved = resolved->unresolved] {
            for (const Error& error : unresolved)
                emit warned(error);
            begin(options);
        });
    });
}

void WatchJob::begin(field::WatchOptions options)
{
    m_watch = std::make_unique<field::FieldWatch>(std::move(options));
    m_watch->record(m_key);
    m_watch->start();
    m_timer.start();
}

// Closing the session may take a while; the GUI thread does not wait for it.
void WatchJob::stop()
{
    m_resolving.cancel();
    m_timer.stop();
    m_last.reset();
    ++m_run;
    if (m_watch)
        m_endings.start([watch = std::shared_ptr<field::FieldWatch>(std::move(m_watch))](
                            const std::stop_token&) { watch->stop(); });
    if (std::exchange(m_started, false)) // even if its addresses were not resolved yet
        emit runEnded();
}

void WatchJob::refresh()
{
    if (const auto error = m_watch->failure()) {
        emit failed(*error);
        return stop();
    }
    field::SnapshotPtr snapshot = m_watch->snapshot();
    if (snapshot == m_last)
        return;
    m_last = snapshot;
    emit snapshotTaken(snapshot);
}

void WatchJob::showRun(const std::vector<std::string>& locks)
{
    if (!m_watch)
        return;
    const int run = ++m_run;
    m_watch->beginRun({locks.begin(), locks.end()},
                      [this, run](std::shared_ptr<const trace::TraceStore> store) {
                          QMetaObject::invokeMethod(
                              this,
                              [this, run, store = std::move(store)] {
                                  if (run == m_run)
                                      emit runReady(store);
                              },
                              Qt::QueuedConnection);
                      });
}

} // namespace lockscope::ui

#include "moc_watch_job.cpp"
