// Exports everything that leaves the window as a file or through the clipboard, and provides the menu for it:
// tables, a trace for Perfetto, a page, pictures. Long work shows its progress and can be canceled. GUI
// thread.
#pragma once

#include <QMainWindow>
#include <QObject>
#include <QPointer>

#include "ui/shell/dialogs/frames_dialog.h"
#include "ui/shell/export/export_job.h"
#include "ui/shell/export/frame_job.h"
#include "ui/shell/export/player_job.h"
#include "ui/shell/messages/message.h"

#include <functional>
#include <map>
#include <memory>

class QMenu;
class QPrinter;
class QTemporaryDir;

namespace lockscope::ui {

class DockArea;
class DockCard;
class RunController;
class TimeWindow;

// Another window, never on the screen, that shows the run of this one: a film is made of it.
struct FilmStage
{
    std::shared_ptr<QTemporaryDir> settings; // of the window
    std::unique_ptr<QMainWindow> window;
    RunModel* run;
    QWidget* view; // that is filmed
};

class ExportController : public QObject
{
    Q_OBJECT
public:
    static constexpr double kScale = 2.0; // of pictures, so that they print sharply
    // `playSpeed`: returns the window's playback speed, the initial speed of an animation.
    ExportController(RunModel* run, RunController* control, TimeWindow* time, DockArea* docks,
                     std::function<double()> playSpeed, QMainWindow* window);
    ~ExportController() override;
    // Makes the stages; `view`: "window", or the name of a card.
    void setStages(std::function<FilmStage(const QString& view)> stageOf) { m_stageOf = std::move(stageOf); }

    QMenu* menu() const { return m_menu; }

public slots:
    void exportTo(lockscope::exports::Kind kind, const QString& path);
    void askPicture(const QString& view);
    void askPrint();
    void printOn(QPrinter& printer); // the window, in the light theme
    void savePictureOf(const QString& view,
                       const QString& path); // `view`: "window", or the name of a card or a chart
    void saveNumbersOf(const QString& part, const QString& path); // `part`: "queue-length"; writes CSV
    void copyPictureOf(const QString& view);
    void makeFrames(const lockscope::ui::FramePlan& plan);
    void makePlayer(const QString& path); // of the whole run; of the timeline's time, if the run is too long

signals:
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);
    void capturing(bool capturing); // true before a picture is taken, false after it
    void printing(bool printing);   // within capturing(): the picture is for paper, or of a single card
    void onPaper(bool onPaper);     // within printing(): light whatever the theme

private:
    void fillMenu();
    QAction* add(QMenu* menu, const QString& name, const QString& text, const QString& explanation,
                 const QString& keywords, std::function<void()> act);
    void addViews();
    void addTo(QMenu* menu, const DockCard* card);
    void askNumbers(const QString& part);
    void askFrames(FramesDialog::Form form);
    void askPath(const QString& title, const QStringList& filters, const QString& suffix, const QString& name,
                 std::function<void(const QString&)> chosen);
    QWidget* widgetOf(const QString& view) const;
    bool hasRun();
    bool canReplace(const QString& path, const QString& key);
    void connectJobs();
    void connectFilm(FrameJob* job, const QString& path);
    void connectPlayer(PlayerJob* job, const QString& path);
    void removeEnded();
    // `key`: each export has its own message.
    void postProgress(const QString& key, TextProvider text, int percent, std::function<void()> cancel);
    void postDone(const QString& key, TextProvider text);
    void postError(const QString& key, const Error& error);

    RunModel* m_run;
    RunController* m_control;
    TimeWindow* m_time;
    DockArea* m_docks;
    std::function<double()> m_playSpeed;
    QMainWindow* m_window;
    QMenu* m_menu;
    ExportJob m_job;
    std::function<FilmStage(const QString& view)> m_stageOf;
    struct Film;
    std::map<QString, std::unique_ptr<Film>> m_films;        // by file or folder
    std::map<QString, std::unique_ptr<PlayerJob>> m_players; // by file
    QString m_folder;
    QString m_opened; // the path of the file opened last
};

} // namespace lockscope::ui
