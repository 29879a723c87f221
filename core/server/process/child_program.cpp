#include "core/server/process/child_program.h"

#include "core/base/system_message.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace lockscope::server {

namespace {

constexpr int kErrorPipe = 3; // in the child

// After fork() in a process with threads: only what is allowed in a signal handler.
[[noreturn]] void becomeProgram(char** command, char** environment, int input, int output, int errorPipe,
                                bool silent)
{
    ::setpgid(0, 0);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    if (silent)
        ::dup2(nothing, STDERR_FILENO);
    if (errorPipe != kErrorPipe)
        ::dup2(errorPipe, kErrorPipe);
    ::fcntl(kErrorPipe, F_SETFD, FD_CLOEXEC);
    ::close_range(kErrorPipe + 1, ~0U, 0); // not all of our descriptors close by themselves
    ::execvpe(command[0], command, environment);
    const int failure = errno;
    [[maybe_unused]] const auto sent = ::write(kErrorPipe, &failure, sizeof failure);
    ::_exit(127);
}

// Keeps nothing but the end of the pipe, and waits until we have closed the other end, however that ended.
[[noreturn]] void guardGroup(pid_t group, int pipe)
{
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr); // Ctrl-C at the terminal is for us
    ::dup2(pipe, STDIN_FILENO);
    ::close_range(STDIN_FILENO + 1, ~0U, 0);
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {
    }
    ::kill(-group, SIGKILL);
    ::_exit(0);
}

void awaitProcess(pid_t process)
{
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> all;
    for (std::string& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

// Ours, with `more` in place of variables of the same name.
std::vector<std::string> environmentWith(const std::vector<std::string>& more)
{
    std::vector<std::string> all = more;
    for (char** one = environ; *one; ++one) {
        const std::string text = *one;
        const std::string name = text.substr(0, text.find('=') + 1);
        if (std::ranges::none_of(more, [&](const std::string& other) { return other.starts_with(name); }))
            all.push_back(text);
    }
    return all;
}

struct Pipe
{
    UniqueFd out, in;
};

// A file without a name that has the text: unlike with a pipe, the writer never waits for the reader.
UniqueFd fileWith(std::string_view text)
{
    UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
    while (file.valid() && !text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return UniqueFd();
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file.valid())
        ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

bool open(Pipe& pipe)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pipe.out = UniqueFd(ends[0]);
    pipe.in = UniqueFd(ends[1]);
    return true;
}

} // namespace

ChildProgram::ChildProgram(boost::asio::io_context& io, Callbacks callbacks)
    : m_callbacks(std::move(callbacks))
    , m_output(io)
    , m_end(io)
{}

Result<std::unique_ptr<ChildProgram>> ChildProgram::start(boost::asio::io_context& io, const Options& options,
                                                          Callbacks callbacks)
{
    const auto cannot = [&](ErrorCode code, int failure) {
        return Error{
            code, message("%1 cannot be executed: %2.", options.command.front(), systemMessage(failure)), {}};
    };
    std::unique_ptr<ChildProgram> child(new ChildProgram(io, std::move(callbacks)));
    std::vector<std::string> command = options.command;
    std::vector<std::string> environment = environmentWith(options.environment);
    const std::vector<char*> words = pointersTo(command), variables = pointersTo(environment);
    Pipe output, errors, guard;
    const UniqueFd input = fileWith(options.input);
    if (!input.valid() || !open(output) || !open(errors) || !open(guard))
        return cannot(ErrorCode::ioFailed, errno);
    child->m_process = ::fork();
    if (child->m_process == 0)
        becomeProgram(const_cast<char**>(words.data()), const_cast<char**>(variables.data()), input.get(),
                      output.in.get(), errors.in.get(), options.silent);
    if (child->m_process < 0)
        return cannot(ErrorCode::ioFailed, errno);
    ::setpgid(child->m_process, child->m_process); // parent and child both do it: either may be first
    errors.in.reset();
    int failure = 0;
    // Ends without a byte when the program was executed.
    if (::read(errors.out.get(), &failure, sizeof failure) > 0) {
        awaitProcess(child->m_process);
        return cannot(ErrorCode::badUsage, failure);
    }
    child->m_running = true; // from here on the destructor ends it
    child->m_guard = ::fork();
    if (child->m_guard == 0)
        guardGroup(child->m_process, guard.out.get());
    if (child->m_guard < 0)
        return cannot(ErrorCode::ioFailed, errno);
    child->m_guardPipe = std::move(guard.in);
    const int end = static_cast<int>(::syscall(SYS_pidfd_open, child->m_process, 0));
    if (end < 0)
        return cannot(ErrorCode::ioFailed, errno);
    child->m_end.assign(end);
    child->m_output.assign(output.out.release());
    child->m_output.non_blocking(true);
    child->awaitOutput();
    child->awaitEnd();
    return child;
}

ChildProgram::~ChildProgram()
{
    if (m_running) {
        ::kill(-m_process, SIGKILL);
        awaitProcess(m_process);
    }
    if (m_guard > 0) {
        ::kill(m_guard, SIGKILL); // before the number of the group can be used again
        awaitProcess(m_guard);
    }
}

void ChildProgram::signal(int number)
{
    if (m_running)
        ::kill(-m_process, number);
}

void ChildProgram::awaitOutput()
{
    m_output.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                        [this, alive = std::weak_ptr(m_alive)](const boost::system::error_code& failed) {
                            if (failed || !alive.lock())
                                return;
                            readLines();
                            if (m_output.is_open())
                                awaitOutput();
                        });
}

void ChildProgram::readLines()
{
    std::array<char, 4096> bytes;
    while (m_output.is_open()) {
        const ssize_t got = ::read(m_output.native_handle(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) {
            m_output.close();
            return;
        }
        m_rest.append(bytes.data(), static_cast<std::size_t>(got));
        takeLines();
    }
}

void ChildProgram::takeLines()
{
    for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n')) {
        const std::string line = m_rest.substr(0, std::min(end, kLongestLine));
        m_rest.erase(0, end + 1);
        if (!std::exchange(m_cut, false))
            m_callbacks.line(line);
    }
    if (m_rest.size() <= kLongestLine)
        return;
    const std::string line = m_rest.substr(0, kLongestLine);
    m_rest.clear();
    if (!std::exchange(m_cut, true))
        m_callbacks.line(line);
}

void ChildProgram::awaitEnd()
{
    m_end.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [this, alive = std::weak_ptr(m_alive)](const boost::system::error_code& failed) {
                         if (!failed && alive.lock())
                             end();
                     });
}

void ChildProgram::end()
{
    readLines();
    if (!m_rest.empty() && !m_cut)
        m_callbacks.line(std::exchange(m_rest, {}));
    ::kill(-m_process, SIGKILL); // what it has left behind; the number is its own until it is waited for
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_running = false;
    m_output.close();
    m_end.close();
    const auto ended = m_callbacks.ended;
    ended(status); // this may be gone after it
}

} // namespace lockscope::server
