// Checks that there is a display to open a window on: Qt would abort without one. No state; call before
// QApplication.
#pragma once

namespace lockscope::app {

bool hasDisplay();
// Reports on stderr that there is no display, and the remedy.
void reportNoDisplay();
// From here on, if Qt cannot open the display that the environment names, the program reports it and exits
// with 2.
void catchDisplayFailure();
void releaseDisplayFailure();

} // namespace lockscope::app
