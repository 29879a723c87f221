#include "core/server/process/supervisor_client.h"

#include "core/base/system_message.h"
#include "core/server/deadline.h"
#include "core/server/process/server_config.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

constexpr Duration kDirectoryLimit = std::chrono::seconds(10);
constexpr Duration kKilledLimit = std::chrono::seconds(2);
constexpr const char* kSupervisorName = "lockscope-supervisor";

// Beside this program, as in the build folder, or where a package installs it. Nothing but the place of this
// program decides, so that a copied or moved program never runs what lies in the folder where it was once
// built.
fs::path supervisorProgram()
{
    std::error_code ignored;
    const auto folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    const auto beside = folder / kSupervisorName;
    const auto installed = folder.parent_path() / "libexec/lockscope" / kSupervisorName;
    return !fs::exists(beside, ignored) && fs::exists(installed, ignored) ? installed : beside;
}

Error noSupervisor(const fs::path& program, int failure)
{
    if (failure != ENOENT && failure != ENOTDIR)
        return {ErrorCode::internal,
                message("%1 cannot be executed: %2.", program.string(), systemMessage(failure)),
                message("Make it executable (chmod +x), or build or install LockScope again.")};
    return {ErrorCode::internal, message("%1 does not exist.", program.string()),
            message("It must be in the same folder as the program; build or install LockScope again.")};
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
    // Not our output: a reader that waits for its end would wait for the clean-up too.
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
    // Its own session: Ctrl-C at the terminal or a signal to our process group must not reach it.
    const short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    posix_spawnattr_setflags(&attributes, flags);

    auto environment = cleanEnvironment(environ);
    const int failure = ::posix_spawn(&process, program.c_str(), &files, &attributes,
                                      pointers(arguments).data(), pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

// Readable when the process has ended; invalid if it is gone already.
UniqueFd processEnd(pid_t process)
{
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

} // namespace

Result<std::unique_ptr<SupervisorClient>> SupervisorClient::spawn(const Options& options)
{
    const auto program = options.program.empty() ? supervisorProgram() : options.program;
    if (::access(program.c_str(), X_OK) != 0)
        return noSupervisor(program, errno);
    // The supervisor names its directory on one line.
    if (options.baseDir.string().find('\n') != std::string::npos)
        return Error{ErrorCode::ioFailed,
                     message("The folder for temporary files has a line break in its name."),
                     message("Set TMPDIR to another folder.")};
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{
            ErrorCode::ioFailed, message("Cannot create a socket pair: %1.", systemMessage(errno)), {}};
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);

    std::vector<std::string> arguments{program.string(), options.baseDir.string(),
                                       options.keepData ? "keep" : "remove"};
    arguments.insert(arguments.end(), options.command.begin(), options.command.end());
    pid_t process = 0;
    if (const int failure = spawnDetached(program, std::move(arguments), theirs.get(), process); failure != 0)
        return Error{ErrorCode::ioFailed, message("%1: %2.", program.string(), systemMessage(failure)), {}};
    theirs.reset();

    std::unique_ptr<SupervisorClient> link(new SupervisorClient(process, std::move(ours), options));
    if (const Result<void> taken = link->readDirectory(options.baseDir); !taken)
        return taken.error();
    return link;
}

SupervisorClient::SupervisorClient(pid_t supervisor, UniqueFd socket, const Options& options)
    : m_supervisor(supervisor)
    , m_socket(std::move(socket))
    , m_keepData(options.keepData)
    , m_replyLimit(options.replyLimit)
{}

// Reads the first line.
Result<void> SupervisorClient::readDirectory(const fs::path& baseDir)
{
    const auto deadline = deadlineIn(kDirectoryLimit);
    std::optional<std::string> line = m_protocol.takeLine();
    for (; !line && !m_ended && connected() && waitFor(m_socket.get(), POLLIN, deadline);
         line = m_protocol.takeLine())
        readAvailable();
    if (!line) {
        endIfLost();
        return m_protocol.loss() ? *m_protocol.loss()
               : m_ended         ? supervisorIsGone()
                                 : supervisorDoesNotAnswer();
    }
    Result<fs::path> directory = privateDirectory(*line, baseDir);
    if (!directory) {
        if (directory.error().code == ErrorCode::noServer)
            lose(directory.error());
        return directory.error();
    }
    m_directory = std::move(*directory);
    return {};
}

void SupervisorClient::startChild(Done done) { request(Word::start, std::move(done)); }
void SupervisorClient::killChild(Done done) { request(Word::kill, std::move(done)); }
void SupervisorClient::suspendChild(Done done) { request(Word::suspend, std::move(done)); }
void SupervisorClient::resumeChild(Done done) { request(Word::resume, std::move(done)); }

int SupervisorClient::descriptor() const { return m_socket.get(); }

void SupervisorClient::request(Word word, Done done)
{
    const std::string line = m_protocol.request(word, deadlineIn(m_replyLimit), std::move(done));
    // A full socket holds hours of requests: the supervisor has stopped working.
    if (connected() && ::send(m_socket.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
                           static_cast<ssize_t>(line.size()))
        lose(supervisorIsGone());
}

void SupervisorClient::poll()
{
    readAvailable();
    m_protocol.handleLines();
    noteChild();
    endIfLost();
    if (m_ended)
        lose(supervisorIsGone());
    m_protocol.expire(MonotonicClock::now());
}

Result<void> SupervisorClient::await(UniqueFunction<void(Done)> begin)
{
    const auto result = std::make_shared<std::optional<Result<void>>>();
    begin([result](Result<void> done) { *result = std::move(done); });
    for (poll(); !*result; poll()) {
        if (const std::optional<MonotonicTime> deadline = m_protocol.nextDeadline())
            waitFor(m_socket.get(), POLLIN, *deadline);
    }
    return **result;
}

bool SupervisorClient::waitForChildEnd(MonotonicTime deadline)
{
    for (poll(); child(); poll()) {
        if (!waitFor(m_socket.get(), POLLIN, deadline))
            return false;
    }
    return true;
}

// Reads the available bytes without blocking.
void SupervisorClient::readAvailable()
{
    while (!m_ended && connected()) {
        char chunk[512];
        const auto got = ::recv(m_socket.get(), chunk, sizeof chunk, MSG_DONTWAIT);
        if (got > 0) {
            m_protocol.append({chunk, static_cast<std::size_t>(got)});
            if (m_protocol.isFull())
                return; // handle these lines first
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else if (got == 0 || errno != EINTR) {
            m_ended = true;
        }
    }
}

void SupervisorClient::lose(Error why)
{
    m_protocol.lose(std::move(why));
    endIfLost();
}

// Kills the supervisor and its child, which could not be controlled any more.
void SupervisorClient::endIfLost()
{
    if (!connected() && !std::exchange(m_killed, true))
        ::kill(m_supervisor, SIGKILL); // and the kernel ends its child
}

void SupervisorClient::noteChild()
{
    if (child() && *child() != m_notedChild) {
        m_notedChild = *child();
        m_childEnd = processEnd(m_notedChild);
    } else if (!child() && connected()) {
        m_notedChild = 0; // its end was reported
        m_childEnd.reset();
    }
}

void SupervisorClient::end() { ::shutdown(m_socket.get(), SHUT_WR); }

SupervisorClient::~SupervisorClient()
{
    end();
    const UniqueFd process = processEnd(m_supervisor);
    const auto hasEnded = [](const UniqueFd& which, Duration limit) {
        return which.valid() && waitFor(which.get(), POLLIN, deadlineIn(limit));
    };
    if (!hasEnded(process, m_replyLimit)) {
        ::kill(m_supervisor, SIGKILL); // and the kernel ends its child
        hasEnded(process, kKilledLimit);
    }
    ::waitpid(m_supervisor, nullptr, process.valid() ? WNOHANG : 0);
    // A supervisor that was killed has neither waited for its child, which still writes, nor removed the
    // directory.
    hasEnded(m_childEnd, kKilledLimit);
    std::error_code ignored;
    if (!m_keepData && !m_directory.empty())
        fs::remove_all(m_directory, ignored);
}

} // namespace lockscope::server
