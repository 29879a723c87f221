#include "ui/shell/run/trace_jobs.h"

#include "core/field/ring_files.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kProgressMs = 100;
constexpr auto kFollowInterval = std::chrono::milliseconds(200);

std::filesystem::path nativePath(const QString& path)
{
    return std::filesystem::path(QFile::encodeName(path).toStdString());
}

} // namespace

TraceJobs::TraceJobs(QObject* parent)
    : QObject(parent)
{
    m_ticker.setInterval(kProgressMs);
    connect(&m_ticker, &QTimer::timeout, this, &TraceJobs::postProgress);
}

TraceJobs::~TraceJobs() { cancelLoad(); }

void TraceJobs::cancelLoad()
{
    if (m_progress) {
        m_progress->cancel = true;
        m_ticker.stop();
    }
}

void TraceJobs::load(const QString& path)
{
    read(path, &TraceJobs::loaded, [file = nativePath(path)](trace::LoadProgress& progress) {
        return trace::loadTrace(file, &progress);
    });
}

bool TraceJobs::canFollow(const QString& path) { return field::RingFollower::isWritten(nativePath(path)); }

void TraceJobs::follow(const QString& path)
{
    using State = field::RingFollower::State;
    cancelLoad();
    m_follows.cancel();
    m_follows.start([this, path](const std::stop_token& stop) {
        auto opened = field::RingFollower::open(nativePath(path));
        if (!opened)
            return m_follows.post(stop,
                                  [this, path, error = opened.error()] { emit loadFailed(path, error); });
        field::RingFollower& ring = **opened;
        const auto show = [&] {
            m_follows.post(stop, [this, store = ring.store(),
                                  file = QFile::decodeName(QByteArray::fromStdString(ring.file().string()))] {
                emit followed(file, store);
            });
        };
        show();
        while (!m_follows.wait(stop, kFollowInterval)) {
            const Result<State> state = ring.read();
            if (state && *state == State::newFile)
                show();
            if (!state || *state == State::ended)
                return m_follows.post(stop, [this] { emit followEnded(); });
        }
    });
}

void TraceJobs::merge(const MergeInputs& inputs)
{
    read(inputs.words(), &TraceJobs::merged,
         [inputs](trace::LoadProgress& progress) { return mergeTraces(inputs, progress); });
}

// The job number identifies the result of the latest request; older ones are dropped.
void TraceJobs::read(const QString& path, Done done,
                     std::function<Result<trace::LoadedTrace>(trace::LoadProgress&)> reader)
{
    cancelLoad();
    m_progress = std::make_shared<trace::LoadProgress>();
    m_loading = path;
    const quint64 job = ++m_job;
    m_loads.start([this, path, job, done, progress = m_progress,
                   reader = std::move(reader)](const std::stop_token&) {
        auto result = std::make_shared<Result<trace::LoadedTrace>>(reader(*progress));
        QMetaObject::invokeMethod(
            this,
            [this, path, job, done, result, progress] {
                if (job != m_job) {
                    return;
                }
                m_ticker.stop();
                if (result->has_value() &&
                    progress->cancel) { // the load finished before it saw the cancellation
                    *result = Error{
                        ErrorCode::cancelled, message("Opening %1 was canceled.", path.toStdString()), {}};
                }
                if (result->has_value()) {
                    emit(this->*done)(path, **result);
                } else {
                    emit loadFailed(path, result->error());
                }
            },
            Qt::QueuedConnection);
    });
    m_ticker.start();
}

void TraceJobs::save(const QString& path, std::shared_ptr<const trace::TraceStore> store)
{
    const std::size_t count = store->count();
    m_saves.startAfterEarlier([this, path, count, store = std::move(store)](const std::stop_token&) {
        auto result = std::make_shared<Result<void>>(trace::saveTrace(nativePath(path), *store, count));
        QMetaObject::invokeMethod(
            this,
            [this, path, count, result, store] {
                if (result->has_value()) {
                    emit saved(path, count, store);
                } else {
                    emit saveFailed(path, result->error(), store);
                }
            },
            Qt::QueuedConnection);
    });
}

void TraceJobs::postProgress()
{
    const auto total = m_progress->bytesTotal.load();
    const auto read = m_progress->bytesRead.load();
    emit loadProgress(m_loading,
                      total == 0 ? -1 : static_cast<int>(std::min<std::uint64_t>(100, read * 100 / total)));
}

} // namespace lockscope::ui

#include "moc_trace_jobs.cpp"
