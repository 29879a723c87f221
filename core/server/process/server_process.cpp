#include "core/server/process/server_process.h"

#include "core/base/system_message.h"
#include "core/server/process/free_port.h"
#include "core/server/process/server_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cstring>
#include <utility>

namespace lockscope::server {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

fs::path baseDirectory(const fs::path& asked)
{
    if (!asked.empty())
        return asked;
    constexpr std::uint64_t room = 512u << 20;
    const char* memory = "/dev/shm";
    struct statvfs space = {};
    if (::access(memory, W_OK | X_OK) == 0 && ::statvfs(memory, &space) == 0 &&
        std::uint64_t{space.f_bavail} * space.f_frsize >= room)
        return memory;
    std::error_code failure;
    const auto temporary = fs::temp_directory_path(failure);
    return failure ? fs::path("/tmp") : temporary;
}

Error fileError(const fs::path& path, int failure)
{
    const bool full = failure == ENOSPC || failure == EDQUOT;
    return {ErrorCode::ioFailed, message("%1: %2.", path.string(), systemMessage(failure)),
            full ? message("Free some space there, or set TMPDIR to a folder on another disk.") : Message()};
}

Result<void> writePrivateFile(const fs::path& path, const std::string& text)
{
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.valid() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return fileError(path, errno);
    return {};
}

// A member of an ensemble reads its number from its data folder.
Result<void> writeNumber(const fs::path& data, int number)
{
    if (::mkdir(data.c_str(), 0700) != 0 && errno != EEXIST)
        return fileError(data, errno);
    return writePrivateFile(data / kMemberFile, std::to_string(number) + "\n");
}

} // namespace

Error portTakenError(std::uint16_t port)
{
    return {ErrorCode::noServer, message("Port %1 of 127.0.0.1 is taken by another program.", port),
            message("Choose another port, or none to get a free one.")};
}

Error allPortsTakenError(int attempts)
{
    return {
        ErrorCode::noServer,
        message("Other programs took each of %1 free ports of 127.0.0.1 before ZooKeeper could.", attempts),
        message("Try again.")};
}

Result<void> checkTickTime(Duration tickTime)
{
    if (tickTime < 10ms || tickTime > 60s)
        return Error{ErrorCode::badUsage, message("The tick time must lie between 10 ms and 60 s."), {}};
    return {};
}

Result<std::unique_ptr<ServerProcess>> ServerProcess::create(const Options& options,
                                                             const JavaInstall& install)
{
    auto link = SupervisorClient::spawn({.baseDir = baseDirectory(options.baseDir),
                                         .keepData = options.keepData,
                                         .command = javaCommand(install, options.memory)});
    if (!link)
        return link.error();
    return std::unique_ptr<ServerProcess>(new ServerProcess(std::move(*link), install));
}

Result<void> ServerProcess::spawn(const ServerConfig& config)
{
    m_config = config;
    m_probe.setPort(config.port);
    return m_supervisor->await([this](Done done) { respawn(false, std::move(done)); });
}

Result<void> ServerProcess::prepare(bool withData)
{
    const auto& directory = m_supervisor->directory();
    const auto data = directory / kDataFolder;
    std::error_code failure;
    if (!withData)
        fs::remove_all(data, failure);
    if (failure)
        return fileError(data, failure.value());
    for (const auto& [name, text] : loggerFiles())
        if (const auto written = writePrivateFile(directory / name, text); !written)
            return written.error();
    if (const auto written = writePrivateFile(directory / kConfigFile, configText(m_config)); !written)
        return written.error();
    if (!m_config.peers.empty()) {
        if (const auto written = writeNumber(data, m_config.number); !written)
            return written.error();
    }
    markRestartInLog(log());
    return {};
}

void ServerProcess::request(void (SupervisorClient::*what)(Done), Done done)
{
    runInOrder([this, what, done = std::move(done)]() mutable { (*m_supervisor.*what)(std::move(done)); });
}

void ServerProcess::respawn(bool withData, Done done)
{
    runInOrder([this, withData, done = std::move(done)]() mutable {
        m_respawning = true;
        m_probe.forget();
        m_supervisor->killChild([this, withData, done = std::move(done)](Result<void> killed) mutable {
            m_probe.forget();
            if (killed)
                killed = prepare(withData);
            if (killed)
                m_supervisor->startChild(std::move(done));
            else
                done(std::move(killed));
            m_respawning = false;
            runWaiting();
        });
    });
}

// The supervisor keeps the order of requests; a respawn is two of them, and nothing may come between.
void ServerProcess::runInOrder(UniqueFunction<void()> command)
{
    m_waiting.push_back(std::move(command));
    runWaiting();
}

void ServerProcess::runWaiting()
{
    while (!m_respawning && !m_waiting.empty()) {
        UniqueFunction<void()> command = std::move(m_waiting.front());
        m_waiting.pop_front();
        command();
    }
}

const std::optional<ServerStatus>& ServerProcess::status()
{
    if (running() && !suspended())
        m_probe.poll();
    else
        m_probe.forget();
    return m_probe.last();
}

bool ServerProcess::isListening() const
{
    return running() && isListeningOnLoopback(*m_supervisor->child(), m_config.port);
}
bool ServerProcess::hadPortConflict() const { return logContains(log(), "Address already in use"); }

Error ServerProcess::exitError() const
{
    if (hadPortConflict())
        return portTakenError(m_config.port);
    if (logContains(log(), "ClassNotFoundException") || logContains(log(), "NoClassDefFoundError") ||
        logContains(log(), "Invalid or corrupt jarfile"))
        return {ErrorCode::noServer,
                message("Java does not find ZooKeeper's classes in %1.", m_install.classPath),
                joined(m_install.repair, lastLogErrors(log()))};
    const Message words = lastLogErrors(log());
    return {ErrorCode::noServer, message("The private ZooKeeper ended before it accepted a session."),
            !words.empty()
                ? words
                : message("%1 ended without a word: see whether \"%1 -version\" works, and whether a limit "
                          "(ulimit -v, ulimit -u) is too low for it.",
                          m_install.java.string())};
}

Error ServerProcess::slowStartError(Duration limit) const
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(limit).count();
    return {ErrorCode::noServer,
            message("The private ZooKeeper did not accept a session in time, within %1 s.", seconds),
            joined(message("It runs with %1: see whether \"%1 -version\" answers, and set JAVA_HOME to use "
                           "another Java. "
                           "The loopback interface (lo) must be up.",
                           m_install.java.string()),
                   lastLogErrors(log()))};
}

} // namespace lockscope::server
