#include "ui/shell/export/frame_job.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/run/run_model.h"
#include "ui/shell/export/gif_file.h"
#include "ui/shell/export/picture.h"

#include <QDir>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr double kSecond = 1e9;
constexpr double kFrameJobRounding = 1e-6; // so that rounding errors do not drop the last picture
constexpr double kScale = 1.0;             // enough for a film
} // namespace

int FramePlan::count() const
{
    if (end < begin || perSecond <= 0 || speed <= 0) {
        return 0;
    }
    const double steps = std::floor(static_cast<double>((end - begin).count()) / step() + kFrameJobRounding);
    return static_cast<int>(std::min<double>(steps + 1, kMaxFrames));
}

double FramePlan::step() const { return kSecond * speed / perSecond; }

TraceTime FramePlan::at(int index) const
{
    return std::min(end, begin + Duration(std::llround(step() * index)));
}

QString frameName(int index)
{
    return QStringLiteral("frame-%1.png").arg(index + 1, 4, 10, QLatin1Char('0'));
}

QString filmCommands(const FramePlan& plan)
{
    const QString perSecond = QString::number(plan.perSecond);
    return FrameJob::tr("LockScope wrote one picture for each %1 ms of the run. Run one of these commands in "
                        "this folder to "
                        "make a film of them.\n\n"
                        "With ffmpeg, a film (MP4):\n%2\n\n"
                        "With ffmpeg, a film for web pages (WebM):\n%3\n")
        .arg(QString::number(plan.step() / 1e6, 'g', 4),
             QStringLiteral("ffmpeg -framerate %1 -i frame-%04d.png -vf "
                            "\"pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p\" film.mp4")
                 .replace("%1", perSecond),
             QStringLiteral("ffmpeg -framerate %1 -i frame-%04d.png -c:v libvpx-vp9 -crf 30 -b:v 0 film.webm")
                 .replace("%1", perSecond));
}

FrameJob::FrameJob(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kSettleMs);
    connect(&m_timer, &QTimer::timeout, this, &FrameJob::takeFrame);
    m_worker.onIdle([this] {
        if (isEnded())
            emit ended();
    });
}

FrameJob::~FrameJob() = default;

void FrameJob::start(RunModel* run, const FramePlan& plan)
{
    m_run = run;
    m_plan = plan;
    m_next = 0;
    m_active = true;
    if (plan.count() == 0 || (!plan.animated() && !QDir().mkpath(plan.folder)))
        return fail({ErrorCode::ioFailed,
                     message("The pictures cannot be written to %1.", plan.folder.toStdString()),
                     {}});
    if (plan.animated())
        m_gif = std::make_shared<GifFile>(plan.gif, plan.perSecond);
    seekNext();
}

void FrameJob::cancel()
{
    if (active())
        fail({ErrorCode::cancelled, message("The pictures were canceled."), {}});
}

void FrameJob::fail(const Error& error)
{
    m_active = false;
    m_timer.stop();
    m_worker.cancel();
    m_gif.reset();
    emit failed(error);
    if (isEnded())
        emit ended();
}

void FrameJob::seekNext()
{
    if (m_next == m_plan.count())
        return finish();
    m_run->seekTime(m_plan.at(m_next));
    m_timer.start();
    emit progress(100 * m_next / m_plan.count());
}

void FrameJob::takeFrame()
{
    if (!m_plan.widget)
        return fail({ErrorCode::cancelled, message("The view was closed."), {}});
    if (m_run->opening())
        return m_timer.start();
    write(
        [gif = m_gif, picture = pictureOf(*m_plan.widget, kScale),
         path = QDir(m_plan.folder).filePath(frameName(m_next))] {
            return gif ? gif->add(picture) : writePicture(pngOf(picture), path);
        },
        [this] { seekNext(); });
    ++m_next;
}

void FrameJob::finish()
{
    write(
        [gif = m_gif, plan = m_plan]() -> Result<void> {
            if (gif)
                return gif->finish();
            AtomicFile words(QDir(plan.folder).filePath(QStringLiteral("make-a-film.txt")));
            if (words.put(filmCommands(plan).toUtf8()))
                return {};
            return Error{ErrorCode::ioFailed,
                         message("The pictures were written, but the text file with the commands cannot be "
                                 "written."),
                         {}};
        },
        [this] {
            m_active = false;
            m_gif.reset();
            emit done(m_plan);
        });
}

void FrameJob::write(std::function<Result<void>()> work, std::function<void()> then)
{
    m_worker.startAfterEarlier(
        [this, work = std::move(work), then = std::move(then)](const std::stop_token& stop) {
            const Result<void> written = work();
            m_worker.post(stop, [this, written, then] { written ? then() : fail(written.error()); });
        });
}

} // namespace lockscope::ui

#include "moc_frame_job.cpp"
