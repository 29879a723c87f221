#include "tests/ui/x11/x_server.h"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockscope::tests {

namespace {

// Nothing here may allocate: it runs between fork and exec.
[[noreturn]] void becomeServer(const char* screen, const char* displayPipe)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execlp("Xvfb", "Xvfb", "-displayfd", displayPipe, "-screen", "0", screen, "-dpi", "96", "-nolisten",
           "tcp", "-noreset", static_cast<char*>(nullptr));
    _exit(127);
}

// Up to the end of the line; empty when there is none.
std::string lineFrom(int pipe)
{
    std::string line;
    char letter = 0;
    while (read(pipe, &letter, 1) == 1) {
        if (letter == '\n')
            return line;
        line += letter;
    }
    return {};
}

} // namespace

XServer::XServer(QSize screen)
{
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        throw std::runtime_error("no pipe for the number of the display");
    const std::string size = std::to_string(screen.width()) + 'x' + std::to_string(screen.height()) + "x24";
    const std::string written = std::to_string(pipe[1]);
    m_process = fork();
    if (m_process == 0) {
        close(pipe[0]);
        becomeServer(size.c_str(), written.c_str());
    }
    close(pipe[1]);
    const std::string number = m_process > 0 ? lineFrom(pipe[0]) : std::string();
    close(pipe[0]);
    if (number.empty()) {
        if (m_process > 0)
            waitpid(m_process, nullptr, 0);
        throw std::runtime_error("Xvfb did not start; it is in Debian's package xvfb");
    }
    m_display = ':' + number;
}

XServer::~XServer()
{
    kill(m_process, SIGTERM);
    waitpid(m_process, nullptr, 0);
}

} // namespace lockscope::tests
