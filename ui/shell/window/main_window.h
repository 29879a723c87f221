// The window: assembles the run model, the views and the bars, and decides nothing. GUI thread.
#pragma once

#include <QMainWindow>

#include "ui/models/run/bookmarks.h"
#include "ui/models/run/breakpoints.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/run/time_window.h"
#include "ui/models/style/settings.h"
#include "ui/models/style/theme.h"
#include "ui/shell/docking/views.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/window/application_style.h"

#include <map>

namespace lockscope::ui {

class Actions;
class CompareController;
class DockArea;
class DockCard;
class ExportController;
struct FilmStage;
class FileDialogs;
class HistoryDock;
class WatchDock;
class Language;
class LayoutController;
class LessonController;
class ManualDock;
class PresentationView;
struct MergeInputs;
class MessageBar;
class BookmarksController;
class CloseQuestion;
class RecentFiles;
class RecipeDock;
class RunBar;
class RunNotices;
class ScenarioController;
class ScrubBar;
class FaultMenu;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    struct Setup
    {
        Theme::ColourScheme colourScheme = Theme::ColourScheme::system;
        RunController::Setup runs;
        Language* language = nullptr;  // null: the language cannot be changed
        QSettings* settings = nullptr; // null: nothing is saved between program starts
        bool beginsSimple = false;     // the very first start shows few cards
        ViewTable views = viewTable();
        std::function<void(const QString& file)> openWindow{}; // another one; null: there is only one
    };
    explicit MainWindow(Setup setup);
    ~MainWindow() override;

    RunModel& model() { return m_model; }
    PresentationView& presentation() { return *m_presentation; }
    RunController& control() { return *m_control; }
    DockArea& docks() { return *m_docks; }
    ExportController& exportController() { return *m_exportController; }
    MessageBar& messages() { return *m_messages; }
    Theme& theme() { return m_theme; }
    TimeWindow& timeWindow() { return m_time; }
    ScenarioController& scenarioController() { return *m_scenarioController; }
    HistoryDock& history() { return *m_history; }
    WatchDock& watch() { return *m_watch; }
    LessonController& lessons() { return *m_lessons; }
    RecipeDock& recipe() { return *m_recipe; }
    LayoutController& layouts() { return *m_layouts; }
    ManualDock& manual() { return *m_manual; }
    bool isFirstStart() const { return m_firstStart; } // no settings from an earlier start exist
    void showWelcome(bool shown);
    void showFirstPage(); // the calm welcome page of the first start
    // Opens a scenario, a trace, or the files of a ZooKeeper server; several traces, with or without files of
    // servers, as one run.
    void openFiles(const QStringList& paths);
    // Opens the files of a ZooKeeper server. `lock`: shown with the locks below it once they are read; empty:
    // none.
    void openHistory(const QString& path, const std::string& lock);
    // For a picture: no menus, any size, and only the card `view`, unless `view` is "window" or another whole
    // picture.
    void enterPictureMode(const QString& view);
    // Selects the second client in the queue, or the only one: a picture explains more with a selected
    // client.
    void selectClientForPicture();

signals:
    void historyShown(); // openHistory() shows the lock, or the list of locks
    void historyFailed(const lockscope::Error& error);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    std::vector<ViewEntry> views(const ViewTable& table);
    void assemble();
    void askMerge(const MergeInputs& inputs);
    void openChosen(const QStringList& paths); // in File > Open Several
    void connectMessages();
    QRect messageArea() const;
    void showMessages();
    void connectRun();
    void connectActions();
    void connectHistory();
    void connectWatch();
    void connectLessons();
    void connectRecipe();
    void connectManual();
    void showManualOfFocus();
    void setSideWidth(QDockWidget* dock, int wanted);
    void keepSideShares(int oldWidth);
    void standBeforeLesson(QDockWidget* dock);
    void keepWidthBehindTabs(QDockWidget* dock);
    void showHistoryRun(const std::shared_ptr<const trace::TraceStore>& store, const TextProvider& label,
                        bool growing);
    void showByClock();
    void updateThemeActions();
    void retranslate();
    void restoreLayout();
    void saveLayout();
    void saveViewOptions(Settings store) const; // display options of the views
    FilmStage stageFor(const QString& view);
    void showViolation();
    void showFinding(replay::FindingKind kind);
    DockCard* raiseCard(const QString& name);
    void maximizeCard(); // the card with the focus
    void setColourScheme(Theme::ColourScheme colourScheme);
    void showTitle();
    void showPresentation(bool shown);
    void updateWelcomeAction();
    void postAbout();
    void addRecentFiles(QMenu* file);
    void showPreferences(const QList<QAction*>& languages);

    Settings m_settings;
    Language* m_language;
    Theme m_theme;
    ApplicationStyle m_style;
    RunModel m_model;
    Selection m_selection;
    TimeWindow m_time;
    Bookmarks m_bookmarks;
    Breakpoints m_breakpoints;
    RunController* m_control;
    RunNotices* m_notices;
    Actions* m_actions;
    FaultMenu* m_faults;
    RunBar* m_runBar;
    MessageBar* m_messages;
    std::vector<ViewEntry> m_views;
    DockArea* m_docks;
    ScrubBar* m_scrubBar;
    FileDialogs* m_dialogs;
    ExportController* m_exportController;
    BookmarksController* m_bookmarksController;
    CloseQuestion* m_closeQuestion;
    RecentFiles* m_recent;
    QString m_opened; // the file opened last
    ScenarioController* m_scenarioController;
    CompareController* m_compareController;
    HistoryDock* m_history;
    struct Side // a panel beside the views
    {
        int width = 0;    // as set by this class; any other width was set by the user
        double share = 0; // of the window's width, which the panel keeps
    };
    std::map<QDockWidget*, Side> m_sides;
    int m_lessonWidth = 0;        // while another panel is in front of the lesson; 0: none is
    bool m_historyHasRun = false; // a lock of the history was chosen
    bool m_clockOfRun = false;    // the wall clock is shown only for this run
    WatchDock* m_watch;
    LessonController* m_lessons;
    RecipeDock* m_recipe;
    LayoutController* m_layouts;
    ManualDock* m_manual;
    bool m_beginsSimple; // the first start uses the layout Learn
    bool m_layoutRestored = false;
    bool m_laidOut = false;
    bool m_firstStart;
    PresentationView* m_presentation;
    Qt::WindowStates m_beforePresentation{};
    QByteArray m_docksBeforePresentation;
};

} // namespace lockscope::ui
