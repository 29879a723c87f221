#include "tests/interop/peer_process.h"

#include "core/server/process/java_install.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace lockscope::tests {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kJars = "/usr/share/java/";
constexpr const char* kPython =
    "/usr/bin/python3"; // Debian's own: another one does not see Debian's packages
constexpr const char* kKazoo = "/usr/lib/python3/dist-packages/kazoo/client.py";

Error missing(const std::string& what, const std::string& package)
{
    return Error{ErrorCode::unsupported, what + " is not installed.", "The package " + package + " has it."};
}

// The value behind a name in /proc/PID/status; 0 when it is not there.
long statusOf(int pid, std::string_view name)
{
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; status >> word;)
        if (word == name) {
            long value = 0;
            status >> value;
            return value;
        }
    return 0;
}

std::string lastWords(int file)
{
    std::array<char, 2000> text{};
    const off_t size = lseek(file, 0, SEEK_END);
    const off_t from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
    const ssize_t count = pread(file, text.data(), text.size(), from);
    return std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count)));
}

} // namespace

Result<std::vector<std::string>> PeerProcess::curatorCommand(const std::string& host)
{
    const auto java = server::findJavaInstall({});
    if (!java)
        return missing("Java or ZooKeeper's jar", "default-jre-headless or libzookeeper-java");
    std::string classPath = LOCKSCOPE_CURATOR_PEER;
    for (const char* jar :
         {"curator-recipes.jar", "curator-framework.jar", "curator-client.jar", "guava.jar"}) {
        const std::string path = std::string(kJars) + jar;
        if (!fs::exists(path))
            return missing("Curator (" + path + ")", "libcurator-recipes-java");
        classPath += ":" + path;
    }
    if (!fs::exists(fs::path(LOCKSCOPE_CURATOR_PEER) / "CuratorPeer.class"))
        return missing("A Java compiler that had built the peer when this was configured", "ecj");
    return std::vector<std::string>{
        java->java.string(),
        "-XX:-UsePerfData", // no file in the temporary folder
        "-Xmx1g",           // the default, a quarter of the memory, says little of what it needs
        "-Djava.net.preferIPv4Stack=true",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
        "-cp",
        classPath + ":" + java->classPath,
        "CuratorPeer",
        host};
}

Result<std::vector<std::string>> PeerProcess::kazooCommand(const std::string& host, bool withPatterns)
{
    if (!fs::exists(kPython) || !fs::exists(kKazoo))
        return missing("kazoo (" + std::string(kKazoo) + ")", "python3-kazoo");
    // Isolated, and without writing byte code beside the source.
    std::vector<std::string> command{kPython, "-I", "-B", LOCKSCOPE_KAZOO_PEER, host};
    if (withPatterns)
        command.emplace_back("with-patterns");
    return command;
}

PeerProcess::Started PeerProcess::start(const std::vector<std::string>& command)
{
    std::unique_ptr<PeerProcess> peer(new PeerProcess);
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ErrorCode::limitExceeded, "No socket for a peer: " + std::string(std::strerror(errno)),
                     ""};
    peer->m_socket = ends[0];
    peer->m_errors = memfd_create("peer-errors", MFD_CLOEXEC);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_adddup2(&files, peer->m_errors, 2);
    std::vector<std::string> words = command;
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const int failed = posix_spawn(&peer->m_pid, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (failed != 0) {
        peer->m_pid = -1;
        return Error{ErrorCode::internal,
                     "The peer " + command[0] + " does not start: " + std::strerror(failed), ""};
    }
    const auto ready = peer->await("ready");
    if (!ready)
        return ready.error();
    return peer;
}

PeerProcess::~PeerProcess()
{
    killNow();
    for (const int file : {m_socket, m_errors})
        if (file >= 0)
            close(file);
}

void PeerProcess::killNow()
{
    if (m_pid <= 0)
        return;
    ::kill(m_pid, SIGKILL);
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
}

void PeerProcess::writeLine(const std::string& line)
{
    const std::string text = line + "\n";
    // A peer that has ended must not end us: its next await() says so.
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t count = send(m_socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            break;
        sent += static_cast<std::size_t>(std::max<ssize_t>(0, count));
    }
}

void PeerProcess::read(int waitMs)
{
    std::array<char, 65536> bytes{};
    for (pollfd ready{m_socket, POLLIN, 0}; !m_ended && poll(&ready, 1, waitMs) > 0; waitMs = 0) {
        const ssize_t count = ::read(m_socket, bytes.data(), bytes.size());
        m_ended = count == 0 || (count < 0 && errno != EINTR);
        m_rest.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count)));
        std::size_t begin = 0;
        for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n', begin)) {
            m_lines.push_back(m_rest.substr(begin, end - begin));
            begin = end + 1;
        }
        m_rest.erase(0, begin);
    }
}

bool PeerProcess::has(std::string_view beginning)
{
    read(0);
    return std::any_of(m_lines.begin(), m_lines.end(),
                       [&](const std::string& line) { return line.starts_with(beginning); });
}

std::optional<std::string> PeerProcess::take(std::string_view beginning)
{
    read(0);
    const auto found = std::find_if(m_lines.begin(), m_lines.end(),
                                    [&](const std::string& line) { return line.starts_with(beginning); });
    if (found == m_lines.end())
        return std::nullopt;
    std::string line = std::move(*found);
    m_lines.erase(found);
    return line;
}

std::vector<std::string> PeerProcess::takeAll(std::string_view beginning)
{
    read(0);
    std::vector<std::string> taken;
    std::deque<std::string> left;
    for (std::string& line : m_lines)
        if (line.starts_with(beginning))
            taken.push_back(std::move(line));
        else
            left.push_back(std::move(line));
    m_lines = std::move(left);
    return taken;
}

Result<std::string> PeerProcess::await(std::string_view beginning, Duration limit)
{
    const MonotonicTime deadline = monotonicNow() + limit;
    for (;;) {
        if (auto line = take(beginning))
            return *std::move(line);
        const std::string wanted(beginning);
        if (const auto failure = take("failed"))
            return trouble(ErrorCode::internal,
                           "The peer was to say \"" + wanted + "\" and said \"" + *failure + "\".");
        if (m_ended)
            return trouble(ErrorCode::internal, "The peer ended before it said \"" + wanted + "\".");
        if (MonotonicClock::now() > deadline)
            return trouble(ErrorCode::timedOut, "The peer did not say \"" + wanted + "\" in time.");
        read(100);
    }
}

Error PeerProcess::trouble(ErrorCode code, const std::string& message)
{
    return Error{code, message, lastWords(m_errors)};
}

long PeerProcess::peakKilobytes() const { return statusOf(m_pid, "VmHWM:"); }
int PeerProcess::threads() const { return static_cast<int>(statusOf(m_pid, "Threads:")); }

} // namespace lockscope::tests
