// Everything that leaves the window as a file or through the clipboard, and the menu for it: tables, a trace
// for Perfetto, a page, pictures. Long work shows its progress and can be cancelled. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "ui/shell/export_job.h"
#include "ui/shell/frame_job.h"
#include "ui/shell/frames_dialog.h"
#include "ui/shell/message.h"

class QMainWindow;
class QMenu;

namespace lockscope::ui {

class DockArea;
class DockCard;
class RunControl;
class TimeWindow;

class ExportDesk : public QObject
{
    Q_OBJECT
public:
    static constexpr double kScale = 2.0; // of pictures, so that they are sharp in print
    // `playSpeed`: of playing in the window, at which an animation begins too.
    ExportDesk(RunModel* run, RunControl* control, TimeWindow* time, DockArea* docks,
               std::function<double()> playSpeed, QMainWindow* window);

    QMenu* menu() const { return m_menu; }

public slots:
    void exportTo(lockscope::ui::ExportKind kind, const QString& path);
    void askPicture(const QString& view);
    void savePictureOf(const QString& view, const QString& path); // "window", a card's name or a chart's
    void saveNumbersOf(const QString& part, const QString& path); // "queue-length", as CSV
    void copyPictureOf(const QString& view);
    void makeFrames(const lockscope::ui::FramePlan& plan);

signals:
    void said(const lockscope::ui::Message& message);
    void unsaid(const QString& key);
    void posing(bool posing); // a picture is taken at this moment

private:
    void fillMenu();
    QAction* add(QMenu* menu, const char* name, const QString& text, const QString& explanation,
                 const QString& keywords = {});
    void addViews();
    void addTo(QMenu* menu, const DockCard* card);
    void askExport(ExportKind kind);
    void askNumbers(const QString& part);
    void askFrames(FramesDialog::Form form);
    void askPath(const QString& title, const QStringList& filters, const QString& suffix, const QString& name,
                 std::function<void(const QString&)> chosen);
    QWidget* widgetOf(const QString& view) const;
    bool hasRun();
    bool mayReplace(const QString& path);
    void connectJobs();
    void sayProgress(Wording text, int percent, std::function<void()> cancel);
    void sayDone(Wording text);
    void sayError(const Error& error);

    RunModel* m_run;
    RunControl* m_control;
    TimeWindow* m_time;
    DockArea* m_docks;
    std::function<double()> m_playSpeed;
    QMainWindow* m_window;
    QMenu* m_menu;
    ExportJob m_job;
    FrameJob m_frames;
    QString m_folder;
    QString m_opened; // the file that was opened last
};

} // namespace lockscope::ui
