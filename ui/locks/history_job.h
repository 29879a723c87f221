// Reads a ZooKeeper server's files on two worker threads: the list of locks, and the events of selected locks
// as a run. Both continue while the files grow, if they are followed. The files are only read. Called on the
// GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/base/error.h"
#include "core/engine/session_key.h"
#include "core/history/history.h"
#include "core/history/hold_times.h"
#include "core/history/participant_names.h"
#include "core/trace/store.h"
#include "ui/models/run/worker.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::ui {

// The hold times and findings of some locks.
struct HistoryFacts
{
    history::HoldTimes times;
    std::array<history::RuleFinding, history::kRules> findings = history::HistoryFindings().all();
};
using HistoryFactsPtr = std::shared_ptr<const HistoryFacts>;

// The state of the list so far.
struct HistoryStatus
{
    std::uint64_t bytes = 0, bytesTotal = 0; // read, and the total at the beginning
    std::uint64_t transactions = 0;
    Zxid first, last; // none before the first transaction
    std::int64_t firstMs = 0, lastMs = 0;
    std::vector<history::LockSummary> locks;
    HistoryFacts facts; // of all locks
    std::vector<history::Gap> gaps;
    std::vector<history::NeverConfirmed> neverConfirmed;
    Zxid snapshot; // that the nodes were last taken from; none: of none
    std::vector<history::HistoryReader::ClockJump> clockJumps;
    std::vector<history::Damage> damage;
    bool hasMore = false; // more can be read now
    bool ended = false;   // nothing more will follow

    int percent() const; // 0 to 100
};
using HistoryStatusPtr = std::shared_ptr<const HistoryStatus>;

// history::isHistory()
bool isHistory(const QString& path);

class HistoryJob : public QObject
{
    Q_OBJECT
public:
    explicit HistoryJob(QObject* parent = nullptr);

    void readLocks(const std::vector<std::filesystem::path>& paths, bool follow);
    // Reads the events of the locks with these paths and below them.
    void readRun(const std::vector<std::filesystem::path>& paths, const std::vector<std::string>& locks,
                 const history::ParticipantNames& names, bool follow);
    void stop(); // stops both; the reported results stay

signals:
    void statusChanged(const lockscope::ui::HistoryStatusPtr& status);
    void failed(const lockscope::Error& error);
    void runProgress(int percent);
    // The store has all events so far; growing: more follow.
    void runRead(const std::shared_ptr<const lockscope::trace::TraceStore>& store, bool growing, bool whole);
    void factsChanged(const lockscope::ui::HistoryFactsPtr& facts); // of the run so far
    void runEnded();                                                // of a growing run

private:
    void workOnLocks(const std::vector<std::filesystem::path>& paths, bool follow,
                     const std::stop_token& stop);
    void workOnRun(const std::vector<std::filesystem::path>& paths, const history::History::Options& options,
                   const history::ParticipantNames& names, const std::stop_token& stop);

    // One key for all runs, so that a session has the same pseudonym in every file.
    const std::shared_ptr<const engine::SessionKey> m_key = std::make_shared<engine::SessionKey>("");
    Worker m_lists{this};
    Worker m_runs{this};
};

} // namespace lockscope::ui
