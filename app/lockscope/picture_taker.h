// lockscope --shot and --player: shows the input in a hidden window, waits for the requested moment, writes
// the picture or the page and ends the program. GUI thread; works by signals, in no loop of its own.
#pragma once

#include <QObject>
#include <QTimer>

#include "app/lockscope/command_line.h"
#include "app/lockscope/moment.h"
#include "core/sim/scenario/scenario.h"
#include "ui/shell/export/frame_job.h"
#include "ui/shell/export/player_job.h"
#include "ui/shell/window/main_window.h"

#include <memory>

namespace lockscope::app {

class PictureTaker : public QObject
{
    Q_OBJECT
public:
    PictureTaker(CommandLine line, ui::Language* language, const ui::ViewTable& views = ui::viewTable());

public slots:
    void start(); // ends with QCoreApplication::exit()

private:
    void openTrace();
    void openHistory();
    void runScenario();
    void settle(); // the moment has come; the views follow the cursor in their next frame
    void take();
    void film();
    void play();
    void failRun(const Error& error); // says what can be done about a lock of others
    void fail(const Error& error);

    CommandLine m_line;
    sim::Scenario m_scenario; // that runs; empty: nothing runs
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<Moment> m_moment;
    QTimer m_settling;
    std::unique_ptr<ui::FrameJob> m_film; // null for a single picture
    ui::PlayerJob m_player;
};

} // namespace lockscope::app
