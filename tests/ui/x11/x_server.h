// A private screen for window tests: Xvfb on a free display, without a network port.
#pragma once

#include "tests/ui/screen/screen_process.h"

#include <QSize>

namespace lockscope::tests {

class XServer
{
public:
    // Blocks until the display can be connected to. Throws std::runtime_error when there is no Xvfb, or it
    // does not start.
    explicit XServer(QSize screen)
        : m_process("Xvfb", {"-displayfd", "1", "-screen", "0",
                             QStringLiteral("%1x%2x24").arg(screen.width()).arg(screen.height()), "-dpi",
                             "96", "-nolisten", "tcp", "-noreset"})
        , m_display(':' + m_process.firstLine())
    {
        if (m_display.size() == 1)
            failToStart("Xvfb", "xvfb");
    }

    const QByteArray& display() const { return m_display; } // ":7"

private:
    ScreenProcess m_process;
    QByteArray m_display;
};

} // namespace lockscope::tests
