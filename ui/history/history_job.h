// Reads the history of a ZooKeeper server's files beside the GUI thread: first the list of its locks, which grows while it
// is read; then what happened on chosen locks, as the events of a run. Both go on while the files grow, if they are
// followed. The files are only read. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/base/error.h"
#include "core/engine/session_key.h"
#include "core/history/history.h"
#include "core/history/participant_names.h"
#include "core/trace/store.h"
#include "ui/history/worker.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::ui {

// What is known so far.
struct HistoryStatus
{
    std::uint64_t bytes = 0, bytesTotal = 0; // read, of what was there at the beginning
    std::uint64_t transactions = 0;
    Zxid first, last; // none before the first transaction
    std::int64_t firstMs = 0, lastMs = 0;
    std::vector<history::LockSummary> locks;
    std::vector<history::Gap> gaps;
    std::vector<history::HistoryReader::ClockJump> clockJumps;
    std::vector<history::Damage> damage;
    bool hasMore = false; // there is more to be read now

    int percent() const; // 0 to 100
};
using HistoryStatusPtr = std::shared_ptr<const HistoryStatus>;

// A log of transactions, a snapshot or a directory, by its name.
bool isHistory(const QString& path);

class HistoryJob : public QObject
{
    Q_OBJECT
public:
    explicit HistoryJob(QObject* parent = nullptr);

    void readLocks(const std::vector<std::filesystem::path>& paths, bool follow);
    // Of the locks with these paths and those below them.
    // fixedNames: of the locks that were listed, those that are nodes of a fixed name.
    void readRun(const std::vector<std::filesystem::path>& paths, const std::vector<std::string>& locks,
                 const std::vector<std::string>& fixedNames, const history::ParticipantNames& names, bool follow);
    void stop(); // both; what was told stays

signals:
    void status(const lockscope::ui::HistoryStatusPtr& status);
    void failed(const lockscope::Error& error);
    void runProgress(int percent);
    // All events until now are in it; growing: more will come.
    void runRead(const std::shared_ptr<const lockscope::trace::TraceStore>& store, bool growing, bool whole);
    void runEnded(); // of one that was growing

private:
    void workOnLocks(const std::vector<std::filesystem::path>& paths, bool follow, const std::stop_token& stop);
    void workOnRun(const std::vector<std::filesystem::path>& paths, const history::History::Options& options,
                   const history::ParticipantNames& names, const std::stop_token& stop);

    // The same session has one pseudonym in all that is written of this program's histories.
    const std::shared_ptr<const engine::SessionKey> m_key = std::make_shared<engine::SessionKey>("");
    Worker m_lists{this};
    Worker m_runs{this};
};

} // namespace lockscope::ui
