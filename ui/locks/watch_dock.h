// The locks of other programs, beside the views: watches and lists them, and turns the chosen ones into runs
// that grow. Results and errors come as signals. GUI thread.
#pragma once

#include <QDockWidget>

#include "ui/locks/watch_job.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"

namespace lockscope::ui {

class WatchPanel;

class WatchDock : public QDockWidget
{
    Q_OBJECT
public:
    WatchDock(const RunModel* model, Theme* theme, Selection* selection, QWidget* parent);
    ~WatchDock() override;

    WatchPanel* panel() const { return m_panel; }
    void showWritten(bool on); // shows session ids as files have them, for a picture

public slots:
    void watch(const lockscope::ui::WatchTarget& target);
    void stop(); // the last known state stays visible

signals:
    void opened(); // the list of locks is shown
    void connected();
    // More events follow until runEnded().
    void runReady(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                  const lockscope::ui::TextProvider& label);
    void runEnded();
    void failed(const lockscope::Error& error);
    void warned(const lockscope::Error& error);

private:
    void show(const field::SnapshotPtr& snapshot);
    void choose(const std::vector<std::string>& locks);
    void chooseMostStuck(const field::Snapshot& snapshot);
    void chooseNode(const QString& node);

    const RunModel* m_model;
    Selection* m_selection;
    WatchPanel* m_panel;
    WatchJob m_job;
    WatchTarget m_target;
    std::vector<std::string> m_locks; // of the current run
    std::string m_chosenForUser;      // a path; empty: nothing was shown yet
    bool m_connected = false;
    bool m_chosen = false; // by the user
    bool m_showsWritten = false;
};

} // namespace lockscope::ui
