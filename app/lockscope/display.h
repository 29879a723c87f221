// Whether there is a display to open a window on: Qt would abort without one. No state; before QApplication.
#pragma once

namespace lockscope::app {

bool hasDisplay();
// Reports on stderr that there is none, and the remedy.
void reportNoDisplay();
// From here on, when Qt cannot open the display that the environment names, the program says so and exits
// with 2.
void catchDisplayFailure();
void releaseDisplayFailure();

} // namespace lockscope::app
