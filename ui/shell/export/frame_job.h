// Takes pictures of a time range: moves a run's cursor from moment to moment, lets the views settle, and
// takes one picture each. The result is an animated GIF, or numbered PNG files and a text file with the
// commands that make a film of them. GUI thread, driven by a timer; pictures are written in a worker thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/base/error.h"
#include "core/base/time.h"
#include "ui/models/run/worker.h"

#include <functional>
#include <memory>

namespace lockscope::ui {

class GifFile;
class RunModel;

struct FramePlan
{
    QPointer<QWidget> widget; // the widget that is drawn
    TraceTime begin{};
    TraceTime end{};
    int perSecond = 10; // pictures per second of the film
    QString folder;     // for the numbered pictures
    QString gif{};      // the path of the animation; empty: numbered pictures
    double speed = 1;   // of the film; 1 = as it happened

    static constexpr int kMaxFrames = 2000;
    bool animated() const { return !gif.isEmpty(); }
    int count() const; // the number of pictures, both ends included
    TraceTime at(int index) const;
    double step() const; // between two pictures, in nanoseconds of the run
};

class FrameJob : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSettleMs = 400; // the slowest view redraws four times a second
    explicit FrameJob(QObject* parent = nullptr);
    ~FrameJob() override; // waits for a picture that is being written: see isEnded()

    // Moves the cursor of `run`. May be called again after the end, also before isEnded().
    void start(RunModel* run, const FramePlan& plan);
    void cancel(); // does not wait
    bool active() const { return m_active; }
    bool isEnded() { return !m_active && !m_worker.busy(); } // destroying it does not wait

signals:
    void progress(int percent);
    void done(const lockscope::ui::FramePlan& plan);
    void failed(const lockscope::Error& error); // also when canceled
    void ended();                               // after done() or failed(), once isEnded()

private:
    void seekNext();
    void takeFrame();
    void finish();
    // Writes in the worker, then goes on with `then`, or fails.
    void write(std::function<Result<void>()> work, std::function<void()> then);
    void fail(const Error& error);

    RunModel* m_run = nullptr;
    FramePlan m_plan;
    QTimer m_timer;
    int m_next = 0;
    bool m_active = false;
    std::shared_ptr<GifFile> m_gif; // null unless an animation is being made; used by the worker
    Worker m_worker{this};
};

// "frame-0001.png", ...
QString frameName(int index);
// The content of the text file: the exact commands for ffmpeg.
QString filmCommands(const FramePlan& plan);

} // namespace lockscope::ui
