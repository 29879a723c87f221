// A private Wayland screen for window tests: a headless Weston, without a network and without input devices.
// To be made before the QApplication; it ends with this object, or with the process that made it, however
// that ends.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <QTemporaryDir>

#include <sys/types.h>

namespace lockscope::tests {

class Weston
{
public:
    // Blocks until it takes connections. Throws std::runtime_error when there is no Weston, or it does not
    // start. Sets the variables of the environment by which Qt finds it.
    explicit Weston(QSize screen);
    ~Weston();
    Weston(const Weston&) = delete;
    Weston& operator=(const Weston&) = delete;

    QImage screenShot() const; // what the screen shows; null when that cannot be had

private:
    QTemporaryDir m_folder; // its socket; nobody else may read it
    pid_t m_process = -1;
};

} // namespace lockscope::tests
