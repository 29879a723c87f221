// How large a new window may be. Pure.
#pragma once

#include <QScreen>
#include <QSize>

namespace lockscope::ui {

// On a screen that is smaller than wanted, or scaled up, with room for what a window manager puts around it, usually.
inline QSize sizeOnScreen(QSize wanted, const QScreen& screen)
{
    constexpr QSize kFrame(16, 48);
    return wanted.boundedTo(screen.availableSize() - kFrame);
}

} // namespace lockscope::ui
