// Exports a run to a file for other programs in a worker thread, one file at a time. An incomplete export leaves
// the previous file unchanged. Results arrive in the GUI thread; the destructor cancels and waits.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/exports/export.h"
#include "core/trace/store.h"

#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace lockscope::ui {

class ExportJob : public QObject
{
    Q_OBJECT
public:
    explicit ExportJob(QObject* parent = nullptr);
    ~ExportJob() override;

    // Exports the events published so far. Only the report uses pictures. Cancels a running export and waits for it.
    void start(exports::Kind kind, const QString& path, std::shared_ptr<const trace::TraceStore> store,
               std::vector<exports::Picture> pictures);
    void cancel();

signals:
    void progress(const QString& path, int percent);
    void done(const QString& path);
    void failed(const lockscope::Error& error); // also when canceled

private:
    std::jthread m_thread;
};

} // namespace lockscope::ui
