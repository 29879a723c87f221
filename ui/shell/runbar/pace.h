// The pace of a run: the delay before every protocol step, as a slider position and as text. Pure.
#pragma once

#include "core/base/time.h"

#include <QString>

namespace lockscope::ui::pace {

int positions();              // the slider goes from 0 to positions() - 1
Duration at(int position);    // 0: full speed; the last position: 2 s
int nearest(Duration step);   // the position whose delay is closest
QString words(Duration step); // "full speed", "250 ms/step"

} // namespace lockscope::ui::pace
