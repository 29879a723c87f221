#include "app/lockscope/display.h"

#include "app/lockscope/command_line.h"

#include <QMessageLogContext>
#include <QString>
#include <QtGlobal>

#include <cstdio>
#include <cstdlib>

namespace lockscope::app {

namespace {

bool isSet(const char* name)
{
    const char* value = std::getenv(name);
    return value && *value;
}

void printAlternatives()
{
    std::fputs("Run a scenario without a window: lockscope-cli run five-clients\n"
               "Save a picture without a window: lockscope --shot picture.png five-clients\n",
               stderr);
}

void exitOnFatal(QtMsgType type, const QMessageLogContext&, const QString&)
{
    if (type != QtFatalMsg) {
        return; // Qt's warnings about plugins do not help the user here
    }
    std::fputs("lockscope: the display set in the environment cannot be opened (", stderr);
    const char* before = "";
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        if (isSet(name)) {
            std::fprintf(stderr, "%s%s=%s", before, name, std::getenv(name));
            before = ", ";
        }
    }
    std::fputs(").\n", stderr);
    if (isSet("WAYLAND_DISPLAY"))
        std::fputs("For Wayland, Qt needs the package qt6-wayland.\n", stderr);
    printAlternatives();
    std::_Exit(ExitCode::badUsage);
}

} // namespace

bool hasDisplay() { return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM"); }

void reportNoDisplay()
{
    std::fputs("lockscope: there is no display to open a window on.\n", stderr);
    printAlternatives();
}

void catchDisplayFailure() { qInstallMessageHandler(exitOnFatal); }

void releaseDisplayFailure() { qInstallMessageHandler(nullptr); }

} // namespace lockscope::app
