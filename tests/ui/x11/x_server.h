// A private screen for window tests: Xvfb on a free display, without a network port. To be made
// before the QApplication; it ends with this object, or with the process that made it, however that ends.
#pragma once

#include <QSize>

#include <string>

#include <sys/types.h>

namespace lockscope::tests {

class XServer
{
public:
    // Blocks until the display can be connected to. Throws std::runtime_error when there is no Xvfb, or it
    // does not start.
    explicit XServer(QSize screen);
    ~XServer();
    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;

    const std::string& display() const { return m_display; } // ":7"

private:
    pid_t m_process = -1;
    std::string m_display;
};

} // namespace lockscope::tests
