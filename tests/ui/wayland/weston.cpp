#include "tests/ui/wayland/weston.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QProcess>
#include <QThread>

#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope::tests {

namespace {

constexpr const char* kSocket = "lockscope-test";

bool takesConnections(const QByteArray& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool taken = connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(socket);
    return taken;
}

} // namespace

// Sets the environment by which Qt, weston and weston-screenshooter find the screen.
void Weston::setEnvironment() const
{
    for (const char* name : {"DISPLAY", "QT_QPA_PLATFORMTHEME", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"})
        qunsetenv(name);
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
    qputenv("HOME", QFile::encodeName(m_folder.path()));
    qputenv("WAYLAND_DISPLAY", kSocket);
    qputenv("QT_QPA_PLATFORM", "wayland");
    qputenv("QT_STYLE_OVERRIDE", "Fusion");
    qputenv("QT_IM_MODULE", "compose"); // that of Wayland needs an input device (Qt 6.4 crashes without one)
}

// --debug: it gives pictures of the screen to whoever asks.
Weston::Weston(QSize screen)
    : m_process((setEnvironment(), "weston"),
                {"--backend=headless-backend.so", "--use-pixman", "--no-config", "--debug", "--idle-time=0",
                 QStringLiteral("--socket=%1").arg(kSocket), QStringLiteral("--width=%1").arg(screen.width()),
                 QStringLiteral("--height=%1").arg(screen.height())})
{
    const QDeadlineTimer end(ScreenProcess::kStartMs);
    while (!takesConnections(QFile::encodeName(m_folder.filePath(kSocket)))) {
        if (!m_process.isRunning() || end.hasExpired())
            failToStart("Weston", "weston");
        QThread::msleep(10);
    }
}

QImage Weston::screenShot() const
{
    const QTemporaryDir folder;
    QProcess shooter;
    shooter.setWorkingDirectory(folder.path());
    shooter.start(QStringLiteral("weston-screenshooter"), {});
    if (!shooter.waitForFinished(ScreenProcess::kStartMs))
        return {};
    const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*.png")});
    return files.isEmpty() ? QImage()
                           : QImage(folder.filePath(files.front())).convertToFormat(QImage::Format_RGB32);
}

} // namespace lockscope::tests
