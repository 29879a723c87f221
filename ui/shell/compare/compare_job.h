// Makes the two runs of a comparison, one after the other, in a thread of its own: runs a scenario to its end
// on a ZooKeeper of its own (or the one that was asked for), opens a trace, or takes a run that is there.
// Then goes through each once. Results arrive in the GUI thread; the destructor cancels and waits. A job that is
// started again begins when the thread of the previous one has ended; only the new thread waits for that.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/store.h"
#include "ui/compare/compared_run.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace lockscope::ui {

// One of: a run that is there, a scenario to run, a trace file to open.
struct CompareSource
{
    QString label; // of a file: empty takes the scenario's name from it
    std::shared_ptr<const trace::TraceStore> store;
    std::optional<sim::Scenario> scenario;
    QString tracePath;
};

class CompareJob : public QObject
{
    Q_OBJECT
public:
    explicit CompareJob(QObject* parent = nullptr);
    ~CompareJob() override;

    void start(std::array<CompareSource, 2> sources, std::string connect); // ends the job before
    void cancel();

signals:
    void progress(const lockscope::ui::TextProvider& words);
    void done(lockscope::ui::ComparedRunPtr a, lockscope::ui::ComparedRunPtr b);
    void failed(const lockscope::Error& error); // not emitted after a cancellation

private:
    void work(const std::stop_token& stop, quint64 job, const std::array<CompareSource, 2>& sources,
              const std::string& connect);
    void post(quint64 job, std::function<void()> result); // runs in the GUI thread, unless the job was cancelled
    Result<std::shared_ptr<ComparedRun>> make(const std::stop_token& stop, const CompareSource& source,
                                              const std::string& connect, quint64 job, int which);
    Result<std::shared_ptr<const trace::TraceStore>>
    run(const std::stop_token& stop, const CompareSource& source, const std::string& connect, quint64 job,
        int which);
    void reportProgress(quint64 job, const TextProvider& words);

    quint64 m_job = 0; // the number of the last one
    std::jthread m_thread;
};

// A built-in's name, a scenario file (.toml) or a trace (.jsonl). badUsage for another one.
Result<CompareSource> compareSource(const QString& input);

} // namespace lockscope::ui
