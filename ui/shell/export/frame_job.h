// Pictures of a stretch of time: moves the run's cursor from moment to moment, lets the views come to rest, and takes
// a picture each. They become an animated GIF, or numbered PNG files with a text file that describes how to make a film of
// them. Afterwards the cursor is where it was. GUI thread; works by a timer, in no loop of its own.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/base/error.h"
#include "core/base/time.h"

#include <memory>

namespace lockscope::ui {

class GifFile;
class RunModel;

struct FramePlan
{
    QPointer<QWidget> widget; // what is drawn
    TraceTime begin{};
    TraceTime end{};
    int perSecond = 10; // pictures for a second of the film
    QString folder;     // of the numbered pictures
    QString gif{};      // the animation that is made instead of them
    double speed = 1;   // of the film, against how fast it happened

    static constexpr int kMaxFrames = 2000;
    bool animated() const { return !gif.isEmpty(); }
    int count() const; // both ends included
    TraceTime at(int index) const;
    double step() const; // from picture to picture, in nanoseconds of the run
};

class FrameJob : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSettleMs = 400; // the slowest view redraws four times a second
    explicit FrameJob(RunModel* run, QObject* parent = nullptr);
    ~FrameJob() override;

    void start(const FramePlan& plan); // one that is going on is cancelled
    void cancel();
    bool active() const { return m_timer.isActive(); }

signals:
    void capturing(bool capturing); // a picture is taken: what is not meant to be in it is out of the way
    void progress(int percent);
    void done(const lockscope::ui::FramePlan& plan);
    void failed(const lockscope::Error& error); // cancelled too

private:
    void takeFrame();
    Result<void> saveFrame(); // the picture of now
    Result<void> end();  // that was the last one
    void restoreCursor();
    void fail(const Error& error);

    RunModel* m_run;
    FramePlan m_plan;
    QTimer m_timer;
    int m_next = 0;
    std::unique_ptr<GifFile> m_gif; // while an animation is made
    bool m_wasFollowing = false;
    TraceTime m_cursorBefore{};
};

// "frame-0001.png", ...
QString frameName(int index);
// The content of the text file: the exact commands for ffmpeg.
QString filmCommands(const FramePlan& plan);

} // namespace lockscope::ui
