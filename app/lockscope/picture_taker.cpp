#include "app/lockscope/picture_taker.h"

#include "app/options/ways_out.h"
#include "core/base/exit_code.h"
#include "core/trace/trace_file.h"
#include "ui/shell/export/picture.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace lockscope::app {

namespace {

// Views that redraw a few times a second, and the sliding cards of the chain, are at rest after this long.
constexpr int kSettleMs = 800;
constexpr int kFilmPicturesPerSecond = 10;

ui::Theme::ColourScheme themeOf(const std::string& name)
{
    return name == "dark" ? ui::Theme::ColourScheme::dark : ui::Theme::ColourScheme::light;
}

// When the run has gone far enough; empty: at its end.
std::optional<Duration> lastMoment(const CommandLine& line)
{
    return isFilm(line) || !line.player.empty() ? line.to : line.at;
}

bool runsOn(const sim::Scenario& scenario)
{
    const std::vector<sim::Participant> all = sim::participants(scenario);
    return std::any_of(all.begin(), all.end(),
                       [](const sim::Participant& one) { return one.work.cycles == 0; });
}

} // namespace

PictureTaker::PictureTaker(CommandLine line, ui::Language* language, const ui::ViewTable& views)
    : m_line(std::move(line))
{
    ui::MainWindow::Setup setup;
    setup.colourScheme = themeOf(m_line.colourScheme);
    setup.runs = {m_line.connect, m_line.history ? std::string() : m_line.lockPath, m_line.joinForeign, false,
                  false};
    setup.language = language;
    setup.views = views;
    m_window = std::make_unique<ui::MainWindow>(setup);
    m_window->enterPictureMode(QString::fromStdString(m_line.view));
    m_window->resize(m_line.size ? QSize(m_line.size->width, m_line.size->height)
                                 : ui::shotSize(views, QString::fromStdString(m_line.view)));
    m_settling.setSingleShot(true);
    m_settling.setInterval(kSettleMs);
    connect(&m_settling, &QTimer::timeout, this, &PictureTaker::take);
}

void PictureTaker::start()
{
    m_moment = std::make_unique<Moment>(
        &m_window->model(), lastMoment(m_line), [this](const std::optional<Error>& failure) {
            failure ? failRun(*failure) : m_line.player.empty() ? settle() : play();
        });
    m_window->show();
    if (m_line.history) {
        openHistory();
    } else if (m_line.input.ends_with(".jsonl")) {
        openTrace();
    } else {
        runScenario();
    }
}

void PictureTaker::openTrace()
{
    auto loaded = trace::loadTrace(m_line.input);
    if (!loaded) {
        fail(loaded.error());
        return;
    }
    m_window->control().showTrace(QString::fromStdString(m_line.input), *loaded);
}

// Shows the list of locks, or the run of one lock if one is given.
void PictureTaker::openHistory()
{
    connect(m_window.get(), &ui::MainWindow::historyFailed, this, &PictureTaker::fail);
    connect(m_window.get(), &ui::MainWindow::historyShown, this, [this] {
        if (!m_window->model().hasRun()) {
            m_settling.start();
        }
    });
    m_window->openHistory(QString::fromStdString(m_line.input), m_line.lockPath);
}

void PictureTaker::runScenario()
{
    auto scenario = sim::loadScenario(m_line.input);
    if (!scenario) {
        fail(scenario.error());
        return;
    }
    if (!lastMoment(m_line) && runsOn(*scenario) && !scenario->duration) {
        fail({ErrorCode::badUsage, "This scenario runs without end.",
              m_line.player.empty() ? "Say at which moment to take the picture, for example --at 5s."
                                    : "Say where the page ends, for example --to 5s."});
        return;
    }
    m_scenario = *scenario;
    m_window->control().startScenario(*scenario, {});
}

void PictureTaker::failRun(const Error& error)
{
    const std::string& hosts = m_line.connect.empty() ? m_scenario.connect : m_line.connect;
    fail(error.code == ErrorCode::busy ? withWaysOut(error, hosts, sim::participants(m_scenario).size())
                                       : error);
}

void PictureTaker::settle()
{
    ui::RunModel& model = m_window->model();
    if (m_line.at) {
        model.seekTime(*m_line.at);
    } else {
        model.follow();
    }
    m_window->selectClientForPicture();
    if (m_line.view == "welcome") {
        m_window->enterPictureMode("welcome"); // only now: a change of the run closes it
    }
    model.endRun();
    if (m_line.from || m_line.to) {
        const TraceTime begin = m_line.from.value_or(Duration::zero());
        const TraceTime end = m_line.to.value_or(m_line.at.value_or(model.endTime()));
        if (begin >= end) {
            return fail({ErrorCode::badUsage, "The run ends before the time of --from.", ""});
        }
        m_window->timeWindow().show(begin, end);
    }
    m_settling.start();
}

void PictureTaker::take()
{
    m_window->model().showWritten(true);
    if (isFilm(m_line)) {
        return film();
    }
    const auto done = ui::savePicture(*m_window, QString::fromStdString(m_line.shot));
    if (!done) {
        fail(done.error());
        return;
    }
    QCoreApplication::exit(ExitCode::done);
}

void PictureTaker::film()
{
    m_film = std::make_unique<ui::FrameJob>();
    connect(m_film.get(), &ui::FrameJob::failed, this, &PictureTaker::fail);
    connect(m_film.get(), &ui::FrameJob::done, this, [] { QCoreApplication::exit(ExitCode::done); });
    m_film->start(&m_window->model(), {m_window.get(),
                                       *m_line.from,
                                       *m_line.to,
                                       kFilmPicturesPerSecond,
                                       {},
                                       QString::fromStdString(m_line.shot),
                                       m_line.speed});
}

void PictureTaker::play()
{
    m_window->model().endRun();
    connect(&m_player, &ui::PlayerJob::failed, this, &PictureTaker::fail);
    connect(&m_player, &ui::PlayerJob::done, this, [] { QCoreApplication::exit(ExitCode::done); });
    m_player.start(
        {m_window->model().written(), m_line.from, m_line.to, QString::fromStdString(m_line.player),
         m_line.language.empty() ? QStringLiteral("en") : QString::fromStdString(m_line.language),
         m_line.themeGiven && m_line.colourScheme != "system" ? QString::fromStdString(m_line.colourScheme)
                                                              : QString()});
}

void PictureTaker::fail(const Error& error)
{
    std::fprintf(stderr, "lockscope: %s\n", error.text().c_str());
    QCoreApplication::exit(exitCode(error.code));
}

} // namespace lockscope::app

#include "moc_picture_taker.cpp"
