// main() of the tests on a real X server: --screen=1366x768 --scale=1.5, then the arguments of GoogleTest.
#include "tests/ui/x11/x_server.h"

#include <QApplication>
#include <QTemporaryDir>

#include <cstdio>
#include <exception>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace {

struct Screen
{
    QSize size{1280, 800};
    std::string scale = "1";
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
void prepareEnvironment(const std::string& display, const std::string& scale, const QString& home)
{
    for (const char* name :
         {"QT_QPA_PLATFORMTHEME", "QT_STYLE_OVERRIDE", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI",
          "QT_IM_MODULE", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CONFIG_HOME"})
        qunsetenv(name);
    qputenv("DISPLAY", display.c_str());
    qputenv("QT_QPA_PLATFORM", "xcb");
    qputenv("QT_SCALE_FACTOR", scale.c_str());
    qputenv("HOME", home.toLocal8Bit());
}

int runTests(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    const Screen screen = screenFrom(argc, argv);
    const QTemporaryDir home;
    const lockscope::tests::XServer server(screen.size);
    prepareEnvironment(server.display(), screen.scale, home.path());
    QApplication application(argc, argv);
    QApplication::setOrganizationName("LockScopeTest");
    QApplication::setApplicationName("lockscope-test");
    QApplication::setStyle("Fusion");
    return RUN_ALL_TESTS();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return runTests(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
