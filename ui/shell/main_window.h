// The window: assembles the run model, the views and the bars, and decides nothing. GUI thread.
#pragma once

#include <QMainWindow>

#include "ui/models/breakpoints.h"
#include "ui/models/look.h"
#include "ui/models/notes.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/time_window.h"
#include "ui/shell/application_style.h"
#include "ui/shell/run_control.h"
#include "ui/shell/views.h"

class QSettings;

namespace lockscope::ui {

class Actions;
class CompareDesk;
class DockArea;
class DockCard;
class ExportDesk;
class FileDialogs;
class HistoryDock;
class Language;
class LectureStage;
class LogView;
class MessageBar;
class NotesDesk;
class RecentFiles;
class RunBar;
class RunNotices;
class ScenarioDesk;
class ScrubBar;
class TimelineMenu;
class WhatIfMenu;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    struct Setup
    {
        Look::Theme theme = Look::Theme::system;
        RunControl::Setup runs;
        Language* language = nullptr;  // null: there is no other to choose
        QSettings* settings = nullptr; // null: nothing is kept from one start to the next
    };
    explicit MainWindow(Setup setup);
    ~MainWindow() override;

    RunModel& model() { return m_model; }
    LectureStage& lecture() { return *m_lecture; }
    RunControl& control() { return *m_control; }
    DockArea& docks() { return *m_docks; }
    ExportDesk& exporting() { return *m_exporting; }
    MessageBar& messages() { return *m_messages; }
    Look& look() { return m_look; }
    ScenarioDesk& scenarios() { return *m_scenarios; }
    HistoryDock& history() { return *m_history; }
    // A scenario, a trace, or the files of a ZooKeeper server.
    void openFiles(const QStringList& paths);
    // For a picture: without menus, of any size, and with nothing but the card of this name unless it is
    // "window".
    void makePicture(const QString& view);
    // Selects whoever is next in line, or else the holder: a picture explains more with somebody selected.
    void selectForPicture();

protected:
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    std::vector<ViewEntry> views();
    void assemble();
    void connectMessages();
    QRect roomForMessages() const;
    void showMessages();
    void connectRun();
    void connectActions();
    void connectHistory();
    void showHistoryRun(const std::shared_ptr<const trace::TraceStore>& store, const Wording& label, bool growing);
    void checkTheme();
    void sayAgain();
    void restoreLayout();
    void saveLayout();
    void saveChoices(); // of how views show their things
    void showViolation();
    void showFinding(replay::FindingKind kind);
    DockCard* bringUp(const QString& name);
    void maximizeCard(); // that has the focus
    void setTheme(Look::Theme theme);
    void showTitle();
    void showLecture(bool shown);
    void showWelcome(bool shown);
    void sayWelcome();
    void sayAbout();

    QSettings* m_settings;
    Language* m_language;
    Look m_look;
    ApplicationStyle m_style;
    RunModel m_model;
    Selection m_selection;
    TimeWindow m_time;
    Notes m_bookmarks;
    Breakpoints m_breakpoints;
    RunControl* m_control;
    RunNotices* m_notices;
    Actions* m_actions;
    WhatIfMenu* m_whatIf;
    RunBar* m_runBar;
    MessageBar* m_messages;
    DockArea* m_docks;
    ScrubBar* m_scrubBar;
    FileDialogs* m_dialogs;
    ExportDesk* m_exporting;
    NotesDesk* m_notesDesk;
    RecentFiles* m_recent;
    ScenarioDesk* m_scenarios;
    CompareDesk* m_compare;
    HistoryDock* m_history;
    LectureStage* m_lecture;
    // Of the views whose choices are kept: in a lecture they are not found below the window.
    QAction* m_byPlace = nullptr;
    TimelineMenu* m_lanes = nullptr;
    LogView* m_log = nullptr;
    Qt::WindowStates m_beforeLecture{};
    QByteArray m_cardsBeforeLecture;
};

} // namespace lockscope::ui
