#include "ui/shell/export/export_job.h"

#include "ui/models/atomic_file.h"
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

ExportJob::~ExportJob() = default; // std::jthread requests a stop and joins

void ExportJob::cancel() { m_thread.request_stop(); }

void ExportJob::start(exports::Kind kind, const QString& path, std::shared_ptr<const trace::TraceStore> store,
                      std::vector<exports::Picture> pictures)
{
    const std::size_t count = store->count();
    m_thread = std::jthread([this, kind, path, count, store = std::move(store),
                             pictures = std::move(pictures)](const std::stop_token& stop) {
        AtomicFile file(path);
        const auto post = [this](auto result) {
            QMetaObject::invokeMethod(this, std::move(result), Qt::QueuedConnection);
        };
        int reported = -1;
        const exports::ExportSink out{
            [&](std::string_view text) { return file.add(text.data(), static_cast<qsizetype>(text.size())); },
            [&](double share) {
                if (const int percent = static_cast<int>(share * 100); percent > reported) {
                    reported = percent;
                    post([this, path, percent] { emit progress(path, percent); });
                }
                return !stop.stop_requested();
            }};
        const bool whole = file.open() && exports::write(kind, {*store, count}, pictures, out);
        if (stop.stop_requested()) {
            const Error error{ErrorCode::cancelled, message("The export was canceled."), {}};
            post([this, error] { emit failed(error); });
        } else if (whole && file.commit()) {
            post([this, path] { emit done(path); });
        } else {
            post([this, error = failure(path, file)] { emit failed(error); });
        }
    });
}

} // namespace lockscope::ui

#include "moc_export_job.cpp"
