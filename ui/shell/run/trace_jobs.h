// Opens, merges, follows and saves trace files in worker threads: a new load cancels the previous one, a new
// save runs after the previous one. Only the destructor, which cancels the load, waits. Results arrive in the
// GUI thread.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/trace/trace_file.h"
#include "ui/models/run/worker.h"
#include "ui/shell/run/merge_traces.h"

#include <functional>
#include <memory>

namespace lockscope::ui {

class TraceJobs : public QObject
{
    Q_OBJECT
public:
    explicit TraceJobs(QObject* parent = nullptr);
    ~TraceJobs() override;

    void load(const QString& path);
    void merge(const MergeInputs& inputs); // like a load of words()
    // Reads the newest file of a recording's ring while it is written, and the files after it.
    void follow(const QString& path);
    void stopFollowing() { m_follows.cancel(); }
    static bool canFollow(const QString& path);
    void cancelLoad();
    bool isReading() { return m_loads.busy(); } // the result may still have to arrive
    // Saves the events published so far.
    void save(const QString& path, std::shared_ptr<const trace::TraceStore> store);

signals:
    void loadProgress(const QString& path, int percent); // -1 = not known
    void loaded(const QString& path, const lockscope::trace::LoadedTrace& trace);
    void merged(const QString& words, const lockscope::trace::LoadedTrace& trace);
    void loadFailed(const QString& path, const lockscope::Error& error); // also when canceled
    // A file of a ring, of which the store has all events so far; more follow, until the next file or the
    // end.
    void followed(const QString& path, const std::shared_ptr<const lockscope::trace::TraceStore>& store);
    void followEnded();
    void saved(const QString& path, quint64 events,
               const std::shared_ptr<const lockscope::trace::TraceStore>& store);
    void saveFailed(const QString& path, const lockscope::Error& error,
                    const std::shared_ptr<const lockscope::trace::TraceStore>& store);

private:
    using Done = void (TraceJobs::*)(const QString&, const trace::LoadedTrace&); // a signal
    void read(const QString& path, Done done,
              std::function<Result<trace::LoadedTrace>(trace::LoadProgress&)> reader);
    void postProgress();
    std::shared_ptr<trace::LoadProgress> m_progress;
    QString m_loading;
    quint64 m_job = 0;
    QTimer m_ticker;
    Worker m_loads;
    Worker m_saves;
    Worker m_follows{this};
};

} // namespace lockscope::ui
