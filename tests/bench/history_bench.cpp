// The list of locks out of a transaction log, beside ZooKeeper's own TxnLogToolkit on the same file.
//   history_bench [MEGABYTES [FILE...]]     200 MB are made by default; files of a real server can be given
//   instead
// Prints MB/s of processor time and of wall time, the ratio, and the most memory this process had.
#include "core/history/history.h"
#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <fmt/core.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace lockscope;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration span) { return std::chrono::duration<double>(span).count(); }

double processorSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// A busy ensemble: of ten transactions four are of locks (a thousand of them, queues of up to eight), the
// others are plain nodes of 100 to 900 bytes, sessions and refused requests.
std::filesystem::path makeLog(const std::filesystem::path& folder, std::size_t megabytes)
{
    const std::filesystem::path path = folder / "log.1";
    std::ofstream out(path, std::ios::binary);
    tests::LogWriter log;
    std::vector<std::pair<int, int>> queues(1000); // first and next number
    std::size_t written = 0;
    for (std::uint64_t i = 0; written < megabytes * 1'000'000; ++i) {
        const std::uint64_t random = (i * 6364136223846793005ULL + 1442695040888963407ULL) >> 33;
        const auto session = static_cast<std::int64_t>(0x100000000000000 + random % 5000);
        log.at(static_cast<std::int64_t>(i / 4));
        auto& [first, next] = queues[random % queues.size()];
        const auto node = [&](int number) {
            return fmt::format("/locks/orders/lock{}/_c_0e59e3d5-9c1c-4a0e-bb3f-0a3c2d1e4f50-lock-{:010}",
                               random % queues.size(), number);
        };
        switch (i % 10) {
        case 0:
        case 5:
            log.queue(session, node(next++), "10.1.2.3");
            break;
        case 1:
        case 6:
            if (first < next)
                log.remove(session, node(first++));
            break;
        case 2:
            log.open(session);
            break;
        case 3:
            log.error(session, -110);
            break;
        default:
            log.set(session, fmt::format("/config/service{}/part", random % 4000),
                    std::string(100 + random % 800, 'x'));
        }
        if (log.size() > 1'000'000 || written + log.size() >= megabytes * 1'000'000) {
            written += log.size();
            out << log.bytes();
            log.bytes().clear();
        }
    }
    return path;
}

double toolkitSeconds(const std::filesystem::path& file)
{
    const std::string jars =
        "/usr/share/java/zookeeper.jar:/usr/share/java/zookeeper-jute.jar:/usr/share/java/commons-cli.jar:"
        "/usr/share/java/slf4j-api.jar:/usr/share/java/slf4j-nop.jar";
    const auto begin = Clock::now();
    const std::string command = "java -cp " + jars +
                                " org.apache.zookeeper.server.persistence.TxnLogToolkit -d '" +
                                file.string() + "' > /dev/null 2>&1";
    return std::system(command.c_str()) == 0 ? seconds(Clock::now() - begin)
                                             : 0; // NOLINT: the shell is wanted
}

} // namespace

int main(int argc, char** argv)
{
    const tests::TempFolder folder;
    std::vector<std::filesystem::path> files(argv + std::min(argc, 2), argv + argc);
    if (files.empty())
        files.push_back(makeLog(folder.path(), argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200));
    double megabytes = 0;
    const double processor = processorSeconds();
    const auto begin = Clock::now();
    auto history = history::History::open(files, {});
    if (!history) {
        fmt::print("{}\n", history.error().text());
        return 2;
    }
    while ((*history)->read(64 << 20) == history::HistoryReader::State::more) {
    }
    const std::size_t locks = (*history)->locks().size();
    const double wall = seconds(Clock::now() - begin);
    const double used = processorSeconds() - processor;
    megabytes = static_cast<double>((*history)->bytesRead()) / 1e6;
    rusage memory{};
    ::getrusage(RUSAGE_SELF, &memory);
    fmt::print("{} transactions, {} locks, {:.0f} MB\n", (*history)->transactions(), locks, megabytes);
    fmt::print("{:<16} {:>10} {:>12}\n", "", "MB/s", "MB/s of CPU");
    fmt::print("{:<16} {:>10.0f} {:>12.0f}\n", "LockScope", megabytes / wall, megabytes / used);
    double toolkit = 0;
    for (const auto& file : files)
        toolkit += toolkitSeconds(file);
    if (toolkit > 0)
        fmt::print("{:<16} {:>10.1f}   LockScope is {:.0f} times as fast\n", "TxnLogToolkit",
                   megabytes / toolkit, toolkit / wall);
    else
        fmt::print("TxnLogToolkit: skipped, it needs libzookeeper-java and a Java\n");
    fmt::print("Most memory: {} MB\n", memory.ru_maxrss / 1024);
}
