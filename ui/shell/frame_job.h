// Numbered pictures of a stretch of time: moves the run's cursor from moment to moment, lets the views come to
// rest, and saves a PNG each, with a text file that says how to make a film of them. Afterwards the cursor is
// where it was. GUI thread; works by a timer, in no loop of its own.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/base/error.h"
#include "core/base/time.h"

namespace lockscope::ui {

class RunModel;

struct FramePlan
{
    QPointer<QWidget> widget; // what is drawn
    TraceTime begin{};
    TraceTime end{};
    int perSecond = 10; // pictures for a second of the run
    QString folder;

    static constexpr int kMost = 2000;
    int count() const; // both ends included
    TraceTime at(int index) const;
};

class FrameJob : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSettleMs = 400; // the slowest view redraws four times a second
    explicit FrameJob(RunModel* run, QObject* parent = nullptr);

    void start(const FramePlan& plan); // one that is going on is cancelled
    void cancel();
    bool active() const { return m_timer.isActive(); }

signals:
    void progress(int percent);
    void done(const QString& folder, int pictures);
    void failed(const lockscope::Error& error); // cancelled too

private:
    void take();
    void goBack();
    void fail(ErrorCode code, const QString& message);

    RunModel* m_run;
    FramePlan m_plan;
    QTimer m_timer;
    int m_next = 0;
    bool m_followed = false;
    TraceTime m_before{};
};

// "frame-0001.png", ...
QString frameName(int index);
// What the text file says: the exact commands, for ffmpeg and ImageMagick.
QString filmCommands(int perSecond);

} // namespace lockscope::ui
