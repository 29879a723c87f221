#include "tests/ui/wayland/weston.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QProcess>
#include <QThread>

#include <cstring>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockscope::tests {

namespace {

constexpr const char* kSocket = "lockscope-test";
constexpr int kStartMs = 60'000;

// Nothing here may allocate: it runs between fork and exec.
[[noreturn]] void becomeWeston(const char* width, const char* height)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    // --debug: it gives pictures of the screen to whoever asks.
    execlp("weston", "weston", "--backend=headless-backend.so", "--use-pixman", "--no-config", "--debug",
           "--idle-time=0", "--socket=lockscope-test", width, height, static_cast<char*>(nullptr));
    _exit(127);
}

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

Weston::Weston(QSize screen)
{
    for (const char* name :
         {"DISPLAY", "QT_QPA_PLATFORMTHEME", "QT_STYLE_OVERRIDE", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"})
        qunsetenv(name);
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
    qputenv("HOME", QFile::encodeName(m_folder.path()));
    qputenv("WAYLAND_DISPLAY", kSocket);
    qputenv("QT_QPA_PLATFORM", "wayland");
    qputenv("QT_IM_MODULE", "compose"); // that of Wayland needs an input device (Qt 6.4 crashes without one)
    const std::string width = "--width=" + std::to_string(screen.width());
    const std::string height = "--height=" + std::to_string(screen.height());
    m_process = fork();
    if (m_process == 0)
        becomeWeston(width.c_str(), height.c_str());
    const QDeadlineTimer end(kStartMs);
    for (;;) {
        if (takesConnections(QFile::encodeName(m_folder.filePath(kSocket))))
            return;
        const bool ended = m_process < 0 || waitpid(m_process, nullptr, WNOHANG) != 0;
        if (ended || end.hasExpired()) {
            if (!ended) {
                kill(m_process, SIGKILL);
                waitpid(m_process, nullptr, 0);
            }
            throw std::runtime_error("Weston did not start; it is in Debian's package weston");
        }
        QThread::msleep(10);
    }
}

Weston::~Weston()
{
    kill(m_process, SIGTERM);
    waitpid(m_process, nullptr, 0);
}

QImage Weston::screenShot() const
{
    const QTemporaryDir folder;
    QProcess shooter;
    shooter.setWorkingDirectory(folder.path());
    shooter.start(QStringLiteral("weston-screenshooter"), {});
    if (!shooter.waitForFinished(kStartMs))
        return {};
    const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*.png")});
    return files.isEmpty() ? QImage()
                           : QImage(folder.filePath(files.front())).convertToFormat(QImage::Format_RGB32);
}

} // namespace lockscope::tests
