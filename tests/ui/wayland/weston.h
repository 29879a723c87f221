// A private Wayland screen for window tests: a headless Weston, without a network and without input devices.
#pragma once

#include "tests/ui/screen/screen_process.h"

#include <QImage>
#include <QSize>
#include <QString>
#include <QTemporaryDir>

namespace lockscope::tests {

class Weston
{
public:
    // Blocks until it takes connections. Throws std::runtime_error when there is no Weston, or it does not
    // start. Sets the variables of the environment by which Qt finds it.
    explicit Weston(QSize screen);

    QImage screenShot() const; // what the screen shows; null when that cannot be had

private:
    void setEnvironment() const;

    QTemporaryDir m_folder; // its socket; nobody else may read it
    ScreenProcess m_process;
};

} // namespace lockscope::tests
