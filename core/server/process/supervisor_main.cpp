// lockscope-supervisor BASE_DIR keep|remove COMMAND [ARGUMENT...]
// Runs a command in a private directory for a parent that may end in any way. Standard input is a socket to
// the parent. When it closes, or on SIGTERM and the like: kills the command, removes the directory, ends. A
// directory that is to be removed has a locked file as long as its supervisor lives: one without that lock is
// left from a supervisor that was killed together with its parent, and the next one in BASE_DIR removes it.
// Each line from the parent is a number and start, kill, suspend or resume; the reply is the number and the
// result, in order. Before the reply, and whenever the command changes by itself, a line says what became of
// it: running, stopped or ended, with its process. SupervisorClient is the other end. This process alone
// knows whether the command runs and whether it is stopped, and it waits for nothing but the end of a killed
// command: while a stop takes effect it still sees that the parent has ended.

#include "core/base/standard_streams.h"
#include "core/base/unique_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
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
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr int kParent = STDIN_FILENO;

constexpr const char* kRunning = "running";
constexpr const char* kStopped = "stopped";
constexpr const char* kEnded = "ended";

class Supervisor
{
public:
    Supervisor(std::string directory, char** command)
        : m_directory(std::move(directory))
        , m_command(command)
    {}

    void receive(std::string_view bytes); // from the parent
    void reap();                          // after SIGCHLD
    void endChild();

    static void send(const std::string& line);

private:
    void serve();
    void handle(const std::string& request);
    std::string start();
    [[noreturn]] void runCommand(int errorPipe);
    void suspend(std::string number);
    std::string resume();
    void answerSuspend(const char* reply);
    void note(pid_t child, const char* state);

    std::string m_directory;
    char** m_command;
    std::string m_input; // requests that are not handled yet
    pid_t m_child = 0;
    std::string m_state;      // of the child, as last reported to the parent
    std::string m_suspending; // the number of the request whose stop has not taken effect yet
};

void Supervisor::send(const std::string& line)
{
    const auto text = line + "\n";
    // An error means that the parent has ended, which the closed socket shows.
    [[maybe_unused]] const auto sent = ::send(kParent, text.data(), text.size(), MSG_NOSIGNAL);
}

void Supervisor::receive(std::string_view bytes)
{
    m_input += bytes;
    serve();
}

// Replies come in the order of the requests, so the requests behind a stop wait until it has taken effect.
void Supervisor::serve()
{
    for (auto end = m_input.find('\n'); end != std::string::npos && m_suspending.empty();
         end = m_input.find('\n')) {
        const std::string request = m_input.substr(0, end);
        m_input.erase(0, end + 1);
        handle(request);
    }
}

void Supervisor::handle(const std::string& request)
{
    const auto blank = request.find(' ');
    const auto number = request.substr(0, blank);
    const auto word = blank == std::string::npos ? "" : request.substr(blank + 1);
    if (word == "suspend")
        return suspend(number);
    std::string reply = "unknown word";
    if (word == "start") {
        reply = start();
    } else if (word == "kill") {
        endChild();
        reply = "done";
    } else if (word == "resume") {
        reply = resume();
    }
    send(number + " " + reply);
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
    note(child, kRunning);
    return "done";
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

// Answered by reap(), except that a stopped child does not stop a second time: nothing would be reported.
void Supervisor::suspend(std::string number)
{
    m_suspending = std::move(number);
    if (m_child == 0 || ::kill(m_child, SIGSTOP) != 0)
        return answerSuspend("nothing runs");
    if (m_state == kStopped)
        answerSuspend("done");
}

void Supervisor::answerSuspend(const char* reply) { send(std::exchange(m_suspending, {}) + " " + reply); }

std::string Supervisor::resume()
{
    if (m_child == 0 || ::kill(m_child, SIGCONT) != 0)
        return "nothing runs";
    note(m_child, kRunning);
    return "done";
}

void Supervisor::reap()
{
    int status = 0;
    while (m_child != 0 && ::waitpid(m_child, &status, WNOHANG | WUNTRACED | WCONTINUED) == m_child) {
        if (WIFEXITED(status) || WIFSIGNALED(status))
            note(std::exchange(m_child, 0), kEnded);
        else
            note(m_child, WIFSTOPPED(status) ? kStopped : kRunning);
    }
    if (!m_suspending.empty() && m_state != kRunning) {
        answerSuspend(m_state == kStopped ? "done" : "nothing runs");
        serve();
    }
}

void Supervisor::endChild()
{
    if (m_child == 0)
        return;
    ::kill(m_child, SIGKILL);
    while (::waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
    }
    note(std::exchange(m_child, 0), kEnded);
}

void Supervisor::note(pid_t child, const char* state)
{
    if (std::exchange(m_state, state) != state)
        send(m_state + ' ' + std::to_string(child));
}

// Reads the available bytes. False when the parent has ended.
bool serveParent(Supervisor& supervisor)
{
    char chunk[256];
    const auto got = ::read(kParent, chunk, sizeof chunk);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got > 0)
        supervisor.receive({chunk, static_cast<std::size_t>(got)});
    return got > 0;
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
    for (;;) {
        pollfd entries[2] = {{kParent, POLLIN, 0}, {signals, POLLIN, 0}};
        if (::poll(entries, 2, -1) < 0 && errno != EINTR)
            return;
        if (entries[1].revents != 0 && !serveSignals(supervisor, signals))
            return;
        if (entries[0].revents != 0 && !serveParent(supervisor))
            return;
    }
}

constexpr const char* kLockFile = "supervisor.lock";

// Locks the directory's file before it has its name: no other supervisor finds it without the lock, which
// lasts until this process ends.
void lockDirectory(const std::string& directory)
{
    const std::string name = directory + '/' + kLockFile;
    const std::string unnamed = name + ".new";
    const int file = ::open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && (::flock(file, LOCK_EX | LOCK_NB) != 0 || ::rename(unnamed.c_str(), name.c_str()) != 0))
        ::unlink(unnamed.c_str());
}

std::vector<fs::path> contentOf(const fs::path& directory)
{
    std::vector<fs::path> content;
    std::error_code failure;
    for (fs::directory_iterator at(directory, failure); !failure && at != fs::directory_iterator();
         at.increment(failure))
        content.push_back(at->path());
    return content;
}

// Of this user, with this prefix before the six characters that mkdtemp adds. The locked file goes last, so
// that what cannot be removed yet is tried again by the next supervisor.
void removeLeftDirectories(const fs::path& prefix)
{
    for (const fs::path& directory : contentOf(prefix.parent_path())) {
        struct stat found = {};
        if (!directory.filename().string().starts_with(prefix.filename().string()) ||
            ::lstat(directory.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::getuid())
            continue;
        const lockscope::UniqueFd file(
            ::open((directory / kLockFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
        if (!file.valid() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
            continue;
        std::error_code failure;
        for (const fs::path& content : contentOf(directory))
            if (content.filename() != kLockFile && !failure)
                fs::remove_all(content, failure);
        if (!failure)
            fs::remove_all(directory, failure);
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

    const bool keeps = std::strcmp(argv[2], "keep") == 0;
    const std::string prefix = std::string(argv[1]) + "/lockscope-" + std::to_string(::getuid()) + '-';
    std::string directory = prefix + "XXXXXX";
    if (signals < 0 || ::mkdtemp(directory.data()) == nullptr) {
        Supervisor::send(std::strerror(errno));
        return 1;
    }
    if (!keeps)
        lockDirectory(directory);
    Supervisor::send("directory " + directory);
    removeLeftDirectories(prefix);

    Supervisor supervisor(directory, argv + 3);
    superviseUntilTheEnd(supervisor, signals);
    supervisor.endChild();
    std::error_code ignored;
    if (!keeps)
        fs::remove_all(directory, ignored);
    return 0;
}
