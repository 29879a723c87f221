// lockscope-supervisor BASE_DIR keep|remove COMMAND [ARGUMENT...]
// Runs a command in a private directory for a parent that may end in any way. Standard input is a socket to
// the parent. When it closes, or on SIGTERM and the like: kills the command, removes the directory, ends.
// Each line from the parent is a number and start, kill, suspend or resume; the reply is the number and the
// result, in order. SupervisorClient is the other end.

#include "core/base/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace {

constexpr int kParent = STDIN_FILENO;

class Supervisor
{
public:
    Supervisor(std::string directory, char** command)
        : m_directory(std::move(directory))
        , m_command(command)
    {}

    void handle(const std::string& request);
    void reap(); // after SIGCHLD
    void endChild();

    static void send(const std::string& line);

private:
    std::string start();
    [[noreturn]] void runCommand(int errorPipe);
    std::string suspend();

    std::string m_directory;
    char** m_command;
    pid_t m_child = 0;
};

void Supervisor::send(const std::string& line)
{
    const auto text = line + "\n";
    // An error means that the parent has ended, which the closed socket shows.
    [[maybe_unused]] const auto sent = ::send(kParent, text.data(), text.size(), MSG_NOSIGNAL);
}

void Supervisor::handle(const std::string& request)
{
    const auto blank = request.find(' ');
    const auto word = blank == std::string::npos ? "" : request.substr(blank + 1);
    std::string reply = "unknown word";
    if (word == "start") {
        reply = start();
    } else if (word == "kill") {
        endChild();
        reply = "done";
    } else if (word == "suspend") {
        reply = suspend();
    } else if (word == "resume") {
        reply = m_child != 0 && ::kill(m_child, SIGCONT) == 0 ? "done" : "nothing runs";
    }
    send(request.substr(0, blank) + " " + reply);
}

std::string Supervisor::start()
{
    if (m_child != 0)
        return "it runs already";
    int errorPipe[2];
    if (::pipe2(errorPipe, O_CLOEXEC) != 0)
        return std::strerror(errno);
    const pid_t child = ::fork();
    if (child < 0)
        return std::strerror(errno);
    if (child == 0)
        runCommand(errorPipe[1]);

    ::close(errorPipe[1]);
    int failure = 0;
    // Ends without a byte when the command was executed.
    const auto got = ::read(errorPipe[0], &failure, sizeof failure);
    ::close(errorPipe[0]);
    if (got > 0) {
        ::waitpid(child, nullptr, 0);
        return std::string(m_command[0]) + ": " + std::strerror(failure);
    }
    m_child = child;
    return "started " + std::to_string(child);
}

void Supervisor::runCommand(int errorPipe)
{
    // If this supervisor is killed by SIGKILL, the kernel kills the command.
    const pid_t supervisor = ::getppid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor || supervisor == 1)
        ::_exit(127);

    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::chdir(m_directory.c_str()) == 0) {
        const int log = ::open("server.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (log >= 0 && ::dup2(log, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0)
            ::execv(m_command[0], m_command);
    }
    const int failure = errno;
    [[maybe_unused]] const auto sent = ::write(errorPipe, &failure, sizeof failure);
    ::_exit(127);
}

std::string Supervisor::suspend()
{
    if (m_child == 0 || ::kill(m_child, SIGSTOP) != 0)
        return "nothing runs";
    int status = 0;
    while (::waitpid(m_child, &status, WUNTRACED) < 0 && errno == EINTR) {
    }
    if (WIFSTOPPED(status))
        return "done";
    send("ended " + std::to_string(std::exchange(m_child, 0)));
    return "nothing runs";
}

void Supervisor::reap()
{
    int status = 0;
    if (m_child != 0 && ::waitpid(m_child, &status, WNOHANG) == m_child)
        send("ended " + std::to_string(std::exchange(m_child, 0)));
}

void Supervisor::endChild()
{
    if (m_child == 0)
        return;
    ::kill(m_child, SIGKILL);
    while (::waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_child = 0;
}

// Reads the available bytes and handles every complete line. False when the parent has ended.
bool serveParent(Supervisor& supervisor, std::string& input)
{
    char chunk[256];
    const auto got = ::read(kParent, chunk, sizeof chunk);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got == 0)
        return false;
    input.append(chunk, static_cast<std::size_t>(got));
    for (auto end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
        supervisor.handle(input.substr(0, end));
        input.erase(0, end + 1);
    }
    return true;
}

// False when a signal asks this process to end.
bool serveSignals(Supervisor& supervisor, int signals)
{
    signalfd_siginfo info{};
    while (::read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo != SIGCHLD)
            return false;
        supervisor.reap();
    }
    return true;
}

void superviseUntilTheEnd(Supervisor& supervisor, int signals)
{
    std::string input;
    for (;;) {
        pollfd entries[2] = {{kParent, POLLIN, 0}, {signals, POLLIN, 0}};
        if (::poll(entries, 2, -1) < 0 && errno != EINTR)
            return;
        if (entries[1].revents != 0 && !serveSignals(supervisor, signals))
            return;
        if (entries[0].revents != 0 && !serveParent(supervisor, input))
            return;
    }
}

} // namespace

int main(int argc, char** argv)
{
    lockscope::occupyStandardDescriptors();
    if (argc < 4) {
        static constexpr char text[] =
            "usage: lockscope-supervisor BASE_DIR keep|remove COMMAND [ARGUMENT...]\n";
        [[maybe_unused]] const auto sent = ::write(STDERR_FILENO, text, sizeof text - 1);
        return 2;
    }
    // Descriptors inherited from the parent must not be kept open.
    ::close_range(3, ~0U, 0);
    ::umask(077);

    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT})
        sigaddset(&watched, signal);
    ::sigprocmask(SIG_BLOCK, &watched, nullptr);
    const int signals = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);

    std::string directory = std::string(argv[1]) + "/lockscope-" + std::to_string(::getuid()) + "-XXXXXX";
    if (signals < 0 || ::mkdtemp(directory.data()) == nullptr) {
        Supervisor::send(std::strerror(errno));
        return 1;
    }
    Supervisor::send("directory " + directory);

    Supervisor supervisor(directory, argv + 3);
    superviseUntilTheEnd(supervisor, signals);
    supervisor.endChild();
    std::error_code ignored;
    if (std::strcmp(argv[2], "keep") != 0)
        std::filesystem::remove_all(directory, ignored);
    return 0;
}
