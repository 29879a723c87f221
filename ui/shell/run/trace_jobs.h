// Opens and saves trace files in worker threads: a new load cancels the previous one, a new save runs after the
// previous one. Only the next worker and the destructor, which cancels the load, wait for a worker. Results arrive
// in the GUI thread.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/trace/trace_file.h"

#include <memory>
#include <thread>

namespace lockscope::ui {

class TraceJobs : public QObject
{
    Q_OBJECT
public:
    explicit TraceJobs(QObject* parent = nullptr);
    ~TraceJobs() override;

    void load(const QString& path);
    void cancelLoad();
    // Saves the events published so far.
    void save(const QString& path, std::shared_ptr<const trace::TraceStore> store);

signals:
    void loadProgress(const QString& path, int percent); // -1 = not known
    void loaded(const QString& path, const lockscope::trace::LoadedTrace& trace);
    void loadFailed(const QString& path, const lockscope::Error& error); // also when canceled
    void saved(const QString& path, quint64 events,
               const std::shared_ptr<const lockscope::trace::TraceStore>& store);
    void saveFailed(const QString& path, const lockscope::Error& error,
                    const std::shared_ptr<const lockscope::trace::TraceStore>& store);

private:
    void postProgress();
    std::thread m_loader;
    std::thread m_saver;
    std::shared_ptr<trace::LoadProgress> m_progress;
    QString m_loading;
    quint64 m_job = 0;
    QTimer m_ticker;
};

} // namespace lockscope::ui
