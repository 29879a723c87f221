#include "core/server/supervisor_link.h"

#include "core/server/deadline.h"
#include "core/server/server_config.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <charconv>
#include <cstring>
#include <string_view>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

constexpr Duration kAnswerLimit = std::chrono::seconds(10);

fs::path supervisorProgram()
{
    std::error_code ignored;
    const auto beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "lockscope-supervisor";
    return fs::exists(beside, ignored) ? beside : fs::path(LOCKSCOPE_SUPERVISOR);
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (auto& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

// 0 and the new process, or an errno. posix_spawn shares nothing with our other threads, unlike fork.
int spawnDetached(const fs::path& program, std::vector<std::string> arguments, int socket, pid_t& process)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    // Not our output: whoever waits for its end would wait for the clean-up too.
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t all;
    sigset_t nothing;
    sigfillset(&all);
    sigemptyset(&nothing);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &nothing);
    // A session of its own: Ctrl-C at the terminal or a kill of our process group must not reach it.
    const short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    posix_spawnattr_setflags(&attributes, flags);

    auto environment = cleanEnvironment(environ);
    const int failure = ::posix_spawn(&process, program.c_str(), &files, &attributes,
                                      pointers(arguments).data(), pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

Error lost() { return {ErrorCode::noServer, "The supervisor process of the private ZooKeeper is gone.", ""}; }

std::string_view after(std::string_view line, std::string_view prefix)
{
    return line.starts_with(prefix) ? line.substr(prefix.size()) : std::string_view{};
}

pid_t numberAtStart(std::string_view text)
{
    pid_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

Result<std::unique_ptr<SupervisorLink>> SupervisorLink::spawn(const Options& options)
{
    const auto program = supervisorProgram();
    if (::access(program.c_str(), X_OK) != 0)
        return Error{ErrorCode::internal, "There is no " + program.string() + ".",
                     "It belongs beside the program; build or install LockScope again."};
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{ErrorCode::ioFailed, std::string("No socket pair: ") + std::strerror(errno) + ".", ""};
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);

    std::vector<std::string> arguments{program.string(), options.baseDir.string(),
                                       options.keepData ? "keep" : "remove"};
    arguments.insert(arguments.end(), options.command.begin(), options.command.end());
    pid_t process = 0;
    if (const int failure = spawnDetached(program, std::move(arguments), theirs.get(), process); failure != 0)
        return Error{ErrorCode::ioFailed, program.string() + ": " + std::strerror(failure) + ".", ""};
    theirs.reset();

    std::unique_ptr<SupervisorLink> link(new SupervisorLink(process, std::move(ours), options.keepData));
    const auto line = link->nextLine(deadlineIn(kAnswerLimit));
    if (!line)
        return line.error();
    const auto directory = after(*line, "directory ");
    if (directory.empty())
        return Error{ErrorCode::ioFailed,
                     "No private directory in " + options.baseDir.string() + ": " + *line + ".", ""};
    link->m_directory = directory;
    return link;
}

SupervisorLink::SupervisorLink(pid_t supervisor, UniqueFd socket, bool keepData)
    : m_supervisor(supervisor)
    , m_socket(std::move(socket))
    , m_keepData(keepData)
{}

SupervisorLink::~SupervisorLink() { close(); }

Result<void> SupervisorLink::startChild()
{
    const auto answer = ask("start");
    if (!answer)
        return answer.error();
    const auto id = numberAtStart(after(*answer, "started "));
    if (id <= 0)
        return Error{ErrorCode::noServer, "Java could not be started: " + *answer + ".", ""};
    m_child = id;
    takeEndedLines(); // it may have ended already
    return {};
}

Result<void> SupervisorLink::killChild()
{
    const auto answer = ask("kill");
    if (!answer)
        return answer.error();
    m_child.reset();
    return {};
}

Result<void> SupervisorLink::suspendChild()
{
    const auto answer = ask("suspend");
    if (!answer)
        return answer.error();
    if (*answer != "done")
        return Error{ErrorCode::noServer, "The private ZooKeeper does not run.", ""};
    return {};
}

Result<void> SupervisorLink::resumeChild()
{
    const auto answer = ask("resume");
    if (!answer)
        return answer.error();
    if (*answer != "done")
        return Error{ErrorCode::noServer, "The private ZooKeeper does not run.", ""};
    return {};
}

std::optional<pid_t> SupervisorLink::child()
{
    fill();
    takeEndedLines();
    return m_child;
}

bool SupervisorLink::waitForChildEnd(MonotonicTime deadline)
{
    while (child()) {
        if (!waitFor(m_socket.get(), POLLIN, deadline))
            return false;
    }
    return true;
}

Result<std::string> SupervisorLink::ask(const std::string& word)
{
    fill();
    takeEndedLines();
    const auto line = word + "\n";
    if (m_lost || ::send(m_socket.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0)
        return lost();
    return nextLine(deadlineIn(kAnswerLimit));
}

// The next line that is an answer; "ended" lines before it are taken in on the way.
Result<std::string> SupervisorLink::nextLine(MonotonicTime deadline)
{
    for (;;) {
        takeEndedLines();
        if (const auto end = m_input.find('\n'); end != std::string::npos) {
            auto line = m_input.substr(0, end);
            m_input.erase(0, end + 1);
            return line;
        }
        if (m_lost)
            return lost();
        if (!waitFor(m_socket.get(), POLLIN, deadline))
            return Error{ErrorCode::timedOut,
                         "The supervisor process of the private ZooKeeper does not answer.", ""};
        fill();
    }
}

bool SupervisorLink::fill()
{
    while (!m_lost) {
        char chunk[512];
        const auto got = ::recv(m_socket.get(), chunk, sizeof chunk, MSG_DONTWAIT);
        if (got > 0) {
            m_input.append(chunk, static_cast<std::size_t>(got));
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            m_lost = true;
            m_child.reset(); // it dies with the supervisor
        } else if (errno == EAGAIN) {
            break;
        }
    }
    return !m_lost;
}

void SupervisorLink::takeEndedLines()
{
    while (m_input.starts_with("ended ")) {
        const auto end = m_input.find('\n');
        if (end == std::string::npos)
            return;
        if (m_child == numberAtStart(std::string_view(m_input).substr(6)))
            m_child.reset();
        m_input.erase(0, end + 1);
    }
}

void SupervisorLink::close()
{
    ::shutdown(m_socket.get(), SHUT_WR);
    const auto deadline = deadlineIn(kAnswerLimit);
    // It closes its end as the last thing it does.
    while (fill() && waitFor(m_socket.get(), POLLIN, deadline)) {
    }
    if (!m_lost)
        ::kill(m_supervisor, SIGKILL); // and the kernel ends its child
    while (::waitpid(m_supervisor, nullptr, 0) < 0 && errno == EINTR) {
    }
    // Somebody may have killed the supervisor before it could do this.
    std::error_code ignored;
    if (!m_keepData && !m_directory.empty())
        fs::remove_all(m_directory, ignored);
}

} // namespace lockscope::server
