// Prepares the two runs of a comparison, one after the other, in a worker thread: runs a scenario to its end
// on a private ZooKeeper (or a given server), opens a trace, or takes an existing run. Then evaluates each
// once. Results arrive in the GUI thread; the destructor cancels and waits. A restarted job begins when the
// previous one has ended.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/store.h"
#include "ui/compare/compared_run.h"
#include "ui/models/run/worker.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::ui {

// One of: an existing run, a scenario to run, a trace file to open.
struct CompareSource
{
    QString label; // for a file: if empty, its scenario's name is used
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

    void start(std::array<CompareSource, 2> sources, std::string connect); // cancels the previous job
    void cancel();

signals:
    void progress(const lockscope::ui::TextProvider& words);
    void done(lockscope::ui::ComparedRunPtr a, lockscope::ui::ComparedRunPtr b);
    void failed(const lockscope::Error& error); // not emitted after a cancellation

private:
    void work(const std::stop_token& stop, quint64 job, const std::array<CompareSource, 2>& sources,
              const std::string& connect);
    void post(quint64 job,
              std::function<void()> result); // runs `result` in the GUI thread unless the job was canceled
    Result<std::shared_ptr<ComparedRun>> make(const std::stop_token& stop, const CompareSource& source,
                                              const std::string& connect, quint64 job, int which);
    Result<std::shared_ptr<const trace::TraceStore>> run(const std::stop_token& stop,
                                                         const CompareSource& source,
                                                         const std::string& connect, quint64 job, int which);
    void reportProgress(quint64 job, const TextProvider& words);

    quint64 m_job = 0; // the number of the latest job
    Worker m_worker;
};

// `input`: a built-in's name, a scenario file (.toml) or a trace (.jsonl). Error badUsage for anything else.
Result<CompareSource> compareSource(const QString& input);

} // namespace lockscope::ui
