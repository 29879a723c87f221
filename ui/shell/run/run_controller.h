// Controls the window's runs: starts and pauses them, opens files and posts commands. Every command to the
// engine goes through this class. Nothing here blocks; errors become messages, never a dialog. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/sim/run/step_order.h"
#include "core/sim/scenario/scenario.h"
#include "ui/shell/dialogs/attach_target.h"
#include "ui/shell/messages/message.h"
#include "ui/shell/run/faults.h"
#include "ui/shell/run/trace_jobs.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::ui {

class RunModel;
class Selection;

class RunController : public QObject
{
    Q_OBJECT
public:
    struct Setup // from the command line, for every run of this window
    {
        std::string connect;      // empty: a private ZooKeeper
        std::string lockPath;     // empty: the scenario's own
        bool joinForeign = false; // on that server, also where other programs have nodes
        bool startPaused = false; // the first run only
        bool attended = true;     // a user takes the steps of a held run
    };
    // The scenario that the window starts with. In the window it runs until it is stopped, so that the lock
    // is still in use after a break.
    static constexpr const char* kDefaultScenario = "five-clients";
    // Determines what the run button does.
    enum class Stage { nothing, starting, running, watching, paused, ended, trace };

    RunController(RunModel* model, Selection* selection, Setup setup, QObject* parent);

    Stage stage() const;
    const Setup& setup() const { return m_setup; }
    std::shared_ptr<const trace::TraceStore> store() const { return m_store; } // null when there is no run
    bool canRun() const;                                                       // there is a scenario to run
    bool failed() const; // the live run failed; a message has the reason
    const std::optional<sim::Scenario>& scenario() const { return m_scenario; }
    QStringList earlierRuns() const; // runs that another run or a fork replaced, the newest last
    QString scenarioName() const;    // "five-clients"; empty: there is no scenario
    QString sourceLabel() const;     // of a file, an attach target or a fork; empty for a built-in
    QString suggestedName() const;   // for a file: scenario and date, without a suffix
    struct KeptRun
    {
        QString label; // with the number of its events
        std::shared_ptr<const trace::TraceStore> store;
    };
    // The shown and the earlier runs that have no file, the newest first, without lessons' and empty ones.
    // `also`: runs that count nevertheless.
    std::vector<KeptRun>
    unsavedRuns(const std::function<bool(const std::shared_ptr<const trace::TraceStore>&)>& also) const;
    QString scenarioPath() const { return m_path; } // the scenario's file; empty: it has none
    CommandContext commandContext() const;
    bool judges() const { return m_programs.has_value(); } // the live run is of copies of a program
    bool isWatchOnly() const;       // other programs' locks are watched: nothing is changed on their server
    DisabledReason refusal() const; // why the run takes no command at all; none: it does
    void notifyChanged() { emit changed(); } // the language changed

public slots:
    void startBuiltIn(const QString& name,
                      bool stepped = false); // `stepped`: all clients are held from the start
    // `path`: the scenario's file, if it has one.
    void startScenario(const lockscope::sim::Scenario& scenario, const QString& label,
                       const QString& path = {});
    // Starts the run of a lesson's step on a private server, paused before the first protocol step. Like all
    // runs of lessons, it is not kept as an earlier run.
    void startLesson(const lockscope::sim::Scenario& scenario, const lockscope::ui::TextProvider& label);
    // Shows such a run again, as recorded.
    void showLesson(std::shared_ptr<const lockscope::trace::TraceStore> store,
                    const lockscope::ui::TextProvider& label);
    // Shows a run to which each move of a lesson's puzzle appends.
    void showPuzzle(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                    const lockscope::ui::TextProvider& label);
    void attach(const lockscope::ui::AttachTarget& place);
    // Runs copies of a program of the user, on a private server. `label`: its name in the window.
    void startJudged(const lockscope::engine::Programs& programs, const lockscope::sim::Scenario& scenario,
                     const QString& label);
    void openPath(const QString& path);                         // a scenario (.toml) or a trace (.jsonl)
    void openSeveral(const lockscope::ui::MergeInputs& inputs); // as one run
    void showTrace(const QString& path, const lockscope::trace::LoadedTrace& loaded);
    // Shows a run read from a transaction log. `growing`: events are appended until
    // RunModel::setGrowing(false).
    void showHistory(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                     const lockscope::ui::TextProvider& label, bool growing);
    // Shows a run of watched locks, to which events are appended.
    void showWatched(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                     const lockscope::ui::TextProvider& label);
    void setWatchConnected();
    void setWatchEnded(bool failed);
    void saveTrace(const QString& path);
    void saveRun(const QString& path, const std::shared_ptr<const lockscope::trace::TraceStore>& store);
    // Saves a scenario with the steps that lead to the moment that is shown.
    void saveSteps(const QString& path);
    void fork();
    // Why the moment that is shown cannot be forked, nor the steps up to it saved; nullopt: it can.
    std::optional<sim::StepBlocker> stepBlocker();
    void showEarlier(int index);
    void stepSelected(bool forward); // moves the cursor to the selected client's next or previous event
    void runOrPause();
    void runAgain();
    void endRun(); // or stops watching
    void injectFault(lockscope::ui::Fault what);
    // Injects the fault into this client, even if another one is selected by now. `values`: the parameters.
    void injectFaultInto(lockscope::ClientId client, lockscope::ui::Fault what,
                         const std::vector<int>& values);
    void post(lockscope::engine::EngineCommand command); // to the live run, if there is one
    void setPace(lockscope::Duration step);
    // Starts or stops polling the servers' watch tables, which is needed only while a view shows them.
    void pollWatchTables(bool wanted);
    void addClients(int count);
    void removeClients(int count);

signals:
    void changed(); // stage, source
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);
    void commandPosted();             // a command was posted to the live run
    void opened(const QString& path); // the file's run is shown or started
    // Clients would join another program's lock that the user has not confirmed in this window. `join` starts
    // the run.
    void joinConfirmationRequested(const lockscope::ui::AttachTarget& place,
                                   const std::function<void()>& join);
    // The run was not started, because other programs use its lock. `join` starts it all the same.
    void foreignProgramsFound(const lockscope::ui::AttachTarget& place, const lockscope::Error& error,
                              const std::function<void()>& join);
    void openFailed(); // or canceled; the window is unchanged
    void watchRequested(const lockscope::ui::AttachTarget& place);
    void watchStopRequested();
    void watchLeft(); // another run takes the place of the watched one
    void savedTrace(const QString& path, const std::shared_ptr<const lockscope::trace::TraceStore>& store);

private:
    // Of messages that replace each other.
    static inline const QString kOpenKey = QStringLiteral("open"), kStepsKey = QStringLiteral("steps");

    void start();
    // Calls start at once, or after the user confirmed joining another program's lock.
    void withJoinConfirmed(const sim::Scenario& scenario, const std::function<void()>& start);
    AttachTarget
    attachTargetOf(const sim::Scenario& scenario,
                   bool attached) const; // clients = 0: a private server, or locks that are only watched
    bool usesExternalServer() const;
    void checkForeignPrograms();
    struct Label // the run's name, in the current language
    {
        TextProvider name{};
        bool fork = false;
        QString words() const;
    };
    void startFork(const sim::Scenario& scenario);
    void setScenario(const sim::Scenario& scenario, Label label);
    Label currentLabel() const; // for a built-in, its name
    static QString labelWithEvents(const Label& label, const trace::TraceStore& store);
    void openScenario(const QString& path);
    void showRead(const TextProvider& name, const trace::LoadedTrace& loaded);
    void postOpening(const QString& path, int percent);
    void connectJobs();
    void showRecorded(std::shared_ptr<const trace::TraceStore> store, Label label);
    sim::StepOrder& order();
    void showEarlierRun(std::shared_ptr<const trace::TraceStore> store);
    bool keepCurrentRun();
    void keepUnsavedRun(); // and posts a message, unless the run was saved
    void endSaving(const std::shared_ptr<const trace::TraceStore>& store);
    ClientId nextClientToRemove() const;
    void postError(const QString& key, const Error& error);

    struct EarlierRun
    {
        Label label;
        std::shared_ptr<const trace::TraceStore> store;
    };

    RunModel* m_model;
    Selection* m_selection;
    Setup m_setup;
    TraceJobs m_jobs;
    std::shared_ptr<const trace::TraceStore> m_store; // of the run that is shown
    std::unique_ptr<sim::StepOrder> m_order;          // of the shown run's steps; created on demand
    std::optional<sim::Scenario> m_scenario;
    std::optional<engine::Programs> m_programs;        // its clients, instead of ours
    std::shared_ptr<const trace::TraceStore> m_saving; // the run whose file is being written
    std::weak_ptr<const trace::TraceStore> m_ofLesson; // the last run of a lesson
    struct RunOnDisk                                   // opened or saved
    {
        std::weak_ptr<const trace::TraceStore> store;
        std::size_t events = 0; // a run may continue after it was saved
    };
    const RunOnDisk* onDisk(const trace::TraceStore& store) const; // null: it has no file
    void setOnDisk(const std::shared_ptr<const trace::TraceStore>& store, std::size_t events);
    std::vector<RunOnDisk> m_onDisk;
    Label m_label;
    QString m_path;          // of the scenario's file
    bool m_attached = false; // uses the scenario's server and lock, not the command line's
    tls::Options m_tls;      // of that server, if it is secured
    tls::ContextPtr m_trust; // made of that
    std::vector<EarlierRun> m_earlier;
    LinkSupport m_links = LinkSupport::available; // of the run that is shown
    enum class Watch { none, starting, running, ended, failed };
    void setWatch(Watch watch);
    void showGrowing(const std::shared_ptr<const trace::TraceStore>& store, const TextProvider& label,
                     bool growing);
    void showFollowed(const QString& path, const std::shared_ptr<const trace::TraceStore>& store);
    std::shared_ptr<const trace::TraceStore> m_followed; // a file of a ring that is written; null: none
    void leaveWatch();                                   // called when another run replaces the watched one
    Watch m_watch = Watch::none;
    AttachTarget m_watchTarget;  // the last watched target
    AttachTarget m_joinedTarget; // the other program's lock that was last joined
    AttachTarget m_sharedTarget; // the lock that the user chose to share with the programs that use it
    std::weak_ptr<const trace::TraceStore> m_askedAbout; // the run that was not started for that reason
    std::vector<ClientId> m_removing;                    // asked to leave, but still taking part
    bool m_pollsWatches = false;
    std::optional<Duration> m_pace; // set by the user; kept for the next run of the same scenario
};

} // namespace lockscope::ui
