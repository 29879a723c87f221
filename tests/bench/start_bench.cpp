// start_bench [SCENARIO]: how long after the program was started the first handoff is on the screen, with a
// server of its own, on the offscreen platform. Each start is a process of its own: this program again, with
// --child, which does what lockscope does and prints its moments. Wall time: a person waits for it.
#include "core/base/time.h"
#include "ui/shell/window/main_window.h"

#include <QApplication>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

namespace lockscope::ui {
namespace {

constexpr int kStarts = 10;
constexpr int kPatience = 60'000; // ms
const std::array<const char*, 3> kMoments = {"window drawn", "first event of the run drawn",
                                             "first handoff drawn"};

std::int64_t nowNs() { return MonotonicClock::now().time_since_epoch().count(); }

// Prints the clock whenever one more of the moments is on the screen, and ends after the last.
class Watched : public QApplication
{
public:
    using QApplication::QApplication;
    void watch(const RunModel* run) { m_run = run; }
    bool notify(QObject* receiver, QEvent* event) override
    {
        const bool taken = QApplication::notify(receiver, event);
        if (event->type() == QEvent::UpdateRequest && m_run)
            drawn();
        return taken;
    }

private:
    bool reached() const
    {
        return m_moment == 0 || (m_moment == 1 && m_run->store() && m_run->store()->count() > 0) ||
               (m_moment == 2 && m_run->state().statistics.handoffs > 0);
    }
    void drawn()
    {
        while (m_moment < kMoments.size() && reached()) {
            std::printf("%lld\n", static_cast<long long>(nowNs()));
            ++m_moment;
        }
        if (m_moment == kMoments.size())
            quit();
    }

    const RunModel* m_run = nullptr;
    std::size_t m_moment = 0;
};

int child(int argc, char** argv, const QString& scenario)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    Watched application(argc, argv);
    QApplication::setStyle("Fusion");
    MainWindow window(MainWindow::Setup{});
    application.watch(&window.model());
    window.show();
    QTimer::singleShot(0, &window, [&] { window.control().startBuiltIn(scenario); });
    return QApplication::exec();
}

// ms from the start of the process to each moment; nothing when it failed.
std::optional<std::vector<double>> start(const QString& scenario)
{
    QProcess process;
    const std::int64_t begin = nowNs();
    process.start(QStringLiteral("/proc/self/exe"), {QStringLiteral("--child"), scenario});
    if (!process.waitForFinished(kPatience) || process.exitCode() != 0) {
        std::fprintf(stderr, "%s", process.readAllStandardError().constData());
        return std::nullopt;
    }
    std::vector<double> moments;
    for (const QByteArray& line : process.readAllStandardOutput().trimmed().split('\n'))
        moments.push_back(static_cast<double>(line.toLongLong() - begin) / 1e6);
    return moments.size() == kMoments.size() ? std::optional(moments) : std::nullopt;
}

int measure(const QString& scenario)
{
    std::array<std::vector<double>, kMoments.size()> all;
    for (int i = 0; i < kStarts; ++i) {
        const auto moments = start(scenario);
        if (!moments) {
            std::fprintf(stderr, "start_bench: the window did not come to its first handoff.\n");
            return 1;
        }
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k].push_back((*moments)[k]);
    }
    std::printf("| %s, %d starts | median | longest | budget |\n|---|---|---|---|\n", qPrintable(scenario),
                kStarts);
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::sort(all[k].begin(), all[k].end());
        const bool last = k + 1 == all.size();
        const double longest = all[k].back();
        std::printf("| %s | %.0f ms | %.0f ms | %s |\n", kMoments[k], all[k][all[k].size() / 2], longest,
                    !last             ? ""
                    : longest <= 3000 ? "<= 3 s: met"
                                      : "<= 3 s: MISSED");
    }
    return 0;
}

} // namespace
} // namespace lockscope::ui

int main(int argc, char** argv)
{
    using namespace lockscope::ui;
    if (argc == 3 && QString::fromLocal8Bit(argv[1]) == "--child")
        return child(argc, argv, QString::fromLocal8Bit(argv[2]));
    if (argc > 2) {
        std::fprintf(stderr, "usage: start_bench [SCENARIO]\n");
        return 2;
    }
    return measure(argc == 2 ? QString::fromLocal8Bit(argv[1])
                             : QString::fromLatin1(RunController::kDefaultScenario));
}
