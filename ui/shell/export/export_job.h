// Exports runs to files for other programs in a worker thread, one file after the other. An incomplete export
// leaves the previous file unchanged. Results arrive in the GUI thread; the destructor cancels and waits.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/exports/export.h"
#include "core/trace/store.h"
#include "ui/models/run/worker.h"

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace lockscope::ui {

class ExportJob : public QObject
{
    Q_OBJECT
public:
    explicit ExportJob(QObject* parent = nullptr);
    ~ExportJob() override;

    // Exports the events published so far. Only the report uses pictures. Cancels an export to the same file.
    void start(exports::Kind kind, const QString& path, std::shared_ptr<const trace::TraceStore> store,
               std::vector<exports::Picture> pictures);
    void cancel(const QString& path);

signals:
    void progress(const QString& path, int percent);
    void done(const QString& path);
    void failed(const QString& path, const lockscope::Error& error); // also when canceled

private:
    using Stop = std::shared_ptr<std::stop_source>;
    void post(const QString& path, const Stop& stop,
              std::function<void()> result); // unless another export replaced it
    void end(const QString& path, const Stop& stop, std::function<void()> result);

    std::map<QString, Stop> m_exports; // by path, those that have not ended
    Worker m_worker{this};
};

} // namespace lockscope::ui
