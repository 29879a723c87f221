// How large a new window may be. Pure.
#pragma once

#include <QScreen>
#include <QSize>

namespace lockscope::ui {

// `wanted`, or less on a screen that is smaller or scaled up, with room for a usual window frame.
inline QSize sizeOnScreen(QSize wanted, const QScreen& screen)
{
    constexpr QSize kFrame(16, 48);
    return wanted.boundedTo(screen.availableSize() - kFrame);
}

} // namespace lockscope::ui
