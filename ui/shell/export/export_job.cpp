#include "ui/shell/export/export_job.h"

#include "ui/models/run/atomic_file.h"
#include "ui/shell/export/write_error.h"

#include <utility>

namespace lockscope::ui {

namespace {

Error failure(const QString& path, const AtomicFile& file)
{
    return writeError(
        message("The export %1 cannot be written: %2.", path.toStdString(), file.fault().toStdString()));
}

} // namespace

ExportJob::ExportJob(QObject* parent)
    : QObject(parent)
{}

ExportJob::~ExportJob()
{
    for (const auto& [path, stop] : m_exports) {
        stop->request_stop();
    }
}

void ExportJob::cancel(const QString& path)
{
    if (const auto found = m_exports.find(path); found != m_exports.end()) {
        found->second->request_stop();
    }
}

void ExportJob::post(const QString& path, const Stop& stop, std::function<void()> result)
{
    QMetaObject::invokeMethod(
        this,
        [this, path, stop, result = std::move(result)] {
            if (const auto found = m_exports.find(path); found != m_exports.end() && found->second == stop) {
                result();
            }
        },
        Qt::QueuedConnection);
}

void ExportJob::end(const QString& path, const Stop& stop, std::function<void()> result)
{
    post(path, stop, [this, path, result = std::move(result)] {
        m_exports.erase(path);
        result();
    });
}

void ExportJob::start(exports::Kind kind, const QString& path, std::shared_ptr<const trace::TraceStore> store,
                      std::vector<exports::Picture> pictures)
{
    cancel(path);
    const std::size_t count = store->count();
    const auto stop = std::make_shared<std::stop_source>();
    m_exports[path] = stop;
    emit progress(path, 0);
    m_worker.startAfterEarlier([this, kind, path, count, stop, store = std::move(store),
                                pictures = std::move(pictures)](const std::stop_token&) {
        const Error canceled{ErrorCode::cancelled, message("The export was canceled."), {}};
        if (stop->stop_requested()) {
            return end(path, stop, [this, path, canceled] { emit failed(path, canceled); });
        }
        AtomicFile file(path);
        int reported = 0;
        const exports::ExportSink out{
            [&](std::string_view text) { return file.add(text.data(), static_cast<qsizetype>(text.size())); },
            [&](double share) {
                if (const int percent = static_cast<int>(share * 100); percent > reported) {
                    reported = percent;
                    post(path, stop, [this, path, percent] { emit progress(path, percent); });
                }
                return !stop->stop_requested();
            }};
        const bool whole = file.open() && exports::rowOf(kind).write({*store, count, pictures}, out);
        if (stop->stop_requested()) {
            end(path, stop, [this, path, canceled] { emit failed(path, canceled); });
        } else if (whole && file.commit()) {
            end(path, stop, [this, path] { emit done(path); });
        } else {
            end(path, stop, [this, path, error = failure(path, file)] { emit failed(path, error); });
        }
    });
}

} // namespace lockscope::ui

#include "moc_export_job.cpp"
