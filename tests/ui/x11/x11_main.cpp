// main() of the tests on a real X server: --screen=1366x768 --scale=1.5, then the arguments of GoogleTest.
#include "tests/support/qt_main.h"
#include "tests/ui/x11/x_server.h"

#include <QTemporaryDir>

#include <memory>
#include <regex>
#include <string>

namespace {

struct Screen
{
    QSize size{1280, 800};
    std::string scale = "1";
};

struct Desktop
{
    explicit Desktop(QSize screen)
        : server(screen)
    {}
    QTemporaryDir home;
    lockscope::tests::XServer server;
};

Screen screenFrom(int argc, char** argv)
{
    static const std::regex size("--screen=([0-9]+)x([0-9]+)"), scale("--scale=([0-9.]+)");
    Screen screen;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        std::smatch part;
        if (std::regex_match(argument, part, size))
            screen.size = {std::stoi(part[1]), std::stoi(part[2])};
        else if (std::regex_match(argument, part, scale))
            screen.scale = part[1];
    }
    return screen;
}

// The user's desktop settings must not apply here, and nothing is written into the home directory.
std::unique_ptr<Desktop> makeDesktop(int argc, char** argv)
{
    const Screen screen = screenFrom(argc, argv);
    auto desktop = std::make_unique<Desktop>(screen.size);
    for (const char* name : {"QT_QPA_PLATFORMTHEME", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_IM_MODULE",
                             "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CONFIG_HOME"})
        qunsetenv(name);
    qputenv("DISPLAY", desktop->server.display());
    qputenv("QT_QPA_PLATFORM", "xcb");
    qputenv("QT_STYLE_OVERRIDE", "Fusion");
    qputenv("QT_SCALE_FACTOR", screen.scale.c_str());
    qputenv("HOME", desktop->home.path().toLocal8Bit());
    return desktop;
}

} // namespace

int main(int argc, char** argv) { return lockscope::tests::runWindowTests(argc, argv, makeDesktop); }
