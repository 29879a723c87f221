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

void exitOnFatal(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type != QtFatalMsg) {
        return; // Qt's own words about plugins help nobody here
    }
    sayNoDisplay();
    std::fprintf(stderr, "Qt says: %s\n", text.section('\n', 0, 0).toUtf8().constData());
    std::_Exit(ExitCode::badUsage);
}

} // namespace

bool hasDisplay() { return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM"); }

void sayNoDisplay()
{
    std::fputs("lockscope: there is no display to open a window on.\n"
               "Run a scenario without a window: lockscope-run five-clients\n"
               "Save a picture without a window: lockscope --shot picture.png five-clients\n",
               stderr);
}

void catchDisplayFailure() { qInstallMessageHandler(exitOnFatal); }

void releaseDisplayFailure() { qInstallMessageHandler(nullptr); }

} // namespace lockscope::app
