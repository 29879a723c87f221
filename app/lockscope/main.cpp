// lockscope: the window, or with --shot one picture of it, or with --player one page.
#include "app/lockscope/command_line.h"
#include "app/lockscope/compare_taker.h"
#include "app/lockscope/display.h"
#include "app/lockscope/moment.h"
#include "app/lockscope/picture_taker.h"
#include "app/options/program.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/language_menu.h"
#include "ui/shell/window/main_window.h"
#include "ui/shell/window/scenario_controller.h"

#include <QApplication>
#include <QProcess>
#include <QSettings>
#include <QTimer>

#include <optional>
#include <string>
#include <vector>

using namespace lockscope;
using namespace lockscope::app;

namespace {

QtMessageHandler otherMessages = nullptr;

// What the platform without a display cannot do has no effect on a picture.
void dropPluginWarnings(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type != QtWarningMsg || !text.startsWith(QLatin1String("This plugin does not support"))) {
        otherMessages(type, context, text);
    }
}

// A picture must not depend on the screen or on the user's desktop settings.
void ignoreDesktopSettings()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_ENABLE_HIGHDPI_SCALING", "0");
    qputenv("QT_FONT_DPI", "96");
    qunsetenv("QT_SCALE_FACTOR");
    qunsetenv("QT_SCREEN_SCALE_FACTORS");
    qunsetenv("QT_STYLE_OVERRIDE");
    qunsetenv("QT_QPA_PLATFORMTHEME");
}

ui::Theme::ColourScheme themeFor(const CommandLine& line, const ui::Settings& settings)
{
    if (!line.themeGiven) {
        const int kept = settings.get(ui::settings::kColourScheme);
        return kept >= 0 && kept <= 2 ? static_cast<ui::Theme::ColourScheme>(kept)
                                      : ui::Theme::ColourScheme::system;
    }
    return line.colourScheme == "dark"    ? ui::Theme::ColourScheme::dark
           : line.colourScheme == "light" ? ui::Theme::ColourScheme::light
                                          : ui::Theme::ColourScheme::system;
}

template <class Taker, class... More>
int takeWith(CommandLine line, More... more)
{
    Taker taker(std::move(line), more...);
    QTimer::singleShot(0, &taker, &Taker::start);
    return QApplication::exec();
}

int takePicture(const CommandLine& line)
{
    ui::Language language(line.language.empty() ? QStringLiteral("en")
                                                : QString::fromStdString(line.language));
    return line.view == "compare" ? takeWith<CompareTaker>(line) : takeWith<PictureTaker>(line, &language);
}

ui::AttachTarget watchedBy(const CommandLine& line)
{
    QStringList paths;
    for (const std::string& path : line.watched) {
        paths << QString::fromStdString(path);
    }
    return {QString::fromStdString(line.watch), paths.join(QStringLiteral(", ")), 0, {}, line.sasl};
}

int showWindow(const CommandLine& line)
{
    QSettings settings;
    ui::Language language(line.language.empty() ? ui::LanguageMenu::kept(&settings)
                                                : QString::fromStdString(line.language));
    ui::MainWindow::Setup setup;
    setup.colourScheme = themeFor(line, &settings);
    setup.runs = {line.connect, line.history ? std::string() : line.lockPath, line.joinForeign, line.paused};
    setup.language = &language;
    setup.settings = &settings;
    setup.beginsSimple = true;
    setup.openWindow = [](const QString& file) {
        QProcess::startDetached(QCoreApplication::applicationFilePath(),
                                file.isEmpty() ? QStringList() : QStringList(file));
    };
    ui::MainWindow window(setup);
    std::optional<Moment> moment;
    if (line.at) {
        moment.emplace(&window.model(), line.at,
                       [&window, at = *line.at](const std::optional<Error>& failure) {
                           if (!failure) { // the window shows a failure by itself
                               window.model().seekTime(at);
                           }
                       });
    }
    window.show();
    // The welcome page of the first start, unless something was requested.
    const bool welcomed = window.isFirstStart() && line.input.empty() && line.connect.empty() &&
                          line.lockPath.empty() && line.watch.empty();
    QTimer::singleShot(0, &window,
                       [&window, welcomed, history = line.history, lock = line.lockPath,
                        input = QString::fromStdString(line.input), watched = watchedBy(line),
                        lesson = QString::fromStdString(line.lesson)] {
                           if (!watched.servers.isEmpty()) {
                               window.scenarioController().attach(watched);
                           } else if (!lesson.isEmpty()) {
                               window.lessons().open(lesson);
                           } else if (welcomed) {
                               window.showFirstPage();
                           } else if (history) {
                               window.openHistory(input, lock);
                           } else if (input.endsWith(".toml") || input.endsWith(".jsonl")) {
                               window.control().openPath(input);
                           } else {
                               window.control().startBuiltIn(
                                   input.isEmpty() ? QString::fromLatin1(ui::RunController::kDefaultScenario)
                                                   : input);
                           }
                       });
    return QApplication::exec();
}

int run(int argc, char** argv)
{
    std::vector<std::string> views;
    for (const QString& name : ui::pictureNames(ui::viewTable())) {
        views.push_back(name.toStdString());
    }
    const auto asked = readCommandLine(argc, argv, views);
    if (const auto* code = std::get_if<ExitCode>(&asked)) {
        return *code;
    }
    const CommandLine& line = std::get<CommandLine>(asked);
    const bool picture = isWritten(line);
    if (picture) {
        ignoreDesktopSettings();
    } else if (!hasDisplay()) {
        reportNoDisplay();
        return ExitCode::badUsage;
    }
    catchDisplayFailure();
    int qtArgumentCount = 1; // ours have been read already
    QApplication application(qtArgumentCount, argv);
    releaseDisplayFailure();
    if (picture) {
        otherMessages = qInstallMessageHandler(dropPluginWarnings);
    }
    QApplication::setOrganizationName("LockScope");
    QApplication::setApplicationName("lockscope");
    QGuiApplication::setDesktopFileName("io.github.lockscope.LockScope"); // Wayland finds the icon by it
    QApplication::setApplicationVersion(LOCKSCOPE_VERSION);
    QApplication::setStyle("Fusion");
    return picture ? takePicture(line) : showWindow(line);
}

} // namespace

int main(int argc, char** argv) { return runProgram("lockscope", run, argc, argv); }
