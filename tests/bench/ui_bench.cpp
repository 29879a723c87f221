// What a frame of the window costs: draining and folding a run that grows, and drawing the whole window with
// all charts beside it, on the offscreen raster; then opening a long trace, seeking in it, zooming out to it,
// and its memory. A table for people, JSON for machines. The budget is in CPU time of the GUI thread: wall
// time on a shared machine measures the neighbours.
#include "core/trace/trace_file.h"
#include "tests/bench/event_costs.h"
#include "tests/bench/frame_meter.h"
#include "tests/support/sample_run.h"
#include "ui/charts/charts_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/window/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct Row
{
    QString what;
    double p50 = 0, p99 = 0, worst = 0; // ms
    std::size_t samples = 0;
    double budget = 0; // ms; 0 = none
};

Row summarize(const QString& what, std::vector<Duration> samples, double budget)
{
    std::sort(samples.begin(), samples.end());
    const auto at = [&](double share) {
        const auto last = static_cast<double>(samples.size() - 1);
        return samples.empty()
                   ? 0.0
                   : static_cast<double>(samples[static_cast<std::size_t>(share * last)].count()) / 1e6;
    };
    return {what, at(0.50), at(0.99), at(1.0), samples.size(), budget};
}

struct Window
{
    RunModel run;
    Selection selection;
    TimeWindow window;
    Bookmarks notes;
    Theme theme{Theme::ColourScheme::light};
    TimelineView view{{&run, &selection, &window, &notes, &theme}};

    Window()
    {
        view.resize(1180, 330);
        view.show();
        QCoreApplication::processEvents();
    }
    void draw()
    {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
    }
};

// The program's own window as it opens, with every card; and, if wanted, all six charts at once in a window
// of their own.
struct WholeWindow
{
    MainWindow main{MainWindow::Setup{}};
    TimelineView* timeline = main.findChild<TimelineView*>();

    explicit WholeWindow(bool withAllCharts)
    {
        main.resize(1680, 1050);
        main.show();
        if (withAllCharts) {
            DockCard* charts = main.docks().card("charts");
            charts->setFloating(true);
            charts->resize(1100, 640);
            charts->content().showPart({});
        }
        QCoreApplication::processEvents();
    }
};

std::size_t heapBytes()
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

// Appends at the given rate for a while; each frame, drains and paints whatever the window wants to.
std::vector<Row> growing(bool withAllCharts, EventCosts* costs, std::uint32_t clients, int eventsPerSecond,
                         int seconds)
{
    constexpr int kFramesPerSecond = 60;
    const std::size_t frames = static_cast<std::size_t>(seconds) * kFramesPerSecond;
    const std::size_t perFrame = static_cast<std::size_t>(eventsPerSecond / kFramesPerSecond) + 1;
    const std::size_t warmUp = static_cast<std::size_t>(clients) * 12; // all clients are in the queue
    tests::SampleOptions options;
    options.clients = clients;
    options.events = warmUp + frames * perFrame;
    const auto source = tests::sampleRun(options);

    auto store = std::make_shared<trace::TraceStore>(source->header());
    std::size_t next = 0;
    const auto append = [&](std::size_t until) {
        for (; next < std::min(until, source->count()); ++next)
            store->append(source->at(next));
    };
    WholeWindow shown(withAllCharts);
    append(warmUp);
    RunModel& run = shown.main.model();
    run.openTrace(store);
    run.setGrowing(true);
    while (run.drained() < store->count())
        QCoreApplication::processEvents();

    const std::size_t buildsBefore = shown.timeline->canvas()->builds();
    FrameMeter meter(run, costs);
    auto due = std::chrono::steady_clock::now();
    for (std::size_t frame = 0; frame < frames; ++frame) {
        append(next + perFrame);
        due += std::chrono::microseconds(1'000'000 / kFramesPerSecond);
        while (std::chrono::steady_clock::now() < due) {
            meter.processEvents();
            std::this_thread::sleep_until(
                std::min(due, std::chrono::steady_clock::now() + 1ms)); // the pace of frames
        }
        meter.endSixtieth();
    }
    const std::size_t drawn = shown.timeline->canvas()->builds() - buildsBefore;
    const std::size_t ticks = meter.frames().size();
    if (drawn < ticks * 3 / 4 || ticks < frames / 3)
        std::printf("Only %zu of %zu frames drew a picture: the numbers are too good.\n", drawn, ticks);
    const QString what =
        QStringLiteral("frame, %1, %2 clients, %3 events/s")
            .arg(withAllCharts ? QStringLiteral("six charts beside it") : QStringLiteral("whole window"))
            .arg(clients)
            .arg(eventsPerSecond);
    return {summarize(what + QStringLiteral(" (cpu)"), meter.frames(), 16),
            summarize(QStringLiteral("the same, in each 1/60 s of the clock (cpu)"), meter.sixtieths(), 0),
            summarize(QStringLiteral("the same (wall)"), meter.wall(), 0)};
}

std::vector<Row> longTrace(std::uint32_t clients, std::size_t events)
{
    tests::SampleOptions options;
    options.clients = clients;
    options.events = events;
    const QTemporaryDir folder;
    const std::string path = folder.filePath("long.jsonl").toStdString();
    {
        const auto store = tests::sampleRun(options);
        auto writer = trace::TraceWriter::create(path, *store);
        if (!writer || !(*writer)->pump() || !(*writer)->finish())
            std::fprintf(stderr, "Cannot write %s.\n", path.c_str());
    }
    Window shown;
    const std::size_t heapBefore = heapBytes();
    QElapsedTimer opening;
    opening.start();
    const auto loaded = trace::loadTrace(path);
    if (!loaded)
        return {};
    const auto store = loaded->store;
    const double read = static_cast<double>(opening.elapsed());
    shown.run.openTrace(store);
    while (shown.run.opening() || shown.run.drained() < store->count())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double whole = static_cast<double>(opening.elapsed());
    const double bytes = static_cast<double>(heapBytes() - heapBefore) / static_cast<double>(events);

    const auto timed = [](int times, const std::function<void(int)>& work) {
        std::vector<Duration> samples;
        for (int i = 0; i < times; ++i) {
            const Duration before = threadCpuTime();
            work(i);
            samples.push_back(threadCpuTime() - before);
        }
        return samples;
    };
    const TraceTime end = shown.run.endTime();
    std::vector<Row> rows{
        {QStringLiteral("open %1 events: read (wall)").arg(events), read, read, read, 1, 0},
        {QStringLiteral("open %1 events: read and fold (wall)").arg(events), whole, whole, whole, 1, 3000},
        {QStringLiteral("heap of an event: trace, states, lanes (bytes)"), bytes, bytes, bytes, 1, 300}};
    rows.push_back(summarize(QStringLiteral("seek (cpu)"),
                             timed(200, [&](int i) { shown.run.seekTime(end / 1000 * ((i * 619) % 1000)); }),
                             50));
    shown.run.follow();
    ChartsView charts(&shown.run, &shown.selection, &shown.theme);
    charts.resize(1100, 640);
    charts.showChart(std::nullopt);
    charts.show();
    QCoreApplication::processEvents();
    rows.push_back(summarize(QStringLiteral("all six charts: picture and paint (cpu)"),
                             timed(50,
                                   [&](int i) {
                                       charts.resize(1100 - i % 2, 640);
                                       QImage image(charts.size(), QImage::Format_RGB32);
                                       charts.render(&image);
                                   }),
                             16));
    rows.push_back(summarize(QStringLiteral("whole run: picture and paint (cpu)"),
                             timed(50,
                                   [&](int i) {
                                       shown.view.resize(1180 - i % 2, 330);
                                       shown.window.showAll();
                                       shown.draw();
                                   }),
                             16));
    rows.push_back(summarize(QStringLiteral("zoom and paint (cpu)"),
                             timed(200,
                                   [&](int i) {
                                       shown.window.zoom(i % 40 < 20 ? 0.7 : 1 / 0.7, end / 2);
                                       shown.draw();
                                   }),
                             16));
    return rows;
}

QJsonObject asJson(const Row& row)
{
    return {{"what", row.what},
            {"p50_ms", row.p50},
            {"p99_ms", row.p99},
            {"max_ms", row.worst},
            {"samples", qint64(row.samples)},
            {"budget_ms", row.budget}};
}

} // namespace
} // namespace lockscope::ui

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    lockscope::ui::EventCosts application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption clients("clients", "Clients on the lock.", "n", "1000");
    const QCommandLineOption rate("rate", "Events per second of the growing run.", "n", "5000");
    const QCommandLineOption seconds("seconds", "How long it grows.", "n", "5");
    const QCommandLineOption events("events", "Events of the long trace.", "n", "1000000");
    const QCommandLineOption json("json", "Write the numbers to this file.", "file");
    const QCommandLineOption parts("parts",
                                   "Only the growing run, and what each part of the window takes of it.");
    parser.addOptions({clients, rate, seconds, events, json, parts});
    parser.process(application);

    std::vector<lockscope::ui::Row> rows;
    const auto grow = [&](bool withAllCharts) {
        const auto grown = lockscope::ui::growing(withAllCharts, parser.isSet(parts) ? &application : nullptr,
                                                  parser.value(clients).toUInt(), parser.value(rate).toInt(),
                                                  parser.value(seconds).toInt());
        rows.insert(rows.end(), grown.begin(), grown.end());
    };
    grow(true);
    if (parser.isSet(parts)) {
        application.print();
    } else {
        grow(false);
        for (auto& row :
             lockscope::ui::longTrace(parser.value(clients).toUInt(), parser.value(events).toULongLong()))
            rows.push_back(std::move(row));
    }

    QJsonArray all;
    std::printf("%-58s %9s %9s %9s %8s %8s\n", "", "p50 ms", "p99 ms", "max ms", "samples", "budget");
    for (const auto& row : rows) {
        std::printf("%-58s %9.3f %9.3f %9.3f %8zu %8.0f\n", qPrintable(row.what), row.p50, row.p99, row.worst,
                    row.samples, row.budget);
        all.append(lockscope::ui::asJson(row));
    }
    if (!parser.isSet(json))
        return 0;
    QFile file(parser.value(json));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(all).toJson()) < 0) {
        std::fprintf(stderr, "Cannot write %s: %s\n", qPrintable(file.fileName()),
                     qPrintable(file.errorString()));
        return 1;
    }
    return 0;
}
