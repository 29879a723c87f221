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

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

constexpr Duration kDirectoryLimit = std::chrono::seconds(10);
constexpr Duration kKilledLimit = std::chrono::seconds(2);
constexpr std::size_t kLongestLine = 8192; // a path and a word

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

// Consumes a number at the start of the text, with the blank after it.
template <class Number>
std::optional<Number> takeNumber(std::string_view& text)
{
    Number number{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || number <= 0 || (end != text.data() + text.size() && *end != ' '))
        return {};
    text.remove_prefix(std::min<std::size_t>(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
    return number;
}

bool cutPrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Foreign text, capped and without control characters, for a message.
std::string shown(std::string_view text)
{
    constexpr std::size_t kMost = 300;
    std::string plain(text.substr(0, kMost));
    const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(plain.begin(), plain.end(), isControl, '?');
    return plain;
}

Error isGone()
{
    return {ErrorCode::noServer, message("The supervisor process of the private ZooKeeper is gone."), {}};
}

Error doesNotAnswer()
{
    return {
        ErrorCode::timedOut, message("The supervisor process of the private ZooKeeper does not answer."), {}};
}

Error protocolError(std::string_view said)
{
    return {ErrorCode::noServer,
            message("The supervisor process of the private ZooKeeper says what is not understood: %1.",
                    shown(said)),
            {}};
}

Error doesNotRun() { return {ErrorCode::noServer, message("The private ZooKeeper does not run."), {}}; }

} // namespace

Result<std::unique_ptr<SupervisorClient>> SupervisorClient::spawn(const Options& options)
{
    const auto program = options.program.empty() ? supervisorProgram() : options.program;
    if (::access(program.c_str(), X_OK) != 0)
        return Error{ErrorCode::internal, message("There is no %1.", program.string()),
                     message("It belongs beside the program; build or install LockScope again.")};
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{ErrorCode::ioFailed, message("No socket pair: %1.", systemMessage(errno)), {}};
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

// Reads the first line. The directory is removed in the end, so it must be below `baseDir`.
Result<void> SupervisorClient::readDirectory(const fs::path& baseDir)
{
    const auto deadline = deadlineIn(kDirectoryLimit);
    std::optional<std::string> line = takeLine();
    for (; !line && !m_ended && !m_lost && waitFor(m_socket.get(), POLLIN, deadline); line = takeLine())
        readAvailable();
    if (!line)
        return m_lost ? m_lossReason : m_ended ? isGone() : doesNotAnswer();
    std::string_view name = *line;
    if (!cutPrefix(name, "directory "))
        return Error{ErrorCode::ioFailed,
                     message("No private directory in %1: %2.", baseDir.string(), shown(*line)),
                     {}};
    const std::string_view directory = name;
    if (!cutPrefix(name, baseDir.string() + "/lockscope-" + std::to_string(::getuid()) + "-") ||
        name.empty() || !std::all_of(name.begin(), name.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c));
        })) {
        lose(protocolError(*line));
        return m_lossReason;
    }
    m_directory = directory;
    return {};
}

void SupervisorClient::startChild(Done done) { request(Word::start, std::move(done)); }
void SupervisorClient::killChild(Done done) { request(Word::kill, std::move(done)); }
void SupervisorClient::suspendChild(Done done) { request(Word::suspend, std::move(done)); }
void SupervisorClient::resumeChild(Done done) { request(Word::resume, std::move(done)); }

int SupervisorClient::descriptor() const { return m_socket.get(); }

void SupervisorClient::request(Word word, Done done)
{
    static constexpr const char* names[] = {"start", "kill", "suspend", "resume"};
    m_requests.push_back({++m_lastNumber, word, deadlineIn(m_replyLimit), std::move(done)});
    const std::string line = std::to_string(m_lastNumber) + ' ' + names[static_cast<int>(word)] + '\n';
    // A full socket holds hours of requests: the supervisor has stopped working.
    if (!m_lost && ::send(m_socket.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
                       static_cast<ssize_t>(line.size()))
        lose(isGone());
}

void SupervisorClient::poll()
{
    readAvailable();
    while (const std::optional<std::string> line = takeLine())
        handle(*line);
    if (m_ended)
        lose(isGone());
    expireRequests();
}

Result<void> SupervisorClient::await(UniqueFunction<void(Done)> begin)
{
    const auto result = std::make_shared<std::optional<Result<void>>>();
    begin([result](Result<void> done) { *result = std::move(done); });
    for (poll(); !*result; poll()) {
        const auto waiting = std::find_if(m_requests.begin(), m_requests.end(),
                                          [](const Request& request) { return bool(request.done); });
        if (waiting != m_requests.end())
            waitFor(m_socket.get(), POLLIN, waiting->deadline);
    }
    return **result;
}

bool SupervisorClient::waitForChildEnd(MonotonicTime deadline)
{
    for (poll(); m_child; poll()) {
        if (!waitFor(m_socket.get(), POLLIN, deadline))
            return false;
    }
    return true;
}

// Reads the available bytes without blocking.
void SupervisorClient::readAvailable()
{
    while (!m_ended && !m_lost) {
        char chunk[512];
        const auto got = ::recv(m_socket.get(), chunk, sizeof chunk, MSG_DONTWAIT);
        if (got > 0) {
            m_input.append(chunk, static_cast<std::size_t>(got));
            if (m_input.size() > kLongestLine)
                return; // handle these lines first
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else if (got == 0 || errno != EINTR) {
            m_ended = true;
        }
    }
}

std::optional<std::string> SupervisorClient::takeLine()
{
    const auto end = m_input.find('\n');
    if (end == std::string::npos) {
        if (m_input.size() > kLongestLine)
            lose(protocolError(m_input));
        return {};
    }
    std::string line = m_input.substr(0, end);
    m_input.erase(0, end + 1);
    return line;
}

void SupervisorClient::handle(const std::string& line)
{
    std::string_view text = line;
    if (cutPrefix(text, "ended ")) {
        const auto ended = takeNumber<pid_t>(text);
        if (!ended)
            lose(protocolError(line));
        else if (m_child == ended)
            m_child.reset();
        return;
    }
    const auto number = takeNumber<std::uint64_t>(text);
    if (!number || m_requests.empty() || m_requests.front().number != *number)
        return lose(protocolError(line));
    Request answered = std::move(m_requests.front());
    m_requests.pop_front();
    Result<void> result = outcome(answered.word, std::string(text));
    if (answered.done)
        answered.done(std::move(result));
}

Result<void> SupervisorClient::outcome(Word word, const std::string& text)
{
    std::string_view rest = text;
    switch (word) {
    case Word::start:
        if (cutPrefix(rest, "started "))
            if (const auto child = takeNumber<pid_t>(rest); child && rest.empty()) {
                m_child = child;
                m_suspended = false;
                return {};
            }
        return Error{ErrorCode::noServer, message("Java could not be started: %1.", shown(text)), {}};
    case Word::kill:
        if (text == "done")
            m_child.reset();
        break;
    case Word::suspend:
        m_suspended = text == "done";
        break;
    case Word::resume:
        m_suspended = m_suspended && text != "done";
        break;
    }
    if (text == "done")
        return {};
    return doesNotRun();
}

// Kills the supervisor and its child, which could not be controlled any more.
void SupervisorClient::lose(Error why)
{
    if (m_lost)
        return;
    m_lost = true;
    m_lossReason = std::move(why);
    m_input.clear();
    ::kill(m_supervisor, SIGKILL); // and the kernel ends its child
    m_child.reset();
}

// A `done` may append requests.
void SupervisorClient::expireRequests()
{
    const auto now = MonotonicClock::now();
    for (std::size_t i = 0; i < m_requests.size(); ++i) {
        if (!m_requests[i].done || (!m_lost && m_requests[i].deadline > now))
            continue;
        Done done = std::exchange(m_requests[i].done, {});
        done(m_lost ? m_lossReason : doesNotAnswer());
    }
    if (m_lost)
        m_requests.clear();
}

void SupervisorClient::end() { ::shutdown(m_socket.get(), SHUT_WR); }

SupervisorClient::~SupervisorClient()
{
    end();
    const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, m_supervisor, 0)));
    const auto hasEnded = [&](Duration limit) {
        return process.valid() && waitFor(process.get(), POLLIN, deadlineIn(limit));
    };
    if (!hasEnded(m_replyLimit)) {
        ::kill(m_supervisor, SIGKILL); // and the kernel ends its child
        hasEnded(kKilledLimit);
    }
    ::waitpid(m_supervisor, nullptr, process.valid() ? WNOHANG : 0);
    // If the supervisor was killed before it removed the directory.
    std::error_code ignored;
    if (!m_keepData && !m_directory.empty())
        fs::remove_all(m_directory, ignored);
}

} // namespace lockscope::server
