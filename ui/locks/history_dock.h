// Opens a history beside the views and turns its selected locks into runs. Results and errors come as
// signals. GUI thread.
#pragma once

#include <QDockWidget>
#include <QStringList>

#include "core/base/error.h"
#include "ui/locks/history_job.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"

#include <optional>

namespace lockscope::ui {

class HistoryPanel;

class HistoryDock : public QDockWidget
{
    Q_OBJECT
public:
    HistoryDock(Theme* theme, QWidget* parent);
    ~HistoryDock() override;

    HistoryPanel* panel() const { return m_panel; }
    bool follows() const { return m_follow; }

public slots:
    void chooseDirectory();
    // Opens files and directories of one server. `lock`: the lock to show with those below it once the list
    // is read; empty: none.
    void open(const QStringList& paths, const std::string& lock = {});
    void chooseNamesFile();
    void loadNames(const QString& file); // a file with names of participants
    void stop();

signals:
    void opened();                // the list of locks is shown
    void listed(int wantedWidth); // it has its first locks; the width of all columns, in logical pixels
    void shown();                 // the lock that open() was asked for; without one, the whole list
    // growing: more events follow until runEnded().
    void runReady(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                  const lockscope::ui::TextProvider& label, bool growing);
    void runEnded();
    void failed(const lockscope::Error& error);
    void warned(const lockscope::ui::TextProvider& text);

private:
    void read();
    void end();
    void onStatus(const HistoryStatusPtr& status);
    void readRun(const std::vector<std::string>& locks);
    void setFollow(bool follow);
    TextProvider labelOf(const std::vector<std::string>& locks) const;

    HistoryPanel* m_panel;
    HistoryJob m_job;
    std::vector<std::filesystem::path> m_paths;
    history::ParticipantNames m_names;
    std::optional<std::string> m_wantedLock; // to show once the list is read; empty: none; nullopt: done
    std::vector<std::string> m_locks;        // of the current run
    QString m_folder;                        // of the last file dialog
    bool m_follow = false;
    bool m_growing = false; // the current run; until runEnded()
};

} // namespace lockscope::ui
